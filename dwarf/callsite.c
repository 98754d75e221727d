#include "dwarf/callsite.h"

#include <dwarf.h>
#include <stdarg.h>

#include "dwarf/type_name.h"

enum {
	DEPTH_MAX = 200,  /* of nested DIEs */
	CHAIN_MAX = 1000, /* functions looked at for a tail call back to where it began */
};

/* The call sites of the functions that were looked at. */
struct di_callsites {
	struct xs_map functions; /* DIE of a subprogram -> 1 */
	struct xs_map returns;   /* link-time return address -> index into sites, plus 1 */
	XS_VEC(Dwarf_Die) sites;
	struct xs_map tails;           /* DIE of a subprogram -> index into problems, plus 1 */
	XS_VEC(const char *) problems; /* with its tail calls, NULL if there is none */
};

void di_callsites_destroy(struct di_callsites *sites)
{
	if (!sites)
		return;
	xs_map_deinit(&sites->functions);
	xs_map_deinit(&sites->returns);
	xs_vec_deinit(&sites->sites);
	xs_map_deinit(&sites->tails);
	xs_vec_deinit(&sites->problems);
	free(sites);
}

static bool is_site(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_call_site || dwarf_tag(die) == DW_TAG_GNU_call_site;
}

/* Calls `found` for each call site below die, inlined calls and blocks included. */
static void for_each_site(
	Dwarf_Die *die, unsigned depth, void (*found)(void *arg, Dwarf_Die *site), void *arg)
{
	Dwarf_Die child;
	if (depth > DEPTH_MAX || dwarf_child(die, &child))
		return;
	do {
		if (is_site(&child))
			found(arg, &child);
		else if (dwarf_tag(&child) == DW_TAG_lexical_block ||
			 dwarf_tag(&child) == DW_TAG_inlined_subroutine)
			for_each_site(&child, depth + 1, found, arg);
	} while (!dwarf_siblingof(&child, &child));
}

static void note_site(void *arg, Dwarf_Die *site)
{
	struct di_callsites *sites = arg;
	Dwarf_Attribute attr;
	Dwarf_Addr address;
	/* The GNU form has the return address as DW_AT_low_pc. */
	unsigned at = dwarf_tag(site) == DW_TAG_call_site ? DW_AT_call_return_pc : DW_AT_low_pc;
	if (!dwarf_attr(site, at, &attr) || dwarf_formaddr(&attr, &address))
		return;
	xs_vec_push(&sites->sites, *site);
	*xs_map_at(&sites->returns, address, 0) = sites->sites.len;
}

static struct di_callsites *sites_of(struct di_module *module)
{
	if (!module->callsites)
		module->callsites = xs_calloc(1, sizeof *module->callsites);
	return module->callsites;
}

/* The call site in function that returns to a link-time address. */
static bool find_site(
	struct di_module *module, const struct di_block *function, xs_addr address, Dwarf_Die *ret)
{
	struct di_callsites *sites = sites_of(module);
	Dwarf_Die die = function->die;
	uint64_t *done = xs_map_at(&sites->functions, (uintptr_t)die.addr, 0);
	if (!(*done)++)
		for_each_site(&die, 0, note_site, sites);
	const uint64_t *index = xs_map_find(&sites->returns, address, 0);
	if (!index)
		return false;
	*ret = sites->sites.data[*index - 1];
	return true;
}

/* --- whom a site calls
 * ---------------------------------------------------------------------------- */

/* The DIE that the first of two attributes, the standard's or GNU's, refers to. */
static bool referred(Dwarf_Die *die, unsigned at, unsigned gnu, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	return (dwarf_attr(die, at, &attr) || dwarf_attr(die, gnu, &attr)) &&
	       dwarf_formref_die(&attr, ret);
}

static const char *linkage_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	return name ? name : dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

/* Whether two DIEs stand for the same function: the same, an instance of it, or, where one is only
 * a declaration, of the same name. */
static bool same_function(Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Die x = *a, y = *b;
	unsigned far = 0, further = 0;
	while (di_die_origin(&x, &far))
		;
	while (di_die_origin(&y, &further))
		;
	if (x.addr == y.addr)
		return true;
	const char *name = linkage_of(&x), *other = linkage_of(&y);
	bool declared =
		dwarf_hasattr(&x, DW_AT_declaration) || dwarf_hasattr(&y, DW_AT_declaration);
	return declared && name && other && !strcmp(name, other);
}

/* Whether the function, by tail calls alone, may have come back to itself: then its registers on
 * entry need not be those of the call that its frame returns to. */
