#include "dwarf/scalar.h"

#include <dwarf.h>

#ifndef DW_OP_GNU_variable_value
#define DW_OP_GNU_variable_value 0xfd
#endif

static bool is_typed(uint8_t op)
{
	switch (op) {
	case DW_OP_const_type:
	case DW_OP_regval_type:
	case DW_OP_deref_type:
	case DW_OP_xderef_type:
	case DW_OP_reinterpret:
	case DW_OP_GNU_const_type:
	case DW_OP_GNU_regval_type:
	case DW_OP_GNU_deref_type:
	case DW_OP_GNU_convert:
	case DW_OP_GNU_reinterpret:
		return true;
	default:
		return false;
	}
}

/* GNU operators without a standard number that lldb has no case for. */
static bool is_gnu(uint8_t op)
{
	switch (op) {
	case DW_OP_GNU_uninit:
	case DW_OP_GNU_encoded_addr:
	case DW_OP_GNU_implicit_pointer:
	case DW_OP_GNU_parameter_ref:
	case DW_OP_GNU_variable_value:
		return true;
	default:
		return is_typed(op) && op >= DW_OP_GNU_push_tls_address;
	}
}

static bool is_far(uint8_t op)
{
	return op == DW_OP_xderef || op == DW_OP_xderef_size || op == DW_OP_xderef_type;
}

static bool knows(enum di_mistake mistake, uint8_t op, enum di_op_class class)
{
	switch (mistake) {
	case DI_MISTAKE_GDB_OPERATOR:
		return op != DW_OP_constx && op != DW_OP_call_ref && op != DW_OP_GNU_encoded_addr &&
		       !is_far(op);
	case DI_MISTAKE_LLDB_TYPED:
		return !is_typed(op);
	case DI_MISTAKE_LLDB_CALL:
		return class != DI_OP_CALL;
	case DI_MISTAKE_LLDB_GNU_OPERATOR:
		return !is_gnu(op);
	case DI_MISTAKE_LLDB_INDEXED:
		return op != DW_OP_constx;
	case DI_MISTAKE_LLDB_OPERATOR:
		return !is_typed(op) && !is_gnu(op) && !is_far(op) && class != DI_OP_CALL &&
		       op != DW_OP_constx;
	case DI_MISTAKE_LLDB_IMPLICIT_POINTER:
		return op != DW_OP_implicit_pointer && op != DW_OP_GNU_implicit_pointer;
	case DI_MISTAKE_LLDB_ENTRY_VALUE:
		return op != DW_OP_entry_value && op != DW_OP_GNU_entry_value;
	case DI_MISTAKE_LLDB_TLS:
		return op != DW_OP_form_tls_address && op != DW_OP_GNU_push_tls_address;
	default:
		return true;
	}
}

enum di_base_kind di_scalar_kind(uint8_t op)
{
	switch (op) {
	case DW_OP_const1s:
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
	case DW_OP_consts:
		return DI_BASE_SIGNED;
	default: /* a literal is the difference of two bytes, which is an int */
		return op >= DW_OP_lit0 && op <= DW_OP_lit31 ? DI_BASE_SIGNED : DI_BASE_UNSIGNED;
	}
}

static bool is_signed(const struct di_value *a)
{
	return a->type.kind == DI_BASE_SIGNED;
}

static struct di_wide number_of(const struct di_value *a)
{
	return is_signed(a) ? di_wide_sext(a->bits, a->type.bits) : a->bits;
}

static struct di_value make(bool sign, unsigned bits, struct di_wide number)
{
	struct di_base type = {.kind = sign ? DI_BASE_SIGNED : DI_BASE_UNSIGNED,
		.bits = bits,
		.bytes = (bits + 7) / 8};
	return di_value_make(&type, number);
}

/* Cut or extended as the new type is signed or not, whatever the value's own type. */
static struct di_value convert(const struct di_value *a, const struct di_base *type)
{
	bool sign = type->kind == DI_BASE_SIGNED;
	return make(sign, 8 * type->bytes, sign ? di_wide_sext(a->bits, a->type.bits) : a->bits);
}

