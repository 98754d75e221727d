#include "dwarf/expr.h"

#include <dwarf.h>

#include "dwarf/scalar.h"

/* An evaluation under way. Handlers return false when it must stop: trouble is set, or answer says
 * what is the matter. */
struct machine {
	const struct di_expr_request *request;
	const struct di_expr_host *host;
	struct di_location *location; /* pieces done so far; its answer is written at the end */
	struct di_expr_budget *budget;
	const struct di_expr_source *source; /* expression that runs */
	struct di_base generic;              /* its unit's generic type */
	struct di_op op;                     /* operator that runs */
	size_t next;                         /* offset of the operator after it */
	unsigned depth;                      /* DW_OP_call nesting */
	struct xs_error *trouble;            /* from a callback; owned */
	bool placed;                         /* place is set: only a piece may follow */
	bool busy;                           /* the piece being worked out has begun */
	bool lost;                           /* it is optimized out: skip to its end */
	bool tainted;                        /* an earlier one was: its values are missing */
	bool over;                           /* location->answer is final */
	bool discarded;                      /* it begins with an address that is none */
	bool filed;                          /* LLDB_PIECE: the place is as the file has it */
	size_t count;                        /* values on the stack */
	/* Not cleared at the start: that would cost more than most expressions do. */
	struct di_answer answer;   /* about the operator that runs */
	struct di_answer lost_for; /* why the first one was lost; known if none was */
	struct di_piece place;     /* register or implicit place */
	struct di_value stack[DI_EXPR_STACK];
};

/* --- the stack ------------------------------------------------------------------------------ */

/* The table's arity was checked before the handler ran, so neither can go wrong. */
static struct di_value *top(struct machine *m, size_t below)
{
	return &m->stack[m->count - 1 - below];
}

static bool push(struct machine *m, const struct di_value *value)
{
	m->stack[m->count++] = *value;
	return true;
}

static bool push_generic(struct machine *m, uint64_t number)
{
	uint64_t mask = UINT64_MAX >> (64 - m->generic.bits);
	m->stack[m->count++] =
		(struct di_value){.type = m->generic, .bits = di_wide_from_u(number & mask)};
	return true;
}

static bool too_few(struct machine *m)
{
	if (m->tainted)
		return di_answer_gone(&m->answer, DI_WHY_LOST_WITH_PIECE);
	return di_answer_error(&m->answer, DI_WHY_STACK_UNDERFLOW, .number = {m->count});
}

/* Whether the value below the top by so many is an integer; if not, the answer says so. */
static bool need_integral(struct machine *m, size_t below)
{
	if (di_value_is_integral(top(m, below)))
		return true;
	return di_answer_error(
		&m->answer, DI_WHY_NOT_AN_INTEGER, .number = {di_base_pack(&top(m, below)->type)});
}

/* --- asking the host ------------------------------------------------------------------------- */

static bool answered(struct machine *m, struct xs_error *err)
{
	m->trouble = err;
	return !err && m->answer.state == DI_ANSWER_KNOWN;
}

static bool nobody_knows(struct machine *m, const char *what)
{
	return di_answer_error(&m->answer, DI_WHY_NOBODY_KNOWS, .text = {what});
}

static bool ask_register(struct machine *m, uint64_t reg, struct di_wide *ret, unsigned *bits)
{
	if (!m->host->reg)
		return nobody_knows(m, "a register");
	return answered(m, m->host->reg(m->host->arg, reg, ret, bits, &m->answer));
}

/* The base type that operand i names. */
static bool ask_type(struct machine *m, unsigned i, struct di_base *ret)
{
	const struct di_expr_unit *unit = m->source->unit;
	uint64_t die = unit->die_base + m->op.operand[i];
	if (m->op.operand[i] == 0) { /* the generic type, but only to turn a value into it */
		if (m->op.info->pops == 0 || m->op.info->class != DI_OP_TYPED)
			return di_answer_error(&m->answer, DI_WHY_BASE_TYPE_NEEDED);
		*ret = m->generic;
		return true;
	}
	if (!m->host->base_type)
		return nobody_knows(m, "a base type");
	*ret = (struct di_base){0};
	if (!answered(m, m->host->base_type(m->host->arg, unit, die, ret, &m->answer)))
		return false;
	ret->die = die;
	return di_base_check(ret, &m->answer);
}

