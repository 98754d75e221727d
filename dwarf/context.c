#include "dwarf/context.h"

#include <dwarf.h>
#include <stdarg.h>

#include "dwarf/attribute.h"
#include "dwarf/tls.h"

static const struct di_frame *frame_of(const struct di_context *context)
{
	return &context->stack->frames.data[context->frame];
}

/* The unit as the evaluator wants it: with the bias of this process. */
static const struct di_expr_unit *unit_here(
	const struct di_context *context, const struct di_expr_unit *unit)
{
	/* Units belong to a module, and a module is loaded once. */
	struct di_unit *owner = unit->owner;
	owner->expr.bias = context->mapping->bias;
	return &owner->expr;
}

/* --- what is noted of it --- */

void di_context_note(const struct di_context *context, const char *format, ...)
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

static void note(struct di_context *context, enum di_read_kind kind, uint64_t what,
	const void *bytes, size_t size)
{
	if (context->reads)
		di_reads_note(context->reads, kind, context->outward, what, bytes, size);
}

/* Something mattered that is not noted. */
static void note_more(struct di_context *context)
{
	if (context->reads)
		context->reads->whole = false;
}

/* The pc mattered beyond the choice of the place. That of a caller is noted in any case. */
static void note_lookup(struct di_context *context)
{
	if (context->reads && !context->outward)
		context->reads->lookup = frame_of(context)->lookup;
}

/* --- what expressions ask --- */

static struct xs_error *ask_reg(
	void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits, struct di_answer *answer)
{
	struct di_context *context = arg;
	const struct di_frame *frame = frame_of(context);
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	if (context->way) {
		/* Not even one that calls preserve: clang names it by what it held before the
		 * epilogue gave it back. */
		note_more(context);
		di_answer_gone(answer, DI_WHY_ENDED_REGISTER);
		*bits = 64;
		return NULL;
	}
	if (reg < DI_REG_GENERAL && frame->known >> reg & 1) {
		*ret = di_wide_from_u(frame->value[reg]);
		*bits = 64;
		note(context, DI_READ_REGISTER, reg, &frame->value[reg], sizeof frame->value[reg]);
		return NULL;
	}
	if (context->frame && !context->as_it_stands &&
		(reg < DI_REG_RFLAGS || reg >= DI_REG_XMM16)) {
		di_answer_gone(answer, DI_WHY_REGISTER_NOT_SAVED, .number = {reg});
		note(context, DI_READ_REGISTER, reg, NULL, 0);
		return NULL;
	}
	if (reg > 255 || !context->target->reg(context->target->arg, (unsigned)reg, bytes, &size)) {
		di_answer_error(answer, DI_WHY_NO_REGISTER, .number = {reg});
		note_more(context);
		return NULL;
	}
	*ret = di_wide_from_bytes(bytes, size);
	*bits = size * 8;
	note(context, DI_READ_REGISTER, reg, bytes, size);
	return NULL;
}

static struct xs_error *ask_memory(void *arg, uint64_t space, xs_addr address, void *ret,
	size_t size, struct di_answer *answer)
{
	struct di_context *context = arg;
	if (space)
		di_answer_error(answer, DI_WHY_ADDRESS_SPACE, .number = {space});
	else if (!context->target->memory(context->target->arg, address, ret, size))
		di_answer_error(answer, DI_WHY_MEMORY_UNREADABLE, .number = {address});
	if (answer->state == DI_ANSWER_KNOWN)
		note(context, DI_READ_MEMORY, address, ret, size);
	else
		note_more(context);
	return NULL;
}

static struct xs_error *leaf_memory(
	void *arg, xs_addr address, void *ret, size_t size, struct di_answer *answer)
{
	return ask_memory(arg, 0, address, ret, size, answer);
}

static struct xs_error *ask_cfa(void *arg, xs_addr *ret, struct di_answer *answer)
{
	const struct di_frame *frame = frame_of(arg);
	if (frame->cfa_known) {
		*ret = frame->cfa;
		note(arg, DI_READ_CFA, 0, &frame->cfa, sizeof frame->cfa);
	} else {
		di_answer_error(answer, DI_WHY_NO_FRAME, .number = {frame->lookup});
		note_more(arg);
	}
	return NULL;
}