/* Shifts leave the type of what is shifted; the count is never negative. */
static struct di_value shift(uint8_t op, const struct di_value *a, const struct di_value *b)
{
	uint64_t count = di_wide_length(b->bits) > 32 ? UINT32_MAX : b->bits.limb[0];
	if (count > a->type.bits)
		count = a->type.bits;
	struct di_wide bits = op == DW_OP_shl ? di_wide_shl(a->bits, count)
			      : op == DW_OP_shr
				      ? di_wide_shr(a->bits, count)
				      : di_wide_sar(di_wide_sext(a->bits, a->type.bits), count);
	return di_value_make(&a->type, bits);
}

static bool holds(uint8_t op, int order)
{
	switch (op) {
	case DW_OP_eq:
		return order == 0;
	case DW_OP_ne:
		return order != 0;
	case DW_OP_lt:
		return order < 0;
	case DW_OP_gt:
		return order > 0;
	case DW_OP_le:
		return order <= 0;
	default:
		return order >= 0;
	}
}

static bool divide(uint8_t op, bool sign, struct di_wide a, struct di_wide b, struct di_wide *ret)
{
	struct di_wide quot, rem;
	if (di_wide_is_zero(b))
		return false;
	if (sign)
		di_wide_divmod_s(a, b, &quot, &rem);
	else
		di_wide_divmod_u(a, b, &quot, &rem);
	*ret = op == DW_OP_div ? quot : rem;
	return true;
}

/* `a op b`; false: it has no result. */
static bool binary(
	uint8_t op, const struct di_value *a, const struct di_value *b, struct di_value *ret)
{
	if (!di_value_is_integral(a) || !di_value_is_integral(b))
		return false;
	if (op == DW_OP_shl || op == DW_OP_shr || op == DW_OP_shra) {
		*ret = shift(op, a, b);
		return true;
	}
	unsigned bits = a->type.bits > b->type.bits ? a->type.bits : b->type.bits;
	/* The narrower one becomes what the wider one is. */
	bool sign = a->type.bits > b->type.bits   ? is_signed(a)
		    : a->type.bits < b->type.bits ? is_signed(b)
						  : is_signed(a) && is_signed(b);
	struct di_wide x = di_wide_zext(number_of(a), bits), y = di_wide_zext(number_of(b), bits);
	struct di_wide result = {0};
	if (sign) {
		x = di_wide_sext(x, bits);
		y = di_wide_sext(y, bits);
	}
	switch (op) {
	case DW_OP_and:
		result = di_wide_and(x, y);
		break;
	case DW_OP_or:
		result = di_wide_or(x, y);
		break;
	case DW_OP_xor:
		result = di_wide_xor(x, y);
		break;
	case DW_OP_plus:
		result = di_wide_add(x, y);
		break;
	case DW_OP_minus:
		result = di_wide_sub(x, y);
		break;
	case DW_OP_mul:
		result = di_wide_mul(x, y);
		break;
	case DW_OP_div:
	case DW_OP_mod:
		if (!divide(op, sign, x, y, &result))
			return false;
		break;
	default:
		*ret = make(true, 32,
			di_wide_from_u(holds(
				op, sign ? di_wide_compare_s(x, y) : di_wide_compare_u(x, y))));
		return true;
	}
	*ret = make(sign, bits, result);
	return true;
}

/* DW_OP_abs, neg, not, and plus_uconst of `operand`. */
static struct di_value unary(uint8_t op, const struct di_value *a, uint64_t operand)
{
	struct di_value with = make(false, 64, di_wide_from_u(operand)), sum;
	switch (op) {
	case DW_OP_abs: /* of what is not signed nothing is negative */
		return is_signed(a) && di_wide_is_negative(number_of(a))
			       ? di_value_make(&a->type, di_wide_neg(a->bits))
			       : *a;
	case DW_OP_neg:
		return di_value_make(&a->type, di_wide_neg(a->bits));
	case DW_OP_not:
		return di_value_make(
			&a->type, di_wide_xor(a->bits, di_wide_neg(di_wide_from_u(1))));
	default: /* plus_uconst */
		return binary(DW_OP_plus, a, &with, &sum) ? sum : *a;
	}
}