struct tail_walk {
	struct di_module *module;
	XS_VEC(Dwarf_Die) waiting; /* functions to look at */
	struct xs_map seen;        /* their DIEs */
	Dwarf_Die start;           /* where it began */
	const char *problem;       /* what was found */
};

static void follow_tail_call(void *arg, Dwarf_Die *site)
{
	struct tail_walk *walk = arg;
	Dwarf_Die callee;
	if (walk->problem || (!dwarf_hasattr(site, DW_AT_call_tail_call) &&
				     !dwarf_hasattr(site, DW_AT_GNU_tail_call)))
		return;
	if (!referred(site, DW_AT_call_origin, DW_AT_abstract_origin, &callee)) {
		walk->problem = "a tail call through a pointer may have led back to it";
		return;
	}
	if (same_function(&callee, &walk->start)) {
		walk->problem = "a tail call may have led back to it";
		return;
	}
	/* The code of the callee is where a function of that name is. */
	const char *name = linkage_of(&callee);
	const struct di_function *function =
		name ? di_functions_named(&walk->module->functions, name) : NULL;
	if (!function || function->symbol)
		return; /* in another module: it knows nothing of our function */
	Dwarf_Die die = function->die;
	if (!(*xs_map_at(&walk->seen, (uintptr_t)die.addr, 0))++)
		xs_vec_push(&walk->waiting, die);
}

static const char *walk_tail_calls(struct di_module *module, const struct di_block *function)
{
	struct tail_walk walk = {.module = module, .start = function->die};
	xs_vec_push(&walk.waiting, function->die);
	for (size_t i = 0; i < walk.waiting.len && !walk.problem; i++) {
		Dwarf_Die die = walk.waiting.data[i];
		for_each_site(&die, 0, follow_tail_call, &walk);
		if (walk.waiting.len > CHAIN_MAX)
			walk.problem = "too many tail calls to follow";
	}
	xs_vec_deinit(&walk.waiting);
	xs_map_deinit(&walk.seen);
	return walk.problem;
}

static const char *tail_call_problem(struct di_module *module, const struct di_block *function)
{
	struct di_callsites *sites = sites_of(module);
	uint64_t *index = xs_map_at(&sites->tails, (uintptr_t)function->die.addr, 0);
	if (!*index) {
		xs_vec_push(&sites->problems, walk_tail_calls(module, function));
		*index = sites->problems.len;
	}
	return sites->problems.data[*index - 1];
}

/* Tells whoever wants a proof. */
static void note(const struct di_context *context, const char *format, ...) XS_PRINTF(2, 3);
static void note(const struct di_context *context, const char *format, ...)
{
	char text[800];
	va_list args;
	if (!context->note)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	context->note(context->trace_arg, text);
}

/* The same of an expression of the call site, evaluated in the caller. */
static void note_value(const struct di_context *context, unsigned at, const struct di_place *place,
	const struct di_value *value, const struct di_answer *answer)
{
	char expr[400], text[DI_VALUE_TEXT];
	if (!context->note)
		return;
	di_op_text_all(place->expr.unit, place->expr.data, place->expr.size, expr, sizeof expr);
	note(context, "%s: %s, in the caller's frame: %s",
		at == DW_AT_call_target || at == DW_AT_GNU_call_site_target ? "DW_AT_call_target"
									    : "DW_AT_call_value",
		expr,
		answer->state == DI_ANSWER_KNOWN ? di_value_text(value, text) : answer->reason);
}

/* Whether the site in the caller really called the function that is running. */
static struct xs_error *check_callee(struct di_context *caller, const struct di_context *callee,
	Dwarf_Die *site, struct di_expr_budget *budget, struct di_answer *answer)
{
	const struct di_frame *frame = &callee->stack->frames.data[callee->frame];
	Dwarf_Die called, running = callee->function->die;
	struct di_place place;
	struct di_value target;
	struct xs_error *err;
	if (referred(site, DW_AT_call_origin, DW_AT_abstract_origin, &called)) {
		if (!same_function(&called, &running)) {
			const char *name = linkage_of(&called);
			di_answer_gone(answer,
				"the caller called %s: %s was reached by a tail call",
				name ? name : "another function", callee->function->name);
		} else {
			note(callee, "DW_AT_call_origin: %s", callee->function->name);
		}
		return NULL;
	}
	unsigned at = dwarf_hasattr(site, DW_AT_call_target) ? DW_AT_call_target
							     : DW_AT_GNU_call_site_target;
	di_place_select(di_unit_of(caller->mapping->module, site), site, at,
		caller->stack->frames.data[caller->frame].lookup, &place, NULL, NULL);
	if (place.kind != DI_PLACE_EXPR) {
		di_answer_gone(answer, "the call site does not say whom it calls");
		return NULL;
	}
	if ((err = di_context_value(caller, &place.expr, budget, &target, answer)))
		return err;
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	note_value(callee, at, &place, &target, answer);
	if (di_value_u64(&target) != callee->function->entry + frame->mapping->bias)
		di_answer_gone(answer,
			"the caller called 0x%" PRIx64 ": %s was reached by a tail call",
			di_value_u64(&target), callee->function->name);
	return NULL;
}

