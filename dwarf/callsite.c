#include "dwarf/callsite.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/context.h"
#include "dwarf/entered.h"
#include "dwarf/tailcall.h"
#include "dwarf/words.h"

/* The call sites of the functions that were looked at. */
struct di_callsites {
	struct xs_map functions; /* DIE of a subprogram -> 1 */
	struct xs_map returns;   /* link-time return address -> index into sites, plus 1 */
	XS_VEC(Dwarf_Die) sites;
};

void di_callsites_destroy(struct di_callsites *sites)
{
	if (!sites)
		return;
	xs_map_deinit(&sites->functions);
	xs_map_deinit(&sites->returns);
	xs_vec_deinit(&sites->sites);
	free(sites);
}

static void note_site(void *arg, Dwarf_Die *site)
{
	struct di_module *module = arg;
	struct di_callsites *sites = module->callsites;
	xs_addr address;
	if (!di_call_site_return(module, site, &address))
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

bool di_callsite_find(
	struct di_module *module, const struct di_block *function, xs_addr address, Dwarf_Die *ret)
{
	struct di_callsites *sites = sites_of(module);
	Dwarf_Die die = function->die;
	uint64_t *done = xs_map_at(&sites->functions, (uintptr_t)die.addr, 0);
	if (!(*done)++)
		di_call_sites(&die, note_site, module);
	const uint64_t *index = xs_map_find(&sites->returns, address, 0);
	if (!index)
		return false;
	*ret = sites->sites.data[*index - 1];
	return true;
}

const char *di_callsite_attribute(unsigned at)
{
	switch (at) {
	case DW_AT_call_target:
		return "DW_AT_call_target";
	case DW_AT_GNU_call_site_target:
		return "DW_AT_GNU_call_site_target";
	case DW_AT_call_data_value:
		return "DW_AT_call_data_value";
	case DW_AT_GNU_call_site_data_value:
		return "DW_AT_GNU_call_site_data_value";
	case DW_AT_GNU_call_site_value:
		return "DW_AT_GNU_call_site_value";
	default:
		return "DW_AT_call_value";
	}
}

/* The same of an expression of the call site, evaluated in the caller. */
static void note_value(const struct di_context *context, unsigned at, const char *where,
	const struct di_place *place, const struct di_value *value, const struct di_answer *answer)
{
	char expr[400], text[DI_VALUE_TEXT], words[DI_WORDS];
	if (!context->note)
		return;
	di_op_text_all(place->expr.unit, place->expr.data, place->expr.size, expr, sizeof expr);
	di_context_note(context, "%s: %s, in %s: %s", di_callsite_attribute(at), expr, where,
		answer->state == DI_ANSWER_KNOWN ? di_value_text(value, text)
						 : di_answer_text(answer, words));
}

/* The way from the function that a site in the caller calls to the one that is running; NULL: there
 * is an answer, and it is why not. */
static struct xs_error *find_way(struct di_context *caller, const struct di_context *callee,
	Dwarf_Die *site, struct di_expr_budget *budget, const struct di_tail_way **ret,
	struct di_answer *answer)
{
	const struct di_frame *frame = &callee->stack->frames.data[callee->frame];
	struct di_module *module = callee->mapping->module;
	xs_addr running = callee->function->entry, behind = XS_ADDR_NONE;
	Dwarf_Die called;
	struct di_place place;
	struct di_value target;
	struct xs_error *err;
	struct di_within call = {.kind = DI_WITHIN_CALL, .other = callee->function->name};
	*ret = NULL;
	if (di_call_site_origin(site, &called)) {
		const char *name = di_linkage_name(&called);
		if (!di_call_site_return(caller->mapping->module, site, &behind))
			behind = XS_ADDR_NONE;
		*ret = di_tail_way(
			module, caller->mapping->module, &called, behind, XS_ADDR_NONE, running);
		call.name = name ? name : "another function";
		di_context_note(callee, "DW_AT_call_origin: %s", call.name);
	} else {
		unsigned at = dwarf_hasattr(site, DW_AT_call_target) ? DW_AT_call_target
								     : DW_AT_GNU_call_site_target;
		di_place_select(di_unit_of(caller->mapping->module, site), site, at,
			caller->stack->frames.data[caller->frame].lookup, &place, NULL, NULL);
		if (place.kind != DI_PLACE_EXPR) {
			di_answer_gone(answer, DI_WHY_CALL_TARGET_UNSAID);
			return NULL;
		}
		if ((err = di_context_value(caller, &place.expr, budget, &target, answer)))
			return err;
		if (answer->state != DI_ANSWER_KNOWN)
			return NULL;
		note_value(callee, at, "the caller's frame", &place, &target, answer);
		*ret = di_tail_way(module, module, NULL, XS_ADDR_NONE,
			di_value_u64(&target) - frame->mapping->bias, running);
		call.offset = di_value_u64(&target);
	}
	if ((*ret)->problem) {
		di_answer_gone(answer, (*ret)->problem);
		di_answer_within(answer, &call);
		*ret = NULL;
	}
	return NULL;
}

/* --- parameters ------------------------------------------------------------------------------- */

/* Whether a DW_TAG_call_site_parameter is the one that is looked for. */
struct wanted {
	const struct di_expr_source *source; /* by its place on entry, which is */
	struct di_entered entered;           /* in other words, or */
	Dwarf_Die *parameter;                /* by the parameter it is passed for */
};

/* Whether what a parameter is passed in lies where the function finds the wanted memory: both are
 * told by the stack pointer, from which the call takes room for the return address. */
static bool is_same_memory(struct di_context *where, const struct di_place *place,
	const struct wanted *wanted, struct di_expr_budget *budget, struct xs_error **err)
{
	struct di_location location;
	const struct di_frame *frames = where->stack->frames.data;
	if (wanted->entered.reg != DI_REG_RSP || where->way || !where->frame ||
		!frames[where->frame - 1].cfa_known)
		return false;
	struct di_expr_request request = {
		.source = place->expr, .host = &where->expr, .budget = budget};
	if ((*err = di_expr_eval(&request, &location)) ||
		location.answer.state != DI_ANSWER_KNOWN || location.composite ||
		location.count != 1 || location.piece[0].kind != DI_PIECE_MEMORY)
		return false;
	return location.piece[0].address ==
	       frames[where->frame - 1].cfa - 8 + (uint64_t)wanted->entered.offset;
}

/* Which attribute of the parameter tells what is wanted; 0: none. */
static unsigned find_attribute(struct di_context *where, Dwarf_Die *die,
	const struct wanted *wanted, struct di_expr_budget *budget, struct xs_error **err)
{
	bool gnu = dwarf_tag(die) == DW_TAG_GNU_call_site_parameter;
	unsigned value = gnu ? DW_AT_GNU_call_site_value : DW_AT_call_value;
	unsigned data = gnu ? DW_AT_GNU_call_site_data_value : DW_AT_call_data_value;
	struct di_place place;
	di_place_select(di_unit_of(where->mapping->module, die), die, DW_AT_location,
		where->stack->frames.data[where->frame].lookup, &place, NULL, NULL);
	if (place.kind != DI_PLACE_EXPR)
		return 0;
	if (place.expr.size == wanted->source->size &&
		!memcmp(place.expr.data, wanted->source->data, place.expr.size))
		return value;
	const struct di_entered *entered = &wanted->entered;
	struct di_entered its = di_entered_place(&place.expr);
	bool same = its.kind == DI_ENTERED_REGISTER && its.reg == entered->reg;
	if (entered->kind == DI_ENTERED_REGISTER)
		return same ? value : 0;
	if (entered->kind != DI_ENTERED_MEMORY)
		return 0;
	if (same && !entered->offset)
		return data;
	return its.kind != DI_ENTERED_REGISTER && is_same_memory(where, &place, wanted, budget, err)
		       ? value
		       : 0;
}

static bool is_for(Dwarf_Die *die, const Dwarf_Die *wanted)
{
	Dwarf_Attribute attr;
	Dwarf_Die parameter;
	return (dwarf_attr(die, DW_AT_call_parameter, &attr) ||
		       dwarf_attr(die, DW_AT_abstract_origin, &attr)) &&
	       di_formref_die(&attr, &parameter) && parameter.addr == wanted->addr;
}

/* The parameter of a call site that tells what is wanted, and by which attribute; 0: none does. */
static unsigned find_parameter(struct di_context *where, Dwarf_Die *site,
	const struct wanted *wanted, struct di_expr_budget *budget, Dwarf_Die *ret,
	struct xs_error **err)
{
	*err = NULL;
	if (dwarf_child(site, ret))
		return 0;
	do {
		int tag = dwarf_tag(ret);
		unsigned at = 0;
		if (tag != DW_TAG_call_site_parameter && tag != DW_TAG_GNU_call_site_parameter)
			continue;
		if (wanted->source)
			at = find_attribute(where, ret, wanted, budget, err);
		else if (is_for(ret, wanted->parameter))
			at = tag == DW_TAG_call_site_parameter ? DW_AT_call_value
							       : DW_AT_GNU_call_site_value;
		if (*err || (at && dwarf_hasattr(ret, at)))
			return at;
	} while (!dwarf_siblingof(ret, ret));
	return 0;
}

/* Reads what a call site tells as what the entry value names: a register as a type of its own, or
 * some bytes of memory. */
static struct xs_error *take_as(struct di_context *context, const struct wanted *wanted,
	struct di_value *value, struct di_answer *answer)
{
	struct di_base type = value->type;
	struct xs_error *err;
	if (!wanted->source || answer->state != DI_ANSWER_KNOWN ||
		(!wanted->entered.typed && !wanted->entered.size))
		return NULL;
	if (wanted->entered.typed) {
		const struct di_expr_unit *unit = wanted->source->unit;
		if ((err = context->expr.base_type(context, unit,
			     unit->die_base + wanted->entered.type, &type, answer)) ||
			answer->state != DI_ANSWER_KNOWN)
			return err;
	} else if (value->type.bits <= 8 * wanted->entered.size) {
		return NULL;
	} else {
		type = di_base_generic(wanted->source->unit->address_size);
	}
	unsigned bits = wanted->entered.typed ? type.bits : (unsigned)(8 * wanted->entered.size);
	/* The lower part of a register that the caller tells the whole of. */
	if (value->type.bits > bits && di_value_is_integral(value))
		*value = di_value_make(&type, di_wide_zext(value->bits, bits));
	else if (wanted->entered.typed && !di_base_equal(&value->type, &type))
		di_value_reinterpret(value, &type, value, answer);
	return NULL;
}

static void note_read(struct di_context *context, enum di_read_kind kind, xs_addr address)
{
	if (context->reads)
		di_reads_note(context->reads, kind, context->outward, 0, &address, sizeof address);
}

/* What follows depends on more than is noted of it. */
static void not_noted(struct di_context *context)
{
	if (context->reads)
		context->reads->whole = false;
}

/* The caller of a context's frame and the call site there; false: there is an answer, and it is why
 * not. */
static bool find_caller(struct di_context *context, struct di_context *caller, Dwarf_Die *site,
	struct di_answer *answer, struct xs_error **err)
{
	*err = NULL;
	if (context->stack->end == DI_STACK_ASKED &&
		(*err = di_stack_walk(context->target, context->stack)))
		return false;
	if (!di_context_caller(context, 1, caller)) {
		not_noted(context);
		di_answer_gone(answer, DI_WHY_CALLER_UNKNOWN);
		return false;
	}
	const struct di_frame *frame = &caller->stack->frames.data[caller->frame];
	note_read(caller, DI_READ_PC, frame->pc);
	if (!caller->function || !di_callsite_find(caller->mapping->module, caller->function,
					 frame->pc - caller->mapping->bias, site)) {
		di_answer_gone(answer, DI_WHY_NO_CALL_SITE,
			.number = {frame->mapping ? frame->pc - frame->mapping->bias : frame->pc});
		return false;
	}
	caller->mistake = context->mistake;
	caller->note = context->note;
	caller->trace_arg = context->trace_arg;
	di_context_note(context,
		"called from %s: call site .debug_info+0x%" PRIx64 " of %s returns to 0x%" PRIx64,
		caller->function->name, (uint64_t)dwarf_dieoffset(site),
		caller->mapping->module->name, frame->pc - caller->mapping->bias);
	return true;
}

/* What a site says of a parameter, evaluated where the call was. */
static struct xs_error *ask_site(struct di_context *where, const char *name, Dwarf_Die *site,
	const struct wanted *wanted, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer)
{
	struct di_place place = {.kind = DI_PLACE_NONE};
	struct xs_error *err;
	Dwarf_Die parameter;
	unsigned at = find_parameter(where, site, wanted, budget, &parameter, &err);
	if (err)
		return err;
	if (at)
		di_place_select(di_unit_of(where->mapping->module, &parameter), &parameter, at,
			where->stack->frames.data[where->frame].lookup, &place, NULL, NULL);
	if (place.kind != DI_PLACE_EXPR) {
		di_answer_gone(answer, DI_WHY_CALL_SITE_SILENT);
		return NULL;
	}
	if ((err = di_context_value(where, &place.expr, budget, ret, answer)))
		return err;
	note_value(where, at, name, &place, ret, answer);
	return take_as(where, wanted, ret, answer);
}

/* --- mistakes of gdb, made on purpose (mistake.h) --------------------------------------------- */

/* Whether the frame is at an instruction that gdb takes for the end of an epilogue. */
static bool is_at_return(const struct di_context *context)
{
	const struct di_frame *frame = &context->stack->frames.data[context->frame];
	uint8_t byte;
	return !context->frame &&
	       context->target->memory(context->target->arg, frame->pc, &byte, 1) && byte == 0xc3;
}

/* Whether gdb does not get from the call site to the function that runs; or cannot rule out that
 * tail calls lead from the function back to it: it looks through all of them. */
static bool gives_up(const struct di_context *context, Dwarf_Die *site, size_t links)
{
	Dwarf_Die called;
	bool named = di_call_site_origin(site, &called);
	switch (context->mistake) {
	case DI_MISTAKE_GDB_ABSTRACT_CALLEE:
		return (named && !dwarf_hasattr(&called, DW_AT_low_pc) &&
			       !dwarf_hasattr(&called, DW_AT_ranges) &&
			       !dwarf_hasattr(&called, DW_AT_declaration)) ||
		       di_tail_names_abstract(
			       context->mapping->module, XS_ADDR_NONE, context->function->entry);
	case DI_MISTAKE_GDB_TAIL_CALL_AT_RETURN:
		return links && is_at_return(context);
	case DI_MISTAKE_GDB_TAIL_CALL_BEHIND_POINTER:
		return links && !named;
	default:
		return false;
	}
}

/* Where gdb evaluates what the call site says, if not in the caller: the frame outside of an
 * inlined call is that of the function around it. */
static bool is_elsewhere(const struct di_context *context, struct di_context *ret)
{
	if (context->mistake != DI_MISTAKE_GDB_INLINED_ENTRY_VALUE || !context->inlined)
		return false;
	di_context_init(ret, context->target, context->stack, context->frame);
	ret->mistake = context->mistake;
	return true;
}

static struct xs_error *passed(struct di_context *context, const struct wanted *wanted,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	struct di_context caller, where;
	const struct di_tail_way *way = context->way;
	size_t link = context->link;
	struct xs_error *err;
	Dwarf_Die site;
	note_read(context, DI_READ_FUNCTION, context->function ? context->function->entry : 0);
	if (!context->function) {
		di_answer_error(answer, DI_WHY_NOT_ENTERED);
		return NULL;
	}
	if (!way || !link) {
		if (!find_caller(context, &caller, &site, answer, &err))
			return err;
		if (!way &&
			((err = find_way(&caller, context, &site, budget, &way, answer)) || !way))
			return err;
		link = context->way ? 0 : way->sites.len;
		if (context->mistake && gives_up(context, &site, link)) {
			di_answer_gone(answer, DI_WHY_MISTAKE, .text = {"gdb"});
			return NULL;
		}
		if (context->mistake && !link && is_elsewhere(context, &where))
			return ask_site(&where, "the function around it", &site, wanted, budget,
				ret, answer);
	}
	/* The places of two frames were compared, or there is none any more. */
	if (link || wanted->entered.kind == DI_ENTERED_MEMORY)
		not_noted(context);
	if (!link)
		return ask_site(&caller, "the caller's frame", &site, wanted, budget, ret, answer);
	/* By the tail call before: where it was there is no frame any more. */
	struct di_context ended;
	di_context_init(&ended, context->target, context->stack, context->frame);
	ended.note = context->note;
	ended.trace_arg = context->trace_arg;
	ended.mistake = context->mistake;
	ended.way = way;
	ended.link = link - 1;
	if (context->mistake == DI_MISTAKE_GDB_ENDED_FRAME &&
		context->frame + 1 < context->stack->frames.len) {
		/* gdb has a frame for it, with the registers of the caller and what is left in
		 * others. */
		ended.frame++;
		ended.as_it_stands = true;
		ended.way = NULL;
	}
	site = way->sites.data[link - 1];
	di_context_note(context, "tail call in %s: call site .debug_info+0x%" PRIx64,
		way->from.data[link - 1]->name, (uint64_t)dwarf_dieoffset(&site));
	return ask_site(&ended, "the function that it ended", &site, wanted, budget, ret, answer);
}

struct xs_error *di_callsite_entry_value(struct di_context *context,
	const struct di_expr_source *source, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer)
{
	struct wanted wanted = {.source = source, .entered = di_entered_of(source)};
	return passed(context, &wanted, budget, ret, answer);
}

struct xs_error *di_callsite_parameter(struct di_context *context, Dwarf_Die *parameter,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	return passed(context, &(struct wanted){.parameter = parameter}, budget, ret, answer);
}