/* Works out DW_AT_frame_base: a register means its content, not its being the place. */
static struct xs_error *find_frame_base(struct di_context *context, struct di_expr_budget *budget)
{
	struct di_answer *answer = &context->frame_base_answer;
	struct di_place place;
	struct di_location location;
	struct xs_error *err;
	if (context->way) {
		di_answer_gone(answer, DI_WHY_ENDED_FRAME_BASE);
		return NULL;
	}
	if (!context->function) {
		di_answer_error(answer, DI_WHY_NO_FUNCTION);
		return NULL;
	}
	Dwarf_Die die = context->function->die;
	di_place_select(context->function->unit, &die, DW_AT_frame_base, frame_of(context)->lookup,
		&place, NULL, NULL);
	if (place.kind != DI_PLACE_EXPR) {
		di_answer_error(answer, DI_WHY_NO_FRAME_BASE, .text = {context->function->name});
		return NULL;
	}
	struct di_expr_request request = {
		.source = place.expr, .host = &context->expr, .budget = budget};
	unit_here(context, place.expr.unit);
	if ((err = di_expr_eval(&request, &location)))
		return err;
	di_answer_copy(answer, &location.answer);
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	const struct di_piece *piece = &location.piece[0];
	struct di_wide content;
	unsigned bits;
	if (location.composite || location.count != 1) {
		di_answer_error(answer, DI_WHY_FRAME_BASE_PIECES);
	} else if (piece->kind == DI_PIECE_MEMORY) {
		context->frame_base = piece->address;
	} else if (piece->kind == DI_PIECE_VALUE) {
		context->frame_base = di_value_u64(&piece->value);
	} else if (piece->kind == DI_PIECE_REGISTER) {
		if ((err = ask_reg(context, piece->reg, &content, &bits, answer)))
			return err;
		context->frame_base = content.limb[0];
	} else {
		di_answer_error(answer, DI_WHY_FRAME_BASE_NO_ADDRESS);
	}
	return NULL;
}

static struct xs_error *ask_frame_base(
	void *arg, struct di_expr_budget *budget, xs_addr *ret, struct di_answer *answer)
{
	struct di_context *context = arg;
	struct di_reads *reads = context->reads;
	struct xs_error *err = NULL;
	context->reads = NULL; /* what it comes to is all that matters */
	if (!context->frame_base_done)
		err = find_frame_base(context, budget);
	context->reads = reads;
	if (err)
		return err;
	context->frame_base_done = true;
	*ret = context->frame_base;
	di_answer_copy(answer, &context->frame_base_answer);
	if (answer->state == DI_ANSWER_KNOWN)
		note(context, DI_READ_FRAME_BASE, 0, ret, sizeof *ret);
	else
		note_more(context);
	return NULL;
}

static struct xs_error *ask_object(void *arg, xs_addr *ret, struct di_answer *answer)
{
	const struct di_context *context = arg;
	if (context->object)
		*ret = *context->object;
	else
		di_answer_error(answer, DI_WHY_NO_OBJECT);
	return NULL;
}

static struct xs_error *ask_tls(void *arg, const struct di_expr_unit *unit, uint64_t offset,
	xs_addr *ret, struct di_answer *answer)
{
	struct di_context *context = arg;
	(void)unit;
	note_more(context);
	di_tls_address(context->target, context->mapping, offset, ret, answer);
	return NULL;
}

static struct xs_error *ask_indexed(void *arg, const struct di_expr_unit *unit, uint64_t index,
	uint64_t *ret, struct di_answer *answer)
{
	(void)arg;
	if (!di_unit_address(unit->owner, index, ret))
		di_answer_error(answer, DI_WHY_NO_ADDRESS_ENTRY, .number = {index});
	return NULL;
}

static bool ask_discarded(void *arg, xs_addr address)
{
	const struct di_context *context = arg;
	return di_module_discarded(context->mapping->module, address);
}