/* --- parameters
 * -------------------------------------------------------------------------------------- */

/* Whether a DW_TAG_call_site_parameter is the one that is looked for. */
struct wanted {
	const struct di_expr_source *source; /* by its place on entry, or */
	Dwarf_Die *parameter;                /* by the parameter it is passed for */
};

static bool is_wanted(Dwarf_Die *die, const struct wanted *wanted)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	Dwarf_Die parameter;
	if (wanted->source)
		return dwarf_attr(die, DW_AT_location, &attr) && !dwarf_formblock(&attr, &block) &&
		       block.length == wanted->source->size &&
		       !memcmp(block.data, wanted->source->data, block.length);
	return referred(die, DW_AT_call_parameter, DW_AT_abstract_origin, &parameter) &&
	       parameter.addr == wanted->parameter->addr;
}

static bool find_parameter(Dwarf_Die *site, const struct wanted *wanted, Dwarf_Die *ret)
{
	if (dwarf_child(site, ret))
		return false;
	do {
		int tag = dwarf_tag(ret);
		if ((tag == DW_TAG_call_site_parameter || tag == DW_TAG_GNU_call_site_parameter) &&
			is_wanted(ret, wanted))
			return true;
	} while (!dwarf_siblingof(ret, ret));
	return false;
}

static struct xs_error *passed(struct di_context *context, const struct wanted *wanted,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	struct di_context caller;
	struct di_place place;
	struct xs_error *err;
	Dwarf_Die site, parameter;
	if (!context->function) {
		di_answer_error(answer, "no function here that was entered");
		return NULL;
	}
	if (context->stack->end == DI_STACK_ASKED &&
		(err = di_stack_walk(context->target, context->stack)))
		return err;
	if (context->frame + 1 >= context->stack->frames.len) {
		di_answer_gone(answer, "no call site: the caller is not known");
		return NULL;
	}
	di_context_init(&caller, context->target, context->stack, context->frame + 1);
	const struct di_frame *frame = &caller.stack->frames.data[caller.frame];
	if (!caller.function || !find_site(caller.mapping->module, caller.function,
					frame->pc - caller.mapping->bias, &site)) {
		di_answer_gone(answer, "no call site for the return to 0x%" PRIx64,
			frame->mapping ? frame->pc - frame->mapping->bias : frame->pc);
		return NULL;
	}
	caller.as_it_stands = true; /* the producer names only what survives the call */
	caller.note = context->note;
	caller.trace_arg = context->trace_arg;
	note(context,
		"called from %s: call site .debug_info+0x%" PRIx64 " of %s returns to 0x%" PRIx64,
		caller.function->name, (uint64_t)dwarf_dieoffset(&site),
		caller.mapping->module->name, frame->pc - caller.mapping->bias);
	if ((err = check_callee(&caller, context, &site, budget, answer)) ||
		answer->state != DI_ANSWER_KNOWN)
		return err;
	const char *problem = tail_call_problem(context->mapping->module, context->function);
	if (problem) {
		di_answer_gone(answer, "%s: %s", context->function->name, problem);
		return NULL;
	}
	if (!find_parameter(&site, wanted, &parameter)) {
		di_answer_gone(answer, "the call site does not tell");
		return NULL;
	}
	unsigned at = dwarf_hasattr(&parameter, DW_AT_call_value) ? DW_AT_call_value
								  : DW_AT_GNU_call_site_value;
	di_place_select(di_unit_of(caller.mapping->module, &parameter), &parameter, at,
		frame->lookup, &place, NULL, NULL);
	if (place.kind != DI_PLACE_EXPR) {
		di_answer_gone(answer, "the call site does not tell");
		return NULL;
	}
	if ((err = di_context_value(&caller, &place.expr, budget, ret, answer)))
		return err;
	note_value(context, at, &place, ret, answer);
	return NULL;
}

struct xs_error *di_callsite_entry_value(struct di_context *context,
	const struct di_expr_source *source, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer)
{
	return passed(context, &(struct wanted){.source = source}, budget, ret, answer);
}

struct xs_error *di_callsite_parameter(struct di_context *context, Dwarf_Die *parameter,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	return passed(context, &(struct wanted){.parameter = parameter}, budget, ret, answer);
}
