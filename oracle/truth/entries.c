#include "oracle/truth/entries.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/callsite.h"
#include "dwarf/context.h"
#include "dwarf/entered.h"
#include "dwarf/op.h"
#include "dwarf/tailcall.h"
#include "dwarf/words.h"

static const struct ora_check_rule rules[] = {
	{ORA_RULE_CALL_SITE, "a parameter of a call site has the value that was passed"},
	{ORA_RULE_ENTRY_VALUE,
		"an entry value is what the register held when the function was entered"},
};
static const char parameters[] = "parameters of call sites", values[] = "entry values";

/* The variables at a pc whose place has an entry value in it. */
struct list {
	XS_VEC(struct entry {
		const struct di_variable *variable;
		struct di_place place;
	})
	entries;
};

struct ora_entries {
	struct xs_map pcs; /* link-time pc -> index into lists, plus 1 */
	XS_VEC(struct list *) lists;
	struct xs_map waiting; /* (activation, pc): was looked at while it waits there */
};

void ora_entries_destroy(struct ora_entries *entries)
{
	if (!entries)
		return;
	for (size_t i = 0; i < entries->lists.len; i++) {
		xs_vec_deinit(&entries->lists.data[i]->entries);
		free(entries->lists.data[i]);
	}
	xs_vec_deinit(&entries->lists);
	xs_map_deinit(&entries->pcs);
	xs_map_deinit(&entries->waiting);
	free(entries);
}

/* --- how much of a value counts --------------------------------------------------------------- */

/* The out-of-line function at a link-time pc, NULL if the DWARF has none. */
static const struct di_block *function_at(struct di_module *module, xs_addr pc)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	size_t count = scopes->activations.len;
	return count ? scopes->activations.data[count - 1].function : NULL;
}

/* The size of the parameter that is in this register at the function's entry; 0: unknown. */
static unsigned size_in(const struct di_block *function, uint64_t reg)
{
	for (size_t i = 0; function && i < function->variables.len; i++) {
		const struct di_variable *one = &function->variables.data[i];
		Dwarf_Die die = one->die;
		struct di_place place;
		bool scalar = one->type->kind == DI_TYPE_BASE || one->type->kind == DI_TYPE_ENUM ||
			      one->type->kind == DI_TYPE_POINTER;
		if (!one->parameter || !scalar || !one->type->size_known)
			continue;
		di_place_of_variable(one->unit, &die, function->entry, &place, NULL, NULL);
		if (place.kind != DI_PLACE_EXPR)
			continue;
		struct di_entered its = di_entered_place(&place.expr);
		if (its.kind == DI_ENTERED_REGISTER && its.reg == reg)
			return (unsigned)one->type->size;
	}
	return 0;
}

enum same { SAME, DIFFERENT, UNKNOWN };