static struct xs_error *ask_base_type(void *arg, const struct di_expr_unit *unit, uint64_t offset,
	struct di_base *ret, struct di_answer *answer)
{
	const struct di_unit *owner = unit->owner;
	Dwarf_Die die;
	(void)arg;
	if (!di_unit_die_at(owner, offset, &die)) {
		di_answer_error(answer, DI_WHY_NO_DIE, .number = {offset});
		return NULL;
	}
	const struct di_type *type = di_type_at(owner->module->types, &die);
	if (type->kind != DI_TYPE_BASE)
		di_answer_error(answer, DI_WHY_NO_BASE_TYPE, .number = {offset});
	*ret = type->base;
	return NULL;
}

static struct xs_error *ask_called(void *arg, const struct di_expr_unit *unit, uint64_t offset,
	struct di_expr_source *ret, struct di_answer *answer)
{
	struct di_context *context = arg;
	const struct di_unit *owner = unit->owner;
	Dwarf_Die die;
	struct di_place place;
	if (!di_unit_die_at(owner, offset, &die)) {
		di_answer_error(answer, DI_WHY_NO_DIE, .number = {offset});
		return NULL;
	}
	note_lookup(context);
	di_place_select(di_unit_of(owner->module, &die), &die, DW_AT_location,
		frame_of(context)->lookup, &place, NULL, NULL);
	*ret = (struct di_expr_source){.unit = unit};
	if (place.kind == DI_PLACE_BAD)
		di_answer_none(answer, DI_ANSWER_ERROR, &place.why);
	else if (place.kind == DI_PLACE_EXPR) {
		*ret = place.expr;
		ret->unit = unit_here(context, place.expr.unit);
	}
	return NULL;
}

static struct xs_error *ask_entry_value(void *arg, const struct di_expr_source *source,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	return di_callsite_entry_value(arg, source, budget, ret, answer);
}

static struct xs_error *ask_parameter(void *arg, const struct di_expr_unit *unit, uint64_t offset,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	Dwarf_Die die;
	if (di_unit_die_at(unit->owner, offset, &die))
		return di_callsite_parameter(arg, &die, budget, ret, answer);
	di_answer_error(answer, DI_WHY_NO_DIE, .number = {offset});
	return NULL;
}

static struct xs_error *ask_variable(void *arg, const struct di_expr_unit *unit, uint64_t offset,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	const struct di_unit *owner = unit->owner;
	Dwarf_Die die;
	if (di_unit_die_at(owner, offset, &die))
		return di_context_variable(
			arg, di_unit_of(owner->module, &die), &die, budget, ret, answer);
	di_answer_error(answer, DI_WHY_NO_DIE, .number = {offset});
	return NULL;
}

/* --- values ------------------------------------------------------------------------------- */

/* Evaluates to a value; initial, if there is one, is on the stack from the start. */
static struct xs_error *evaluate(struct di_context *context, const struct di_expr_source *source,
	struct di_expr_budget *budget, const struct di_value *initial, struct di_value *ret,
	struct di_answer *answer)
{
	struct di_location location;
	struct xs_error *err;
	struct di_expr_request request = {.source = *source,
		.host = &context->expr,
		.budget = budget,
		.as_value = true,
		.initial = initial,
		.initial_count = initial ? 1 : 0,
		.mistake = context->mistake};
	request.source.unit = unit_here(context, source->unit);
	if ((err = di_expr_eval(&request, &location)))
		return err;
	di_answer_copy(answer, &location.answer);
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	const struct di_piece *piece = &location.piece[0];
	struct di_base generic = di_base_generic(source->unit->address_size);
	struct di_wide content;
	unsigned bits;
	if (location.composite || location.count != 1) {
		di_answer_error(answer, DI_WHY_VALUE_IN_PIECES);
		return NULL;
	}
	switch (piece->kind) {
	case DI_PIECE_VALUE:
		*ret = piece->value;
		return NULL;
	case DI_PIECE_MEMORY:
		*ret = di_value_make(&generic, di_wide_from_u(piece->address));
		return NULL;
	case DI_PIECE_REGISTER:
		if ((err = ask_reg(context, piece->reg, &content, &bits, answer)))
			return err;
		*ret = di_value_make(&generic, di_wide_zext(content, generic.bits));
		return NULL;
	case DI_PIECE_BYTES:
		content = di_wide_from_bytes(piece->bytes.data, piece->bytes.size);
		*ret = di_value_make(&generic, di_wide_zext(content, generic.bits));
		return NULL;
	case DI_PIECE_EMPTY:
	case DI_PIECE_POINTER:
		di_answer_gone(answer, DI_WHY_PLACE_GONE);
		return NULL;
	}
	return NULL;
}