/* Reads a value of this type and size from memory. */
static bool ask_memory(struct machine *m, const struct di_base *type, uint64_t space,
	xs_addr address, size_t size, struct di_value *ret)
{
	uint8_t bytes[DI_WIDE_BYTES];
	if (!m->host->memory)
		return nobody_knows(m, "memory");
	if (!answered(m, m->host->memory(m->host->arg, space, address, bytes, size, &m->answer)))
		return false;
	*ret = di_value_make(type, di_wide_from_bytes(bytes, size));
	return true;
}

/* --- operators, by class --------------------------------------------------------------------- */

static bool do_constant(struct machine *m)
{
	bool implied = m->op.info->form[0] == DI_OPERAND_NONE;
	return push_generic(m, implied ? m->op.info->implied : m->op.operand[0]);
}

/* An address of the program's, as the file has it. What was discarded has none; but to have the
 * null of a weak symbol for a value is fine, so that it depends on what becomes of it. */
static bool push_address(struct machine *m, xs_addr address)
{
	/* lldb takes it for an address as others are, and so does gdb in a unit that it reads when
	 * the program runs already: in most programs, the ELF header is there. */
	if (m->host->discarded && m->request->mistake != DI_MISTAKE_LLDB_DISCARDED &&
		m->request->mistake != DI_MISTAKE_GDB_DISCARDED &&
		m->host->discarded(m->host->arg, address))
		m->discarded = true;
	return push_generic(m, address + m->source->unit->bias);
}

static bool do_address(struct machine *m)
{
	const struct di_expr_unit *unit = m->source->unit;
	uint64_t number = m->op.operand[0];
	if (m->op.code == DW_OP_addr) {
		/* Some gcc versions say addr where they mean an offset in thread-local storage. */
		bool tls = m->next < m->source->size &&
			   m->source->data[m->next] == DW_OP_GNU_push_tls_address;
		return tls ? push_generic(m, number) : push_address(m, number);
	}
	if (m->op.code == DW_OP_GNU_encoded_addr) {
		/* Relative to what, only the dead tools knew that emitted it. */
		if (number & 0xf0)
			return di_answer_error(&m->answer, DI_WHY_RELATIVE_ADDRESS);
		return push_generic(m, m->op.operand[1] + unit->bias);
	}
	if (!m->host->indexed)
		return nobody_knows(m, ".debug_addr");
	if (!answered(
		    m, m->host->indexed(m->host->arg, unit, m->op.operand[0], &number, &m->answer)))
		return false;
	bool constant = m->op.code == DW_OP_constx || m->op.code == DW_OP_GNU_const_index;
	/* lldb moves that of DW_OP_addr to where the program was loaded, and not this one. */
	constant |= m->request->mistake == DI_MISTAKE_LLDB_UNRELOCATED;
	return constant ? push_generic(m, number) : push_address(m, number);
}

/* Names the place of the object or piece. Such an operator stands alone in its description. */
static bool set_place(struct machine *m, struct di_piece place)
{
	if (m->busy)
		return di_answer_error(&m->answer, DI_WHY_PLACE_NOT_ALONE);
	m->place = place;
	m->placed = true;
	return true;
}

static uint64_t register_number(const struct di_op *op)
{
	return op->info->form[0] == DI_OPERAND_REG ? op->operand[0] : op->info->implied;
}

static bool do_register(struct machine *m)
{
	return set_place(
		m, (struct di_piece){.kind = DI_PIECE_REGISTER, .reg = register_number(&m->op)});
}

static bool do_based(struct machine *m)
{
	struct di_wide content = {0};
	unsigned bits = 0;
	if (!ask_register(m, register_number(&m->op), &content, &bits))
		return false;
	bool indexed = m->op.info->form[0] == DI_OPERAND_REG;
	return push_generic(m, content.limb[0] + m->op.operand[indexed ? 1 : 0]);
}

static bool do_stack(struct machine *m)
{
	return di_value_shuffle(m->op.code, m->op.operand[0], m->stack, &m->count) || too_few(m);
}