static uint64_t mask_of(uint64_t bits)
{
	return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

/* Rule 3. */
static enum same compare(const struct di_value *given, uint64_t truth, unsigned size)
{
	uint64_t differ = (given->bits.limb[0] ^ truth) & mask_of(given->type.bits);
	if (!(differ & mask_of(size ? 8 * size : 64)))
		return SAME;
	return size || differ & mask_of(8) ? DIFFERENT : UNKNOWN;
}

/* --- E1: the parameters of a call site -------------------------------------------------------- */

/* A context in which entry values are the true ones. */
struct host {
	struct di_context context; /* first: callbacks get its address */
	const uint64_t *entered;   /* NULL: not known */
};

static struct xs_error *true_entry_value(void *arg, const struct di_expr_source *source,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	const struct host *host = arg;
	struct di_entered named = di_entered_of(source);
	struct di_base generic = di_base_generic(8);
	(void)budget;
	if (host->entered && named.kind == DI_ENTERED_REGISTER && !named.typed &&
		named.reg < DI_REG_RIP)
		*ret = di_value_make(&generic, di_wide_from_u(host->entered[named.reg]));
	else
		di_answer_gone(answer, DI_WHY_CALLER_UNKNOWN);
	return NULL;
}

/* A call of which the callee is at its first instruction. */
struct call {
	const struct ora_stop *stop;
	const struct ora_activation *callee;
	bool tail;             /* by a jump */
	xs_addr at;            /* link-time address of the call or the jump */
	xs_addr behind;        /* of what follows it */
	struct di_stack stack; /* two frames: whatever is called, and where the call was */
	struct host host;
	const struct di_block *called;
};

/* Where the call was, by what is true of it; false: that is not known. */
static bool place_call(struct ora_frames_run *run, const struct ora_stop *stop, struct call *call)
{
	const struct ora_shadow *shadow = &run->shadow;
	const struct ora_activation *callee = ora_shadow_top(shadow);
	struct di_frame frame = {.known = 1u << DI_REG_RSP | 1u << DI_REG_RIP, .cfa_known = true};
	if (!callee || stop->place->pc + run->bias != callee->entered[DI_REG_RIP] ||
		!callee->entered_known ||
		memcmp(&callee->entered[DI_REG_RSP], &callee->slot, sizeof callee->slot) != 0)
		return false;
	call->tail = callee->tail != XS_ADDR_NONE;
	if (!call->tail && (callee->came != ORA_CAME_CALL || !callee->joined))
		return false;
	const struct ora_activation *caller = call->tail ? callee : callee - 1;
	call->stop = stop;
	call->callee = callee;
	call->at = (call->tail ? callee->tail : caller->held_at) - run->bias;
	const struct ora_code *code = ora_codes_at(&run->codes, call->at);
	call->behind = code->next;
	frame.pc = call->behind + run->bias;
	frame.lookup = call->at;
	frame.mapping = stop->target->find(stop->target->arg, call->at + run->bias);
	frame.cfa = caller->slot + 8;
	for (unsigned reg = 0; reg < DI_REG_RIP; reg++)
		if (ora_is_preserved(reg)) {
			frame.value[reg] = callee->entered[reg];
			frame.known |= 1u << reg;
		}
	frame.value[DI_REG_RSP] = callee->slot + (call->tail ? 0 : 8);
	frame.value[DI_REG_RIP] = frame.pc;
	if (!frame.mapping || frame.mapping->module != run->module)
		return false;
	xs_vec_push(&call->stack.frames, frame);
	xs_vec_push(&call->stack.frames, frame);
	call->stack.end = DI_STACK_OUTERMOST;
	di_context_init(&call->host.context, stop->target, &call->stack, 1);
	call->host.context.expr.entry_value = true_entry_value;
	if (call->tail ? callee->ended_known : caller->entered_known)
		call->host.entered = call->tail ? callee->ended : caller->entered;
	call->called = function_at(run->module, stop->place->pc);
	return call->host.context.function;
}

/* Whether the call itself entered the function. What it went to otherwise, and nobody steps, may
 * have jumped to a function that it was given, with parameters of its own: registers that calls
 * need not preserve may then hold anything, so that only the place of a jump's target that they
 * have no part in is read here. */
static bool went_straight(
	struct ora_frames_run *run, const struct call *call, const struct ora_code *code)
{
	const struct eng_insn *insn = &code->insn;
	xs_addr pc = call->stop->place->pc + run->bias;
	if (insn->kind == ENG_INSN_INDIRECT_CALL)
		return run->called_at == code->pc && run->called == pc;
	if (insn->kind == ENG_INSN_INDIRECT_JUMP)
		return insn->memory && insn->base == ENG_INSN_RIP &&
		       insn->index == ENG_INSN_NO_REG &&
		       ora_code_goal(code, call->callee->entered, run->bias, call->stop->target) ==
			       pc;
	return code->target + run->bias == pc;
}

/* What was passed where a parameter is said to be passed; false: nobody knows. */
static bool read_passed(const struct call *call, const struct di_entered *where, bool data,
	uint64_t *ret, unsigned *size)
{
	const struct di_target *target = call->stop->target;
	uint8_t bytes[DI_REG_BYTES];
	unsigned have;
	xs_addr address;
	*size = 0;
	if (where->kind == DI_ENTERED_REGISTER && where->reg < DI_REG_RIP) {
		*ret = call->callee->entered[where->reg];
		if (!data) {
			*size = size_in(call->called, where->reg);
			return true;
		}
		address = *ret;
	} else if (where->kind == DI_ENTERED_REGISTER && !data && where->reg >= DI_REG_XMM0 &&
		   where->reg < DI_REG_ST0) {
		if (!target->reg(target->arg, (unsigned)where->reg, bytes, &have) || have < 8)
			return false;
		memcpy(ret, bytes, 8);
		*size = size_in(call->called, where->reg);
		return true;
	} else if (where->kind == DI_ENTERED_MEMORY && where->reg == DI_REG_RSP) {
		address = call->stack.frames.data[1].value[DI_REG_RSP] + (uint64_t)where->offset;
	} else {
		return false;
	}
	return target->memory(target->arg, address, ret, sizeof *ret);
}

static void leave_parameter(struct ora_frames_run *run, const char *reason)
{
	ora_asked_leave(&run->check->asked, ORA_RULE_CALL_SITE, parameters, reason, 1);
}

static void tell_parameter(struct ora_frames_run *run, const struct call *call, Dwarf_Die *die,
	const struct di_place *place, const char *passed_in, unsigned attribute,
	const struct di_value *given, uint64_t truth, unsigned size)
{
	const struct ora_place *at =
		ora_subject_place(run->recording.run.subject, call->at + run->bias);
	uint64_t mask = mask_of(size ? 8 * size : 8) & mask_of(given->type.bits);
	char expr[300];
	bool fresh;
	struct ora_told told = ora_frames_told(run, call->stop);
	XS_AUTO_FREE char *key = xs_asprintf("0x%" PRIx64 " %s", call->at, passed_in);
	XS_AUTO_FREE char *instruction = ora_frames_instruction(run, call->at);
	const char *name = call->called ? call->called->name : "the function";
	struct ora_violation violation = {.rule = &rules[0],
		.kind = ORA_KIND_LIE,
		.why = call->tail ? "wrong-call-value-tail-call" : "wrong-call-value",
		.place = key,
		.told = &told,
		.frame = !call->tail,
		.frame_pc = call->tail ? call->stop->place->pc : call->at,
		.file = at->file,
		.function = at->function,
		.line = at->row ? at->row->line : 0};
	size_t index = ora_check_violate(run->check, ORA_FRAMES_XSTEP, &violation, &fresh);
	if (!fresh)
		return;
	XS_AUTO_FREE char *true_text = xs_asprintf("%s = 0x%" PRIx64, passed_in, truth & mask);
	XS_AUTO_FREE char *given_text =
		xs_asprintf("%s = 0x%" PRIx64, passed_in, given->bits.limb[0] & mask);
	ora_check_say(run->check, index, ORA_FRAMES_TRUTH, ORA_STATE_VALUE, true_text);
	ora_check_say(run->check, index, ORA_FRAMES_XSTEP, ORA_STATE_VALUE, given_text);
	di_op_text_all(place->expr.unit, place->expr.data, place->expr.size, expr, sizeof expr);
	ora_check_explain(run->check, index,
		xs_asprintf("%s %s entered %s with 0x%" PRIx64
			    " in %s; by the call site it was 0x%" PRIx64,
			call->tail ? "the tail call" : "the call", instruction, name, truth & mask,
			passed_in, given->bits.limb[0] & mask),
		xs_asprintf(".debug_info+0x%" PRIx64 ": %s: %s: %s", (uint64_t)dwarf_dieoffset(die),
			passed_in, di_callsite_attribute(attribute), expr));
}

/* One attribute of a DW_TAG_call_site_parameter. */
static struct xs_error *ask_parameter(
	struct ora_frames_run *run, struct call *call, Dwarf_Die *die, unsigned at, bool data)
{
	struct di_context *context = &call->host.context;
	const struct di_unit *unit = di_unit_of(run->module, die);
	struct di_place location, place;
	struct di_value given;
	struct di_answer answer;
	struct xs_error *err;
	uint64_t truth;
	unsigned size;
	char passed_in[40];
	if (!dwarf_hasattr(die, at))
		return NULL;
	di_place_select(unit, die, DW_AT_location, call->at, &location, NULL, NULL);
	di_place_select(unit, die, at, call->at, &place, NULL, NULL);
	if (location.kind != DI_PLACE_EXPR || place.kind != DI_PLACE_EXPR) {
		leave_parameter(run, "without a place and an expression");
		return NULL;
	}
	struct di_entered where = di_entered_place(&location.expr);
	di_answer_known(&answer);
	if ((err = di_context_value(context, &place.expr, NULL, &given, &answer)))
		return err;
	bool known = read_passed(call, &where, data, &truth, &size);
	bool vector = where.kind == DI_ENTERED_REGISTER && where.reg >= DI_REG_XMM0;
	enum same same =
		known && answer.state == DI_ANSWER_KNOWN ? compare(&given, truth, size) : UNKNOWN;
	if (answer.state != DI_ANSWER_KNOWN)
		leave_parameter(run, "whose value nothing that survives the call tells");
	else if (!known || (vector && given.type.kind != DI_BASE_FLOAT))
		leave_parameter(run, "that are passed elsewhere than in registers or on the stack");
	else if (same == UNKNOWN)
		leave_parameter(run, "that differ where a parameter of unknown size may end");
	else
		ora_asked_add(&run->check->asked, ORA_RULE_CALL_SITE, parameters, 1);
	if (answer.state != DI_ANSWER_KNOWN || !known || same != DIFFERENT ||
		(vector && given.type.kind != DI_BASE_FLOAT))
		return NULL;
	if (where.kind == DI_ENTERED_REGISTER)
		snprintf(passed_in, sizeof passed_in, "%s%s", data ? "*" : "",
			di_register_name(where.reg));
	else
		snprintf(passed_in, sizeof passed_in, "*(RSP+%" PRId64 ")", where.offset);
	tell_parameter(run, call, die, &place, passed_in, at, &given, truth, size);
	return NULL;
}

static struct xs_error *ask_site(struct ora_frames_run *run, struct call *call)
{
	struct xs_error *err = NULL;
	Dwarf_Die site, child;
	if (!di_callsite_find(run->module, call->host.context.function, call->behind, &site) ||
		di_call_site_is_tail(&site) != call->tail || dwarf_child(&site, &child))
		return NULL;
	if (!went_straight(run, call, ora_codes_at(&run->codes, call->at))) {
		leave_parameter(run, "of calls that led through code that is not stepped");
		return NULL;
	}
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_call_site_parameter:
			if (!(err = ask_parameter(run, call, &child, DW_AT_call_value, false)))
				err = ask_parameter(run, call, &child, DW_AT_call_data_value, true);
			break;
		case DW_TAG_GNU_call_site_parameter:
			if (!(err = ask_parameter(
				      run, call, &child, DW_AT_GNU_call_site_value, false)))
				err = ask_parameter(
					run, call, &child, DW_AT_GNU_call_site_data_value, true);
			break;
		default:
			break;
		}
	} while (!err && !dwarf_siblingof(&child, &child));
	return err;
}

