#include "dwarf/value.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"

static const char *const kind_names[] = {
	[DI_BASE_GENERIC] = "generic",
	[DI_BASE_SIGNED] = "signed",
	[DI_BASE_UNSIGNED] = "unsigned",
	[DI_BASE_BOOL] = "bool",
	[DI_BASE_ADDRESS] = "address",
	[DI_BASE_FLOAT] = "float",
};

struct di_base di_base_generic(unsigned address_size)
{
	return (struct di_base){
		.kind = DI_BASE_GENERIC, .bits = 8 * address_size, .bytes = address_size};
}

bool di_base_check(const struct di_base *type, struct di_answer *answer)
{
	if (type->bits == 0 || type->bytes > DI_WIDE_BYTES || type->bits > 8 * type->bytes)
		return di_answer_error(answer, DI_WHY_BASE_TYPE_SIZE,
			.number = {type->die, type->bits, type->bytes, DI_WIDE_BITS});
	if (type->kind != DI_BASE_FLOAT)
		return true;
	if (type->format == DI_FP_NONE || type->bits < di_fp_bits(type->format))
		return di_answer_error(
			answer, DI_WHY_BASE_TYPE_FLOAT, .number = {type->die, type->bits});
	return true;
}

bool di_base_equal(const struct di_base *a, const struct di_base *b)
{
	return a->kind == b->kind && a->bits == b->bits && a->format == b->format;
}

const char *di_base_text(const struct di_base *type, char buf[static DI_BASE_TEXT])
{
	if (type->kind == DI_BASE_GENERIC)
		snprintf(buf, DI_BASE_TEXT, "%s", kind_names[type->kind]);
	else
		snprintf(buf, DI_BASE_TEXT, "%s %u", kind_names[type->kind], type->bits);
	return buf;
}

uint64_t di_base_pack(const struct di_base *type)
{
	return (uint64_t)type->kind << 32 | type->bits;
}

struct di_base di_base_unpack(uint64_t packed)
{
	return (struct di_base){
		.kind = (enum di_base_kind)(packed >> 32), .bits = (unsigned)packed};
}

struct di_value di_value_make(const struct di_base *type, struct di_wide bits)
{
	return (struct di_value){.type = *type, .bits = di_wide_zext(bits, type->bits)};
}

bool di_value_is_integral(const struct di_value *a)
{
	return a->type.kind != DI_BASE_FLOAT;
}

struct di_wide di_value_number(const struct di_value *a)
{
	bool is_signed = a->type.kind == DI_BASE_SIGNED;
	return is_signed ? di_wide_sext(a->bits, a->type.bits) : a->bits;
}

uint64_t di_value_u64(const struct di_value *a)
{
	return di_value_number(a).limb[0];
}

/* The number as div, abs and the comparisons see it: they take the generic type as signed. */
static struct di_wide signed_number(const struct di_value *a)
{
	bool is_signed = a->type.kind == DI_BASE_SIGNED || a->type.kind == DI_BASE_GENERIC;
	return is_signed ? di_wide_sext(a->bits, a->type.bits) : a->bits;
}

static bool refuse_float(const struct di_value *a, struct di_answer *answer)
{
	return di_answer_error(answer, DI_WHY_NOT_AN_INTEGER, .number = {di_base_pack(&a->type)});
}

bool di_value_unary(
	uint8_t op, const struct di_value *a, struct di_value *ret, struct di_answer *answer)
{
	struct di_wide bits;
	if (!di_value_is_integral(a)) {
		if (op == DW_OP_not)
			return refuse_float(a, answer);
		bits = op == DW_OP_abs ? di_fp_abs(a->type.format, a->bits)
				       : di_fp_negate(a->type.format, a->bits);
	} else if (op == DW_OP_abs) {
		struct di_wide number = signed_number(a);
		/* An unsigned number of full width must not pass for a negative one. */
		bool negative = a->type.kind <= DI_BASE_SIGNED && di_wide_is_negative(number);
		bits = negative ? di_wide_neg(number) : number;
	} else {
		bits = op == DW_OP_neg ? di_wide_neg(a->bits) : di_wide_not(a->bits);
	}
	*ret = di_value_make(&a->type, bits);
	return true;
}

static bool float_arithmetic(uint8_t op, const struct di_value *a, const struct di_value *b,
	struct di_value *ret, struct di_answer *answer)
{
	enum di_fp_op fp_op;
	switch (op) {
	case DW_OP_plus:
		fp_op = DI_FP_ADD;
		break;
	case DW_OP_minus:
		fp_op = DI_FP_SUB;
		break;
	case DW_OP_mul:
		fp_op = DI_FP_MUL;
		break;
	case DW_OP_div:
		fp_op = DI_FP_DIV;
		break;
	default:
		return refuse_float(a, answer);
	}
	*ret = di_value_make(&a->type, di_fp_binary(a->type.format, fp_op, a->bits, b->bits));
	return true;
}