/* deref, deref_size and deref_type; the x-forms have an address space below the address. */
static bool do_deref(struct machine *m)
{
	struct di_base type = m->generic;
	uint64_t size = m->generic.bytes, space = 0;
	bool sized = m->op.info->form[0] == DI_OPERAND_U1;
	bool typed = m->op.info->form[1] == DI_OPERAND_TYPE;
	if (sized)
		size = m->op.operand[0];
	if (typed && !ask_type(m, 1, &type))
		return false;
	if (typed && size != type.bytes)
		return di_answer_error(&m->answer, DI_WHY_TYPE_SIZE, .number = {type.bytes});
	/* No size is not forbidden in so many words; too large a size is. */
	if (size == 0)
		return di_answer_error(&m->answer, DI_WHY_NO_BYTES);
	if (!typed && size > m->generic.bytes)
		return di_answer_error(&m->answer, DI_WHY_GENERIC_SIZE, .number = {type.bytes});
	for (size_t i = 0; i < m->op.info->pops; i++)
		if (!need_integral(m, i))
			return false;
	xs_addr address = di_wide_zext(di_value_number(top(m, 0)), m->generic.bits).limb[0];
	if (m->op.info->pops == 2)
		space = di_value_u64(top(m, 1));
	struct di_value value;
	if (m->discarded)
		return di_answer_gone(&m->answer, DI_WHY_DISCARDED);
	if (!ask_memory(m, &type, space, address, (size_t)size, &value))
		return false;
	m->count -= m->op.info->pops;
	return push(m, &value);
}

static bool do_unary(struct machine *m)
{
	struct di_value *a = top(m, 0), value;
	if (m->op.code != DW_OP_plus_uconst) {
		if (!di_value_unary(m->op.code, a, &value, &m->answer))
			return false;
	} else {
		if (!need_integral(m, 0))
			return false;
		struct di_wide sum = di_wide_add(a->bits, di_wide_from_u(m->op.operand[0]));
		value = di_value_make(&a->type, sum);
	}
	*a = value;
	return true;
}

static bool do_binary(struct machine *m)
{
	struct di_value value;
	if (!di_value_binary(m->op.code, top(m, 1), top(m, 0), &m->generic, &value, &m->answer))
		return false;
	m->count--;
	*top(m, 0) = value;
	return true;
}

static bool do_jump(struct machine *m)
{
	int64_t target = (int64_t)m->next + (int64_t)m->op.operand[0];
	bool taken = true;
	if (m->op.code == DW_OP_bra) {
		if (!need_integral(m, 0))
			return false;
		taken = !di_wide_is_zero(top(m, 0)->bits);
		m->count--;
	}
	if (target < 0 || target > (int64_t)m->source->size)
		return di_answer_error(
			&m->answer, DI_WHY_BRANCH_OUTSIDE, .number = {m->source->size});
	if (taken)
		m->next = (size_t)target;
	return true;
}

static bool do_context(struct machine *m)
{
	const struct di_expr_host *host = m->host;
	xs_addr address = 0;
	bool known;
	switch (m->op.code) {
	case DW_OP_fbreg:
		if (!host->frame_base)
			return nobody_knows(m, "the frame base");
		known = answered(m, host->frame_base(host->arg, m->budget, &address, &m->answer));
		address += m->op.operand[0];
		break;
	case DW_OP_call_frame_cfa:
		if (!host->cfa)
			return nobody_knows(m, "the CFA");
		known = answered(m, host->cfa(host->arg, &address, &m->answer));
		break;
	case DW_OP_push_object_address:
		if (!host->object)
			return nobody_knows(m, "the object");
		known = answered(m, host->object(host->arg, &address, &m->answer));
		break;
	default: /* form_tls_address, GNU_push_tls_address */
		if (!need_integral(m, 0))
			return false;
		if (!host->tls)
			return nobody_knows(m, "thread-local storage");
		known = answered(m, host->tls(host->arg, m->source->unit, di_value_u64(top(m, 0)),
					    &address, &m->answer));
		if (known)
			m->count--;
		break;
	}
	return known && push_generic(m, address);
}

static bool do_const_type(struct machine *m)
{
	struct di_base type;
	if (!ask_type(m, 0, &type))
		return false;
	if (m->op.operand[1] != type.bytes)
		return di_answer_error(&m->answer, DI_WHY_TYPE_SIZE, .number = {type.bytes});
	struct di_value value =
		di_value_make(&type, di_wide_from_bytes(m->op.block, (size_t)m->op.operand[1]));
	return push(m, &value);
}