bool di_scalar_is(enum di_mistake mistake)
{
	return mistake == DI_MISTAKE_LLDB_DIV || mistake == DI_MISTAKE_LLDB_DEREF_SIZE ||
	       mistake == DI_MISTAKE_LLDB_ARITHMETIC || mistake == DI_MISTAKE_LLDB_MIXED_TYPES;
}

static enum di_scalar_done step_of_lldb(
	const struct di_op *op, const struct di_base *type, struct di_value *stack, size_t *count)
{
	enum di_op_class class = op->info->class;
	struct di_value *top = &stack[*count - 1], value;
	if (op->code == DW_OP_convert) {
		if (type->kind == DI_BASE_FLOAT || type->kind == DI_BASE_BOOL ||
			type->kind == DI_BASE_ADDRESS)
			return DI_SCALAR_REFUSED;
		*top = convert(top, type);
		return DI_SCALAR_DONE;
	}
	/* Of more than 8 bytes nothing is left. */
	if (op->code == DW_OP_deref_size && op->operand[0] > 8) {
		*top = make(false, 64, (struct di_wide){0});
		return DI_SCALAR_DONE;
	}
	if (class == DI_OP_UNARY) {
		*top = unary(op->code, top, op->operand[0]);
		return DI_SCALAR_DONE;
	}
	if (class != DI_OP_BINARY)
		return DI_SCALAR_NOT;
	if (!binary(op->code, top - 1, top, &value))
		return DI_SCALAR_REFUSED;
	*--top = value;
	--*count;
	return DI_SCALAR_DONE;
}

/* To gdb the generic type is a signed integer like others of its size. */
static void mix_like_gdb(struct di_value *a, struct di_value *b)
{
	if (a->type.bits != b->type.bits)
		return;
	if (a->type.kind == DI_BASE_GENERIC && b->type.kind == DI_BASE_SIGNED)
		a->type = b->type;
	else if (a->type.kind == DI_BASE_SIGNED && b->type.kind == DI_BASE_GENERIC)
		b->type = a->type;
}

enum di_scalar_done di_scalar_step(enum di_mistake mistake, const struct di_op *op,
	const struct di_expr_unit *unit, const struct di_base *type, struct di_value *stack,
	size_t *count)
{
	enum di_op_class class = op->info->class;
	bool arithmetic = class == DI_OP_UNARY || class == DI_OP_BINARY ||
			  op->code == DW_OP_convert || op->code == DW_OP_GNU_convert;
	/* lldb looks for the type of DW_OP_convert at that offset of the section, not of the unit,
	 * and in the unit: so it finds none in any but the first. */
	if (mistake == DI_MISTAKE_LLDB_TYPED && op->code == DW_OP_convert && op->operand[0] &&
		unit->die_base)
		return DI_SCALAR_REFUSED;
	if (!knows(mistake, op->code, class))
		return DI_SCALAR_REFUSED;
	if (di_scalar_is(mistake))
		return step_of_lldb(op, type, stack, count);
	if (mistake == DI_MISTAKE_GDB_MIXED_TYPES && class == DI_OP_BINARY)
		mix_like_gdb(&stack[*count - 2], &stack[*count - 1]);
	/* gdb reads an operand as a number of 64 bits at most. */
	bool narrow = mistake == DI_MISTAKE_GDB_WIDE || mistake == DI_MISTAKE_GDB_TYPED;
	return narrow && arithmetic && di_value_is_integral(&stack[*count - 1]) &&
			       stack[*count - 1].type.bits > 64
		       ? DI_SCALAR_REFUSED
		       : DI_SCALAR_NOT;
}