/* --- what leaves ask ---------------------------------------------------------------------- */

/* The DIE that attribute `at` of die refers to. */
static bool referred(Dwarf_Die *die, unsigned at, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	return di_attr_integrate(die, at, &attr) && di_formref_die(&attr, ret);
}

static struct xs_error *ask_number(void *arg, Dwarf_Die *die, unsigned at, const xs_addr *object,
	struct di_wide *ret, struct di_answer *answer)
{
	struct di_context *context = arg;
	const struct di_unit *unit = di_unit_of(context->mapping->module, die);
	Dwarf_Attribute attr;
	Dwarf_Die other;
	Dwarf_Sword constant;
	struct di_place place;
	struct di_value value;
	struct xs_error *err;
	if (!di_attr_integrate(die, at, &attr)) {
		di_answer_error(answer, DI_WHY_NUMBER_NOT_GIVEN);
		return NULL;
	}
	if (referred(die, at, &other)) {
		if (!(err = di_context_variable(context,
			      di_unit_of(context->mapping->module, &other), &other, NULL, &value,
			      answer)))
			*ret = di_value_number(&value);
		return err;
	}
	switch (dwarf_whatform(&attr)) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_implicit_const:
		if (dwarf_formsdata(&attr, &constant))
			di_answer_error(answer, DI_WHY_LIBDW, .text = {dwarf_errmsg(-1)});
		*ret = di_wide_from_s(constant);
		return NULL;
	default:
		break;
	}
	note_lookup(context);
	di_place_select(unit, die, at, frame_of(context)->lookup, &place, NULL, NULL);
	if (place.kind == DI_PLACE_BAD)
		di_answer_none(answer, DI_ANSWER_ERROR, &place.why);
	else if (place.kind != DI_PLACE_EXPR)
		di_answer_gone(answer, DI_WHY_NO_EXPRESSION);
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	/* A member's location begins with the address of the object it is a member of. */
	struct di_base generic = di_base_generic(unit->expr.address_size);
	struct di_value start = di_value_make(&generic, di_wide_from_u(object ? *object : 0));
	bool member = at == DW_AT_data_member_location && object;
	const xs_addr *before = context->object;
	context->object = object;
	err = evaluate(context, &place.expr, NULL, member ? &start : NULL, &value, answer);
	context->object = before;
	if (!err && answer->state == DI_ANSWER_KNOWN)
		*ret = di_value_number(&value);
	return err;
}

/* --- interface --- */

void di_context_init(struct di_context *context, const struct di_target *target,
	struct di_stack *stack, size_t frame)
{
	static const struct di_expr_host expr = {.reg = ask_reg,
		.memory = ask_memory,
		.frame_base = ask_frame_base,
		.cfa = ask_cfa,
		.object = ask_object,
		.tls = ask_tls,
		.indexed = ask_indexed,
		.discarded = ask_discarded,
		.base_type = ask_base_type,
		.called = ask_called,
		.entry_value = ask_entry_value,
		.parameter_ref = ask_parameter,
		.variable_value = ask_variable};
	static const struct di_leaf_host leaf = {
		.reg = ask_reg, .memory = leaf_memory, .number = ask_number};
	const struct di_frame *at = &stack->frames.data[frame];
	context->target = target;
	context->stack = stack;
	context->frame = frame;
	context->mapping = at->mapping;
	context->function = NULL;
	context->as_it_stands = false;
	context->strict = false;
	context->object = NULL;
	context->trace = NULL;
	context->trace_arg = NULL;
	context->reads = NULL;
	context->outward = 0;
	context->note = NULL;
	context->way = NULL;
	context->link = 0;
	context->mistake = DI_MISTAKE_NONE;
	context->inlined = false;
	context->frame_base_done = false;
	context->expr = expr;
	context->expr.arg = context;
	context->leaf = leaf;
	context->leaf.arg = context;
	if (at->mapping) {
		const struct di_scopes *scopes = di_scopes_at(at->mapping->module, at->lookup);
		if (scopes->activations.len)
			context->function =
				scopes->activations.data[scopes->activations.len - 1].function;
	}
}