static bool do_regval_type(struct machine *m)
{
	struct di_base type;
	struct di_wide content = {0};
	unsigned bits = 0;
	if (!ask_type(m, 1, &type) || !ask_register(m, m->op.operand[0], &content, &bits))
		return false;
	/* A long double has 128 bits, of which the register's 80 are all that count. */
	bool is_float = type.kind == DI_BASE_FLOAT;
	if (bits < (is_float ? di_fp_bits(type.format) : type.bits))
		return di_answer_error(
			&m->answer, DI_WHY_REGISTER_TOO_NARROW, .number = {bits, type.bits});
	struct di_value value = di_value_make(&type, content);
	return push(m, &value);
}

static bool do_typed(struct machine *m)
{
	struct di_base type;
	struct di_value value;
	switch (m->op.code) {
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		return do_const_type(m);
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		return do_regval_type(m);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
		if (!ask_type(m, 0, &type) ||
			!di_value_convert(top(m, 0), &type, &value, &m->answer))
			return false;
		break;
	default: /* reinterpret, GNU_reinterpret */
		if (!ask_type(m, 0, &type) ||
			!di_value_reinterpret(top(m, 0), &type, &value, &m->answer))
			return false;
		break;
	}
	*top(m, 0) = value;
	return true;
}

static bool do_ask(struct machine *m)
{
	const struct di_expr_host *host = m->host;
	const struct di_expr_unit *unit = m->source->unit;
	struct di_value value = {0};
	struct di_expr_source inner = *m->source;
	struct xs_error *err;
	switch (m->op.code) {
	case DW_OP_GNU_parameter_ref:
		if (!host->parameter_ref)
			return nobody_knows(m, "the caller's parameter");
		err = host->parameter_ref(host->arg, unit, unit->die_base + m->op.operand[0],
			m->budget, &value, &m->answer);
		break;
	case DW_OP_GNU_variable_value:
		if (!host->variable_value)
			return nobody_knows(m, "another variable");
		err = host->variable_value(
			host->arg, unit, m->op.operand[0], m->budget, &value, &m->answer);
		break;
	default: /* entry_value, GNU_entry_value */
		if (!host->entry_value)
			return nobody_knows(m, "the value on entry");
		inner.data = m->op.block;
		inner.size = (size_t)m->op.operand[0];
		inner.offset += (uint64_t)(m->op.block - m->source->data);
		err = host->entry_value(host->arg, &inner, m->budget, &value, &m->answer);
		break;
	}
	if (!answered(m, err) || !di_base_check(&value.type, &m->answer))
		return false;
	value = di_value_make(&value.type, value.bits);
	return push(m, &value);
}

static bool do_implicit(struct machine *m)
{
	struct di_piece place = {0};
	switch (m->op.code) {
	case DW_OP_implicit_value:
		place.kind = DI_PIECE_BYTES;
		place.bytes.data = m->op.block;
		place.bytes.size = (size_t)m->op.operand[0];
		return set_place(m, place);
	case DW_OP_stack_value: /* the one that needs others before it */
		place.kind = DI_PIECE_VALUE;
		place.value = *top(m, 0);
		m->count--;
		m->place = place;
		m->placed = true;
		return true;
	default: /* implicit_pointer, GNU_implicit_pointer */
		place.kind = DI_PIECE_POINTER;
		place.pointer.die = m->op.operand[0];
		place.pointer.offset = (int64_t)m->op.operand[1];
		return set_place(m, place);
	}
}

/* What the operators since the last piece came to. */
static bool take_place(struct machine *m, struct di_piece *ret)
{
	*ret = (struct di_piece){.kind = DI_PIECE_EMPTY};
	if (m->lost || (!m->busy && !m->placed))
		return true;
	if (m->placed) {
		*ret = m->place;
		return true;
	}
	if (m->count == 0)
		return m->tainted || too_few(m);
	if (m->request->as_value) {
		ret->kind = DI_PIECE_VALUE;
		ret->value = *top(m, 0);
	} else {
		if (!need_integral(m, 0))
			return false;
		ret->kind = DI_PIECE_MEMORY;
		ret->address = di_wide_zext(di_value_number(top(m, 0)), m->generic.bits).limb[0];
	}
	m->count--;
	return true;
}

/* Whether what the operators came to is a place in memory that the linker threw away. */
static bool is_place_gone(const struct machine *m)
{
	return m->discarded && !m->lost && !m->placed && !m->request->as_value;
}

static bool handle_failure(struct machine *m);