static struct xs_error *look_at_call(struct ora_frames_run *run, const struct ora_stop *stop)
{
	struct call call = {0};
	struct xs_error *err = NULL;
	if (place_call(run, stop, &call))
		err = ask_site(run, &call);
	di_stack_deinit(&call.stack);
	return err;
}

/* --- E2: entry values that variables are worked out by ---------------------------------------- */

/* Whether an expression may have an entry value in it. */
static bool may_have(const struct di_place *place)
{
	return place->kind == DI_PLACE_EXPR && di_entered_may_be_in(&place->expr);
}

static const struct list *list_at(struct ora_frames_run *run, xs_addr pc)
{
	if (!run->entries)
		run->entries = xs_calloc(1, sizeof *run->entries);
	uint64_t *index = xs_map_at(&run->entries->pcs, pc, 0);
	if (*index)
		return run->entries->lists.data[*index - 1];
	struct list *list = xs_calloc(1, sizeof *list);
	const struct di_scopes *scopes = di_scopes_at(run->module, pc);
	for (size_t i = 0; i < scopes->locals.len; i++) {
		struct entry entry = {.variable = scopes->locals.data[i].variable};
		Dwarf_Die die = entry.variable->die;
		di_place_of_variable(entry.variable->unit, &die, pc, &entry.place, NULL, NULL);
		if (may_have(&entry.place))
			xs_vec_push(&list->entries, entry);
	}
	xs_vec_push(&run->entries->lists, list);
	*index = run->entries->lists.len;
	return list;
}