bool di_context_caller(const struct di_context *context, unsigned outward, struct di_context *ret)
{
	size_t frame = context->frame + outward;
	if (frame >= context->stack->frames.len)
		return false;
	di_context_init(ret, context->target, context->stack, frame);
	/* The producer names only what survives the call. */
	ret->as_it_stands = !context->strict;
	ret->strict = context->strict;
	ret->reads = context->reads;
	ret->outward = context->outward + outward;
	return true;
}

void di_context_mistake(struct di_context *context, enum di_mistake mistake)
{
	context->mistake = context->leaf.mistake = mistake;
	/* Both take a register that no rule speaks of for what it is in the callee. */
	context->as_it_stands = mistake == DI_MISTAKE_GDB_CALLEE_LEFTOVER ||
				mistake == DI_MISTAKE_LLDB_CALLEE_LEFTOVER;
}

static struct xs_error *locate(struct di_context *context, const struct di_place *place,
	struct di_expr_budget *budget, struct di_location *ret)
{
	struct di_expr_request request = {.source = place->expr,
		.host = &context->expr,
		.budget = budget,
		.trace = context->trace,
		.trace_arg = context->trace_arg,
		.mistake = context->mistake};
	ret->composite = ret->uninitialized = false;
	ret->count = 0;
	di_answer_known(&ret->answer);
	switch (place->kind) {
	case DI_PLACE_EXPR:
		request.source.unit = unit_here(context, place->expr.unit);
		return di_expr_eval(&request, ret);
	case DI_PLACE_CONSTANT:
		ret->count = 1;
		ret->piece[0] = (struct di_piece){.kind = DI_PIECE_BYTES,
			.bytes = {place->bytes ? place->bytes : place->number, place->size}};
		return NULL;
	case DI_PLACE_NONE:
		di_answer_gone(&ret->answer, DI_WHY_NO_LOCATION);
		return NULL;
	case DI_PLACE_ELSEWHERE:
		di_answer_gone(&ret->answer, DI_WHY_NOT_LIVE);
		return NULL;
	case DI_PLACE_BAD:
		di_answer_none(&ret->answer, DI_ANSWER_ERROR, &place->why);
		return NULL;
	}
	return NULL;
}

struct xs_error *di_context_locate(
	struct di_context *context, const struct di_place *place, struct di_location *ret)
{
	return locate(context, place, NULL, ret);
}

struct xs_error *di_context_value(struct di_context *context, const struct di_expr_source *source,
	struct di_expr_budget *budget, struct di_value *ret, struct di_answer *answer)
{
	return evaluate(context, source, budget, NULL, ret, answer);
}

struct xs_error *di_context_variable(struct di_context *context, const struct di_unit *unit,
	Dwarf_Die *die, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer)
{
	struct di_place place;
	struct di_location location;
	struct xs_error *err;
	const struct di_type *type = di_type_of(unit->module->types, die);
	if (type->kind != DI_TYPE_BASE && type->kind != DI_TYPE_ENUM &&
		type->kind != DI_TYPE_POINTER) {
		di_answer_error(answer, DI_WHY_NOT_A_NUMBER, .text = {type->name});
		return NULL;
	}
	note_lookup(context);
	di_place_of_variable(unit, die, frame_of(context)->lookup, &place, NULL, NULL);
	di_expr_trace *trace = context->trace;
	context->trace = NULL;
	err = locate(context, &place, budget, &location);
	context->trace = trace;
	if (err)
		return err;
	di_answer_copy(answer, &location.answer);
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	struct di_wide bits;
	if ((err = di_location_bits(&context->leaf, &location, 0, type->base.bits, &bits, answer)))
		return err;
	if (answer->state == DI_ANSWER_KNOWN)
		*ret = di_value_make(&type->base, bits);
	return NULL;
}