static bool do_piece(struct machine *m)
{
	struct di_location *location = m->location;
	uint64_t size = m->op.operand[0];
	struct di_piece piece;
	if (m->op.code == DW_OP_piece && size > UINT64_MAX / 8)
		return di_answer_error(&m->answer, DI_WHY_PIECE_TOO_LARGE);
	if (location->count == DI_LOCATION_PIECES)
		return di_answer_error(
			&m->answer, DI_WHY_TOO_MANY_PIECES, .number = {DI_LOCATION_PIECES});
	if (is_place_gone(m) && !di_answer_gone(&m->answer, DI_WHY_DISCARDED) && !handle_failure(m))
		return false;
	if (!take_place(m, &piece))
		return false;
	piece.bit_size = m->op.code == DW_OP_piece ? 8 * size : size;
	piece.bit_offset = m->op.code == DW_OP_piece ? 0 : m->op.operand[1];
	location->piece[location->count++] = piece;
	location->composite = true;
	if (m->lost) { /* what it left on the stack for later pieces, nobody can tell */
		m->tainted = true;
		m->count = 0;
	}
	m->placed = m->busy = m->lost = m->discarded = false;
	return true;
}

static bool run(struct machine *m, const struct di_expr_source *source);

static bool do_call(struct machine *m)
{
	const struct di_expr_unit *unit = m->source->unit;
	uint64_t base = m->op.code == DW_OP_call_ref ? 0 : unit->die_base;
	struct di_expr_source callee = {0};
	if (!m->host->called)
		return nobody_knows(m, "another DIE's location");
	if (!answered(m, m->host->called(
				 m->host->arg, unit, base + m->op.operand[0], &callee, &m->answer)))
		return false;
	if (callee.size == 0)
		return true;
	if (m->budget->depth == 0)
		return di_answer_error(&m->answer, DI_WHY_NESTED_TOO_DEEPLY);
	if (!callee.unit)
		callee.unit = unit;
	/* The callee runs on this stack; what belongs to the caller is put aside meanwhile. */
	const struct di_expr_source *source = m->source;
	struct di_base generic = m->generic;
	struct di_op op = m->op;
	size_t next = m->next;
	m->depth++;
	m->budget->depth--;
	bool ok = run(m, &callee);
	m->budget->depth++;
	m->depth--;
	m->source = source;
	m->generic = generic;
	m->op = op;
	m->next = next;
	return ok;
}

static bool do_mark(struct machine *m)
{
	if (m->op.code == DW_OP_GNU_uninit)
		m->location->uninitialized = true;
	return true;
}

static bool (*const handlers[])(struct machine *m) = {
	[DI_OP_CONSTANT] = do_constant,
	[DI_OP_ADDRESS] = do_address,
	[DI_OP_REGISTER] = do_register,
	[DI_OP_BASED] = do_based,
	[DI_OP_STACK] = do_stack,
	[DI_OP_DEREF] = do_deref,
	[DI_OP_UNARY] = do_unary,
	[DI_OP_BINARY] = do_binary,
	[DI_OP_JUMP] = do_jump,
	[DI_OP_CONTEXT] = do_context,
	[DI_OP_TYPED] = do_typed,
	[DI_OP_CALL] = do_call,
	[DI_OP_ASK] = do_ask,
	[DI_OP_IMPLICIT] = do_implicit,
	[DI_OP_PIECE] = do_piece,
	[DI_OP_MARK] = do_mark,
};

/* --- mistakes, made on purpose (mistake.h) ---------------------------------------------------- */

static bool refuse(struct machine *m)
{
	return di_answer_error(
		&m->answer, DI_WHY_MISTAKE, .text = {di_mistake_debugger(m->request->mistake)});
}

/* lldb's pieces are bytes that are put one behind the other: if one cannot be read none is left. */
static bool is_all_or_nothing(const struct machine *m)
{
	return m->request->mistake == DI_MISTAKE_LLDB_PIECE ||
	       m->request->mistake == DI_MISTAKE_LLDB_GAP_AS_0;
}

/* To lldb DW_OP_bit_piece is an operator like others: it takes bits out of the register's content,
 * leaves them on the stack, and what is there in the end is an address. */
static bool do_bit_piece_alone(struct machine *m)
{
	struct di_wide content = {0};
	unsigned bits = 64;
	if (m->placed && m->place.kind == DI_PIECE_VALUE)
		content = m->place.value.bits;
	else if (!m->placed || m->place.kind != DI_PIECE_REGISTER)
		return refuse(m);
	else if (!ask_register(m, m->place.reg, &content, &bits))
		return false;
	m->placed = false;
	m->busy = true;
	content = di_wide_shr(content, m->op.operand[1]);
	if (m->op.operand[0] < bits)
		content = di_wide_zext(content, (unsigned)m->op.operand[0]);
	return push_generic(m, content.limb[0]);
}