/* Quotient and remainder, each by the sign that the operator gives the generic type. */
static bool divide(uint8_t op, const struct di_value *a, const struct di_value *b,
	struct di_wide *ret, struct di_answer *answer)
{
	if (di_wide_is_zero(b->bits))
		return di_answer_error(answer, DI_WHY_DIVISION_BY_ZERO);
	bool is_signed = a->type.kind == DI_BASE_SIGNED ||
			 (a->type.kind == DI_BASE_GENERIC && op == DW_OP_div);
	struct di_wide quot, rem;
	if (is_signed)
		di_wide_divmod_s(di_wide_sext(a->bits, a->type.bits),
			di_wide_sext(b->bits, b->type.bits), &quot, &rem);
	else
		di_wide_divmod_u(a->bits, b->bits, &quot, &rem);
	*ret = op == DW_OP_div ? quot : rem;
	return true;
}

static bool shift(uint8_t op, const struct di_value *a, const struct di_value *b,
	struct di_wide *ret, struct di_answer *answer)
{
	struct di_wide number = di_value_number(b);
	if (b->type.kind == DI_BASE_SIGNED && di_wide_is_negative(number))
		return di_answer_error(answer, DI_WHY_NEGATIVE_SHIFT, .wide = number);
	uint64_t count = di_wide_length(number) > 64 ? UINT64_MAX : number.limb[0];
	if (op == DW_OP_shl)
		*ret = di_wide_shl(a->bits, count);
	else if (op == DW_OP_shr)
		*ret = di_wide_shr(a->bits, count);
	else
		*ret = di_wide_sar(di_wide_sext(a->bits, a->type.bits), count);
	return true;
}

static bool integer_arithmetic(uint8_t op, const struct di_value *a, const struct di_value *b,
	struct di_value *ret, struct di_answer *answer)
{
	struct di_wide bits;
	bool ok = true;
	switch (op) {
	case DW_OP_and:
		bits = di_wide_and(a->bits, b->bits);
		break;
	case DW_OP_or:
		bits = di_wide_or(a->bits, b->bits);
		break;
	case DW_OP_xor:
		bits = di_wide_xor(a->bits, b->bits);
		break;
	case DW_OP_plus:
		bits = di_wide_add(a->bits, b->bits);
		break;
	case DW_OP_minus:
		bits = di_wide_sub(a->bits, b->bits);
		break;
	case DW_OP_mul:
		bits = di_wide_mul(a->bits, b->bits);
		break;
	case DW_OP_div:
	case DW_OP_mod:
		ok = divide(op, a, b, &bits, answer);
		break;
	default:
		ok = shift(op, a, b, &bits, answer);
		break;
	}
	if (ok)
		*ret = di_value_make(&a->type, bits);
	return ok;
}

static enum di_fp_order order_of(const struct di_value *a, const struct di_value *b)
{
	if (!di_value_is_integral(a))
		return di_fp_compare(a->type.format, a->bits, b->bits);
	bool is_signed = a->type.kind == DI_BASE_SIGNED || a->type.kind == DI_BASE_GENERIC;
	int order = is_signed ? di_wide_compare_s(signed_number(a), signed_number(b))
			      : di_wide_compare_u(a->bits, b->bits);
	return order < 0 ? DI_FP_LESS : order > 0 ? DI_FP_GREATER : DI_FP_EQUAL;
}

/* Whether op is a comparison, and if so, whether it holds. */
static bool is_comparison(
	uint8_t op, const struct di_value *a, const struct di_value *b, bool *holds)
{
	if (op < DW_OP_eq || op > DW_OP_ne)
		return false;
	enum di_fp_order order = order_of(a, b);
	*holds = (op == DW_OP_eq && order == DI_FP_EQUAL) ||
		 (op == DW_OP_ne && order != DI_FP_EQUAL) ||
		 (op == DW_OP_lt && order == DI_FP_LESS) ||
		 (op == DW_OP_gt && order == DI_FP_GREATER) ||
		 (op == DW_OP_le && (order == DI_FP_LESS || order == DI_FP_EQUAL)) ||
		 (op == DW_OP_ge && (order == DI_FP_GREATER || order == DI_FP_EQUAL));
	return true;
}