/* A frame in which variables are worked out. */
struct looking {
	struct di_context context; /* first: callbacks get its address */
	struct ora_frames_run *run;
	const struct ora_stop *stop;
	const struct ora_activation *activation;
	size_t frame;
	const struct entry *entry;
};

static void leave_value(struct looking *looking, const char *reason)
{
	ora_asked_leave(&looking->run->check->asked, ORA_RULE_ENTRY_VALUE, values, reason, 1);
}

static void tell_value(struct looking *looking, const struct di_entered *named,
	const struct di_value *given, uint64_t truth, unsigned size)
{
	struct ora_frames_run *run = looking->run;
	const struct di_frame *frame = &run->stack.frames.data[looking->frame];
	const struct di_variable *variable = looking->entry->variable;
	const struct ora_store_variable stored = ora_variable_of(variable);
	const struct ora_place *at =
		ora_subject_place(run->recording.run.subject, frame->lookup + run->bias);
	uint64_t mask = mask_of(size ? 8 * size : 8) & mask_of(given->type.bits);
	const char *reg = di_register_name(named->reg);
	char expr[300];
	bool fresh;
	struct ora_told told = ora_frames_told(run, looking->stop);
	struct ora_violation violation = {.rule = &rules[1],
		.kind = ORA_KIND_LIE,
		.why = looking->activation->tail == XS_ADDR_NONE ? "wrong-entry-value"
								 : "wrong-entry-value-tail-call",
		.told = &told,
		.frame = (unsigned)looking->frame,
		.frame_pc = frame->lookup,
		.file = at->file,
		.function = at->function,
		.line = at->row ? at->row->line : 0,
		.variable = &stored};
	size_t index = ora_check_violate(run->check, ORA_FRAMES_XSTEP, &violation, &fresh);
	if (!fresh)
		return;
	XS_AUTO_FREE char *true_text = xs_asprintf("%s at entry = 0x%" PRIx64, reg, truth & mask);
	XS_AUTO_FREE char *given_text =
		xs_asprintf("%s at entry = 0x%" PRIx64, reg, given->bits.limb[0] & mask);
	ora_check_say(run->check, index, ORA_FRAMES_TRUTH, ORA_STATE_VALUE, true_text);
	ora_check_say(run->check, index, ORA_FRAMES_XSTEP, ORA_STATE_VALUE, given_text);
	const struct di_place *place = &looking->entry->place;
	di_op_text_all(place->expr.unit, place->expr.data, place->expr.size, expr, sizeof expr);
	ora_check_explain(run->check, index,
		xs_asprintf("%s is worked out by what %s held when %s was entered, 0x%" PRIx64
			    "; the call site in its caller says 0x%" PRIx64,
			variable->name, reg, at->function ? at->function : "the function",
			truth & mask, given->bits.limb[0] & mask),
		xs_asprintf("%s: %s", variable->name, expr));
}