static bool do_mistaken(struct machine *m)
{
	enum di_mistake mistake = m->request->mistake;
	struct di_base type = {0};
	bool converts = m->op.code == DW_OP_convert && di_scalar_is(mistake);
	if (converts && !ask_type(m, 0, &type))
		return false;
	enum di_scalar_done done =
		di_scalar_step(mistake, &m->op, m->source->unit, &type, m->stack, &m->count);
	if (done != DI_SCALAR_NOT)
		return done == DI_SCALAR_DONE || refuse(m);
	if (m->op.code == DW_OP_bit_piece && mistake == DI_MISTAKE_LLDB_BIT_PIECE)
		return do_bit_piece_alone(m);
	if (m->op.code == DW_OP_addr &&
		di_mistake_keeps_address(m->request->as_value, mistake, m->source->data + m->next,
			m->source->size - m->next))
		return push_generic(m, m->op.operand[0]);
	/* lldb takes no piece from its own memory, and none from an address that it does not move
	 * to where the file was loaded: which it does for DW_OP_addr, and not for DW_OP_addrx. */
	enum di_op_class class = m->op.info->class;
	if (class == DI_OP_PIECE && is_all_or_nothing(m) &&
		(m->placed ? m->place.kind == DI_PIECE_BYTES : m->filed))
		return refuse(m);
	if (class != DI_OP_UNARY && class != DI_OP_BINARY && class != DI_OP_STACK)
		m->filed = m->op.code == DW_OP_addrx || m->op.code == DW_OP_GNU_addr_index;
	struct di_wide content;
	unsigned bits;
	if (class == DI_OP_REGISTER && is_all_or_nothing(m) &&
		!ask_register(m, register_number(&m->op), &content, &bits))
		return false;
	if (!handlers[class](m))
		return false;
	if (di_scalar_is(mistake) && m->count && top(m, 0)->type.kind == DI_BASE_GENERIC)
		top(m, 0)->type.kind = di_scalar_kind(m->op.code);
	return true;
}

/* --- the loop -------------------------------------------------------------------------------- */

static struct di_within within(const struct machine *m, enum di_within_kind kind)
{
	return di_expr_within(m->source, kind, m->op.offset);
}

/* Both end the evaluation with an answer that is none; pieces that were done are void. */
static bool end_in(struct machine *m, const struct di_answer *answer)
{
	m->location->count = 0;
	m->over = true;
	di_answer_copy(&m->location->answer, answer);
	return false;
}

static bool end_in_error(struct machine *m, enum di_within_kind kind, struct di_answer *answer)
{
	struct di_within here = within(m, kind);
	if (kind != DI_WITHIN_SECTION || here.name)
		di_answer_within(answer, &here);
	return end_in(m, answer);
}

/* The operator that runs could not be done. Whether the evaluation goes on all the same: a piece
 * that is optimized out leaves the others alone. */
static bool handle_failure(struct machine *m)
{
	if (m->trouble || m->over)
		return false;
	if (m->answer.state != DI_ANSWER_OPTIMIZED_OUT || is_all_or_nothing(m))
		return end_in_error(m, DI_WITHIN_OPERATOR, &m->answer);
	m->lost = true;
	if (m->lost_for.state == DI_ANSWER_KNOWN) {
		struct di_within here = within(m, DI_WITHIN_OPERATOR);
		di_answer_copy(&m->lost_for, &m->answer);
		di_answer_within(&m->lost_for, &here);
	}
	di_answer_known(&m->answer);
	return true;
}

/* Whether the decoded operator may run now. */
static bool check(struct machine *m)
{
	const struct di_op_info *info = m->op.info;
	if (m->budget->operators == 0)
		return di_answer_error(&m->answer, DI_WHY_TOO_MANY_OPERATORS);
	m->budget->operators--;
	if (m->placed && info->class != DI_OP_PIECE && m->op.code != DW_OP_GNU_uninit)
		return di_answer_error(&m->answer, DI_WHY_PLACE_NOT_LAST);
	if (m->count < info->pops)
		return too_few(m);
	if (m->count - info->pops + info->pushes > DI_EXPR_STACK)
		return di_answer_error(
			&m->answer, DI_WHY_STACK_OVERFLOW, .number = {DI_EXPR_STACK});
	return true;
}