bool di_value_binary(uint8_t op, const struct di_value *a, const struct di_value *b,
	const struct di_base *generic, struct di_value *ret, struct di_answer *answer)
{
	if (!di_base_equal(&a->type, &b->type))
		return di_answer_error(answer, DI_WHY_TYPES_DIFFER,
			.number = {di_base_pack(&a->type), di_base_pack(&b->type)});
	bool holds;
	if (is_comparison(op, a, b, &holds)) {
		*ret = di_value_make(generic, di_wide_from_u(holds));
		return true;
	}
	return di_value_is_integral(a) ? integer_arithmetic(op, a, b, ret, answer)
				       : float_arithmetic(op, a, b, ret, answer);
}

/* A float's integral part in an integer type; false if the type cannot hold it. */
static bool fits(const struct di_base *type, bool negative, struct di_wide magnitude)
{
	unsigned length = di_wide_length(magnitude);
	bool least = length == type->bits &&
		     di_wide_equal(magnitude, di_wide_shl(di_wide_from_u(1), length - 1));
	bool as_unsigned = length <= type->bits && (!negative || length == 0);
	bool as_signed = length < type->bits || (negative && least);
	if (type->kind == DI_BASE_GENERIC) /* of no particular sign: either will do */
		return as_unsigned || as_signed;
	return type->kind == DI_BASE_SIGNED ? as_signed : as_unsigned;
}

static bool convert_from_float(const struct di_value *a, const struct di_base *type,
	struct di_value *ret, struct di_answer *answer)
{
	if (type->kind == DI_BASE_FLOAT) {
		*ret = di_value_make(type, di_fp_convert(a->type.format, type->format, a->bits));
		return true;
	}
	if (type->kind == DI_BASE_BOOL) {
		bool is_zero = di_fp_is_zero(a->type.format, a->bits);
		*ret = di_value_make(type, di_wide_from_u(!is_zero));
		return true;
	}
	bool negative = false;
	struct di_wide magnitude;
	if (!di_fp_to_int(a->type.format, a->bits, &negative, &magnitude) ||
		!fits(type, negative, magnitude))
		return di_answer_error(answer, DI_WHY_DOES_NOT_FIT,
			.number = {a->type.format, di_base_pack(type)}, .wide = a->bits);
	*ret = di_value_make(type, negative ? di_wide_neg(magnitude) : magnitude);
	return true;
}

bool di_value_convert(const struct di_value *a, const struct di_base *type, struct di_value *ret,
	struct di_answer *answer)
{
	if (!di_value_is_integral(a))
		return convert_from_float(a, type, ret, answer);
	struct di_wide number = di_value_number(a);
	if (type->kind == DI_BASE_FLOAT) {
		bool negative = a->type.kind == DI_BASE_SIGNED && di_wide_is_negative(number);
		number = di_fp_from_int(
			type->format, negative, negative ? di_wide_neg(number) : number);
	} else if (type->kind == DI_BASE_BOOL) {
		number = di_wide_from_u(!di_wide_is_zero(number));
	}
	*ret = di_value_make(type, number);
	return true;
}

bool di_value_reinterpret(const struct di_value *a, const struct di_base *type,
	struct di_value *ret, struct di_answer *answer)
{
	if (a->type.bits != type->bits)
		return di_answer_error(
			answer, DI_WHY_OTHER_WIDTH, .number = {a->type.bits, type->bits});
	*ret = di_value_make(type, a->bits);
	return true;
}

const char *di_value_text(const struct di_value *a, char buf[static DI_VALUE_TEXT])
{
	char number[DI_WIDE_TEXT], name[DI_BASE_TEXT];
	if (a->type.kind == DI_BASE_GENERIC) {
		snprintf(buf, DI_VALUE_TEXT, "0x%" PRIx64, a->bits.limb[0]);
		return buf;
	}
	if (a->type.kind == DI_BASE_FLOAT)
		di_fp_text(a->type.format, a->bits, number);
	else if (a->type.kind == DI_BASE_SIGNED)
		di_wide_text_s(di_value_number(a), number);
	else
		di_wide_text_u(a->bits, number);
	snprintf(buf, DI_VALUE_TEXT, "%s (%s)", number, di_base_text(&a->type, name));
	return buf;
}

bool di_value_shuffle(unsigned code, uint64_t operand, struct di_value *stack, size_t *count)
{
	struct di_value *end = stack + *count, saved;
	switch (code) {
	case DW_OP_drop:
		--*count;
		return true;
	case DW_OP_swap:
		saved = end[-1];
		end[-1] = end[-2];
		end[-2] = saved;
		return true;
	case DW_OP_rot: /* the top goes below the two that were under it */
		saved = end[-1];
		end[-1] = end[-2];
		end[-2] = end[-3];
		end[-3] = saved;
		return true;
	default: /* dup, over, pick */
		operand = code == DW_OP_dup ? 0 : code == DW_OP_over ? 1 : operand;
		if (operand >= *count)
			return false;
		*end = end[-1 - (ptrdiff_t)operand];
		++*count;
		return true;
	}
}