/* What the evaluator says of an entry value, and whether that is so. */
static struct xs_error *ask_value(void *arg, const struct di_expr_source *source,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	struct looking *looking = arg;
	struct di_entered named = di_entered_of(source);
	struct xs_error *err =
		di_callsite_entry_value(&looking->context, source, budget, ret, answer);
	if (err)
		return err;
	if (answer->state != DI_ANSWER_KNOWN) {
		leave_value(looking, "that no call site tells");
	} else if (named.kind != DI_ENTERED_REGISTER || named.reg >= DI_REG_RIP) {
		leave_value(looking, "of memory or wide registers");
	} else {
		unsigned size = size_in(looking->context.function, named.reg);
		uint64_t truth = looking->activation->entered[named.reg];
		enum same same = compare(ret, truth, size);
		if (same == UNKNOWN)
			leave_value(
				looking, "that differ where a parameter of unknown size may end");
		else
			ora_asked_add(&looking->run->check->asked, ORA_RULE_ENTRY_VALUE, values, 1);
		if (same == DIFFERENT)
			tell_value(looking, &named, ret, truth, size);
	}
	return NULL;
}

static struct xs_error *look_at_frame(
	struct ora_frames_run *run, const struct ora_stop *stop, const struct ora_frames_pair *pair)
{
	const struct di_frame *frame = &run->stack.frames.data[pair->frame];
	const struct ora_activation *activation = &run->shadow.stack.data[pair->activation];
	if (!frame->mapping || frame->mapping->module != run->module)
		return NULL;
	const struct list *list = list_at(run, frame->lookup);
	struct xs_error *err = NULL;
	/* Nothing changes in one that waits. */
	if (!list->entries.len || (pair->frame && (*xs_map_at(&run->entries->waiting,
							  activation->serial, frame->pc))++))
		return NULL;
	for (size_t i = 0; !err && i < list->entries.len; i++) {
		struct looking looking = {.run = run,
			.stop = stop,
			.activation = activation,
			.frame = pair->frame,
			.entry = &list->entries.data[i]};
		struct di_location location;
		if (!activation->entered_known) {
			leave_value(&looking, "of a function whose entry was not seen");
			continue;
		}
		di_context_init(&looking.context, stop->target, &run->stack, pair->frame);
		looking.context.strict = true;
		looking.context.expr.entry_value = ask_value;
		err = di_context_locate(&looking.context, &looking.entry->place, &location);
	}
	return err;
}

struct xs_error *ora_entries_look(struct ora_frames_run *run, const struct ora_stop *stop)
{
	struct xs_error *err = look_at_call(run, stop);
	/* A frame whose caller is wrong tells nothing of what it was called with. */
	size_t count = run->frames.pairs.len - (run->frames.flaw || run->frames.ended);
	for (size_t i = 0; !err && run->frames.pairs.len && i < count; i++)
		err = look_at_frame(run, stop, &run->frames.pairs.data[i]);
	return err;
}