static void trace(struct machine *m)
{
	char text[DI_OP_TEXT];
	struct di_expr_step step = {.source = m->source,
		.depth = m->depth,
		.offset = m->op.offset,
		.text = di_op_text(m->source->unit, &m->op, text),
		.stack = m->stack,
		.count = m->count,
		.pieces = m->location->count,
		.place = m->placed ? &m->place : NULL};
	m->request->trace(m->request->trace_arg, &step);
}

/* Runs the operator at m->next. False if the evaluation is over. */
static bool step(struct machine *m)
{
	const struct di_expr_source *source = m->source;
	if (!di_op_decode(source->unit, source->data, source->size, m->next, &m->op, &m->answer))
		return end_in_error(m, DI_WITHIN_SECTION, &m->answer);
	enum di_op_class class = m->op.info->class;
	m->next = m->op.next;
	if (m->lost && class == DI_OP_JUMP) /* where to, depends on what was lost */
		return end_in(m, &m->lost_for);
	if (m->lost && class != DI_OP_PIECE)
		return true;
	if (!check(m) || !(m->request->mistake ? do_mistaken : handlers[class])(m))
		return handle_failure(m);
	/* A call counts by what it calls; a branch and a nop make nothing. */
	if (class != DI_OP_PIECE && class != DI_OP_CALL && class != DI_OP_JUMP &&
		class != DI_OP_MARK)
		m->busy = true;
	if (m->request->trace)
		trace(m);
	return true;
}

/* Runs an expression to its end. False if the whole evaluation is over. */
static bool run(struct machine *m, const struct di_expr_source *source)
{
	const struct di_expr_unit *unit = source->unit;
	m->source = source;
	m->next = 0;
	if (!di_expr_unit_valid(unit)) {
		di_answer_error(&m->answer, DI_WHY_UNIT_SENSELESS);
		return end_in_error(m, DI_WITHIN_SECTION, &m->answer);
	}
	m->generic = di_base_generic(unit->address_size);
	while (m->next < source->size)
		if (!step(m))
			return false;
	return true;
}

/* The location that the operators have left behind. */
static void finish(struct machine *m)
{
	struct di_location *location = m->location;
	struct di_piece piece;
	if (m->lost) {
		end_in(m, &m->lost_for);
	} else if (location->composite && (m->placed || m->busy)) {
		di_answer_error(&m->answer, DI_WHY_LAST_WITHOUT_PIECE);
		end_in_error(m, DI_WITHIN_END, &m->answer);
	} else if (location->composite) {
		di_answer_copy(&location->answer, &m->lost_for);
		location->answer.state = DI_ANSWER_KNOWN;
	} else if (!m->placed && !m->busy) {
		di_answer_gone(&m->answer, DI_WHY_EMPTY_EXPRESSION);
		end_in(m, &m->answer);
	} else if (is_place_gone(m)) {
		di_answer_gone(&m->answer, DI_WHY_DISCARDED);
		end_in(m, &m->answer);
	} else if (!take_place(m, &piece)) {
		end_in_error(m, DI_WITHIN_END, &m->answer);
	} else {
		location->piece[location->count++] = piece;
	}
}

struct xs_error *di_expr_eval(const struct di_expr_request *request, struct di_location *ret)
{
	struct di_expr_budget own = {DI_EXPR_OPERATORS, DI_EXPR_DEPTH};
	struct machine m;
	memset(&m, 0, offsetof(struct machine, answer));
	di_answer_known(&m.answer);
	di_answer_known(&m.lost_for);
	m.request = request;
	m.host = request->host;
	m.location = ret;
	m.budget = request->budget ? request->budget : &own;
	m.source = &request->source;
	ret->count = 0;
	ret->composite = ret->uninitialized = false;
	di_answer_known(&ret->answer);

	xs_assert(request->initial_count <= DI_EXPR_STACK);
	for (size_t i = 0; i < request->initial_count; i++)
		push(&m, &request->initial[i]);
	m.busy = m.count > 0;
	if (m.budget->depth == 0) {
		di_answer_error(&m.answer, DI_WHY_NESTED_TOO_DEEPLY);
		end_in_error(&m, DI_WITHIN_SECTION, &m.answer);
		return NULL;
	}
	m.budget->depth--;
	if (run(&m, &request->source))
		finish(&m);
	m.budget->depth++;
	return m.trouble;
}
