#include "dwarf/fp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* glibc has both, but its header hides them from clang, which has no _Float128. */
int strfromf128(char *buf, size_t size, const char *format, __float128 value);
__float128 strtof128(const char *text, char **end);

/* How a format is laid out: fraction in the low bits, then x87's integer bit, exponent, sign. */
static const struct layout {
	unsigned fraction; /* bits of the fraction, without the integer bit */
	unsigned exponent; /* bits of the exponent */
	unsigned integer;  /* 1 if the integer bit is stored, 0 if it is implied */
	int digits;        /* decimal digits that always read back to the same bits */
} layouts[] = {
	[DI_FP_HALF] = {10, 5, 0, 5},
	[DI_FP_BRAIN] = {7, 8, 0, 4},
	[DI_FP_SINGLE] = {23, 8, 0, 9},
	[DI_FP_DOUBLE] = {52, 11, 0, 17},
	[DI_FP_X87] = {63, 15, 1, 21},
	[DI_FP_QUAD] = {112, 15, 0, 36},
};

enum kind {
	ZERO,
	FINITE,
	INFINITE,
	NOT_A_NUMBER,
};

/* A number taken apart: (-1)^negative * sig * 2^exponent if it is finite. */
struct parts {
	enum kind kind;
	bool negative;
	int exponent;
	struct di_wide sig; /* of a NaN: its fraction */
};

static const struct layout *layout_of(enum di_fp_format format)
{
	xs_assert(format > DI_FP_NONE && format <= DI_FP_QUAD);
	return &layouts[format];
}

enum di_fp_format di_fp_format_of(uint64_t bytes, const char *name)
{
	name = name ? name : "";
	switch (bytes) {
	case 2:
		return strstr(name, "bf") ? DI_FP_BRAIN : DI_FP_HALF;
	case 4:
		return DI_FP_SINGLE;
	case 8:
		return DI_FP_DOUBLE;
	case 10:
	case 12:
		return DI_FP_X87;
	case 16:
		/* _Float128, __float128, f128; Fortran says real(kind=16), Go and D have none. */
		return strstr(name, "128") || strstr(name, "kind=16") ? DI_FP_QUAD : DI_FP_X87;
	default:
		return DI_FP_NONE;
	}
}

unsigned di_fp_bits(enum di_fp_format format)
{
	const struct layout *l = layout_of(format);
	return l->fraction + l->integer + l->exponent + 1;
}

static unsigned exponent_max(const struct layout *l)
{
	return (1u << l->exponent) - 1;
}

static int bias(const struct layout *l)
{
	return (1 << (l->exponent - 1)) - 1;
}

static struct parts unpack(const struct layout *l, struct di_wide bits)
{
	unsigned stored = l->fraction + l->integer;
	unsigned field = (unsigned)di_wide_shr(bits, stored).limb[0] & exponent_max(l);
	struct parts ret = {.kind = FINITE, .negative = di_wide_bit(bits, stored + l->exponent)};
	struct di_wide fraction = di_wide_zext(bits, l->fraction);
	ret.sig = di_wide_zext(bits, stored);
	bool unit = l->integer ? di_wide_bit(bits, l->fraction) : field != 0;
	if (field == exponent_max(l)) {
		ret.kind = unit && di_wide_is_zero(fraction) ? INFINITE : NOT_A_NUMBER;
		ret.sig = fraction;
		return ret;
	}
	if (field && !unit) {
		ret.kind = NOT_A_NUMBER; /* an unnormal */
		ret.sig = fraction;
		return ret;
	}
	if (unit && !l->integer)
		ret.sig = di_wide_or(ret.sig, di_wide_shl(di_wide_from_u(1), l->fraction));
	if (di_wide_is_zero(ret.sig))
		ret.kind = ZERO;
	ret.exponent = (field ? (int)field : 1) - bias(l) - (int)l->fraction;
	return ret;
}

/* The bits from their fields; sig holds the integer bit too, which is dropped if it is implied. */
static struct di_wide assemble(
	const struct layout *l, bool negative, unsigned field, struct di_wide sig)
{
	unsigned stored = l->fraction + l->integer;
	struct di_wide top = di_wide_from_u((uint64_t)negative << l->exponent | field);
	return di_wide_or(di_wide_zext(sig, stored), di_wide_shl(top, stored));
}

static struct di_wide infinity(const struct layout *l, bool negative)
{
	struct di_wide unit = di_wide_shl(di_wide_from_u(1), l->fraction);
	return assemble(l, negative, exponent_max(l), unit);
}

/* A quiet NaN with this fraction. */
static struct di_wide quiet(const struct layout *l, bool negative, struct di_wide fraction)
{
	struct di_wide top = di_wide_shl(di_wide_from_u(3), l->fraction - 1); /* unit, quiet */
	return assemble(l, negative, exponent_max(l), di_wide_or(fraction, top));
}

static struct di_wide invalid(const struct layout *l)
{
	return quiet(l, true, (struct di_wide){0});
}

/* Rounds sig * 2^exponent; more says that a little, less than one unit of sig, was cut from it. In
 * that case sig must be longer than the format's precision by two bits or more. */
static struct di_wide pack(
	const struct layout *l, bool negative, int exponent, struct di_wide sig, bool more)
{
	unsigned precision = l->fraction + 1;
	int length = (int)di_wide_length(sig);
	if (length == 0)
		return assemble(l, negative, 0, sig);
	int lowest_normal = 1 - bias(l);
	int top = exponent + length - 1;
	int unit = (top > lowest_normal ? top : lowest_normal) - (int)precision + 1;
	if (unit <= exponent) {
		xs_assert(!more);
		sig = di_wide_shl(sig, (uint64_t)(exponent - unit));
	} else {
		uint64_t drop = (uint64_t)(unit - exponent);
		struct di_wide kept = di_wide_shr(sig, drop);
		bool half = di_wide_bit(sig, drop - 1);
		bool below = more || !di_wide_is_zero(di_wide_zext(sig, (unsigned)drop - 1));
		if (half && (below || di_wide_bit(kept, 0)))
			kept = di_wide_add(kept, di_wide_from_u(1));
		sig = kept;
	}
	if (di_wide_length(sig) > precision) { /* rounded up to the next power of two */
		sig = di_wide_shr(sig, 1);
		unit++;
	}
	if (di_wide_length(sig) < precision)
		return assemble(l, negative, 0, sig);
	int field = unit + (int)precision - 1 + bias(l);
	if (field >= (int)exponent_max(l))
		return infinity(l, negative);
	return assemble(l, negative, (unsigned)field, sig);
}

static struct di_wide multiply(const struct layout *l, const struct parts *a, const struct parts *b)
{
	bool negative = a->negative != b->negative;
	if (a->kind == INFINITE || b->kind == INFINITE)
		return a->kind == ZERO || b->kind == ZERO ? invalid(l) : infinity(l, negative);
	return pack(l, negative, a->exponent + b->exponent, di_wide_mul(a->sig, b->sig), false);
}

static struct di_wide divide(const struct layout *l, const struct parts *a, const struct parts *b)
{
	bool negative = a->negative != b->negative;
	if (a->kind == b->kind && a->kind != FINITE)
		return invalid(l);
	if (a->kind == INFINITE || b->kind == ZERO)
		return infinity(l, negative);
	if (a->kind == ZERO || b->kind == INFINITE)
		return assemble(l, negative, 0, (struct di_wide){0});
	/* 256 more bits leave a quotient of over 140, whatever the two significands are. */
	struct di_wide quot, rem;
	di_wide_divmod_u(di_wide_shl(a->sig, 256), b->sig, &quot, &rem);
	return pack(l, negative, a->exponent - 256 - b->exponent, quot, !di_wide_is_zero(rem));
}

static struct di_wide add(const struct layout *l, const struct parts *a, const struct parts *b)
{
	if (a->kind == INFINITE && b->kind == INFINITE && a->negative != b->negative)
		return invalid(l);
	if (a->kind == INFINITE || b->kind == INFINITE)
		return infinity(l, a->kind == INFINITE ? a->negative : b->negative);
	if (a->kind == ZERO && b->kind == ZERO)
		return assemble(l, a->negative && b->negative, 0, (struct di_wide){0});
	if (a->kind == ZERO || b->kind == ZERO) {
		const struct parts *other = a->kind == ZERO ? b : a;
		return pack(l, other->negative, other->exponent, other->sig, false);
	}
	const struct parts *high = a->exponent >= b->exponent ? a : b;
	const struct parts *low = high == a ? b : a;
	/* Line up on the lower exponent while 512 bits hold that; beyond, the low one is cut. */
	unsigned gap = (unsigned)(high->exponent - low->exponent);
	unsigned shift = gap < 300 ? gap : 300;
	struct di_wide x = di_wide_shl(high->sig, shift);
	struct di_wide y = di_wide_shr(low->sig, gap - shift);
	bool more = !di_wide_equal(di_wide_shl(y, gap - shift), low->sig);
	int exponent = high->exponent - (int)shift;
	if (high->negative == low->negative)
		return pack(l, high->negative, exponent, di_wide_add(x, y), more);
	if (more) /* x - (y + a little) = (x - y - 1) + the rest of the little */
		y = di_wide_add(y, di_wide_from_u(1));
	if (di_wide_equal(x, y))
		return assemble(l, false, 0, (struct di_wide){0});
	bool swapped = di_wide_compare_u(x, y) < 0;
	struct di_wide difference = swapped ? di_wide_sub(y, x) : di_wide_sub(x, y);
	return pack(l, swapped ? low->negative : high->negative, exponent, difference, more);
}

struct di_wide di_fp_binary(
	enum di_fp_format format, enum di_fp_op op, struct di_wide a, struct di_wide b)
{
	const struct layout *l = layout_of(format);
	struct parts x = unpack(l, a), y = unpack(l, b);
	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER) {
		const struct parts *nan = x.kind == NOT_A_NUMBER ? &x : &y;
		return quiet(l, nan->negative, nan->sig);
	}
	switch (op) {
	case DI_FP_MUL:
		return multiply(l, &x, &y);
	case DI_FP_DIV:
		return divide(l, &x, &y);
	case DI_FP_SUB:
		y.negative = !y.negative;
		return add(l, &x, &y);
	case DI_FP_ADD:
	default:
		return add(l, &x, &y);
	}
}

static struct di_wide sign_bit(enum di_fp_format format)
{
	return di_wide_shl(di_wide_from_u(1), di_fp_bits(format) - 1);
}

struct di_wide di_fp_negate(enum di_fp_format format, struct di_wide a)
{
	return di_wide_xor(di_wide_zext(a, di_fp_bits(format)), sign_bit(format));
}

struct di_wide di_fp_abs(enum di_fp_format format, struct di_wide a)
{
	return di_wide_zext(a, di_fp_bits(format) - 1);
}

bool di_fp_is_zero(enum di_fp_format format, struct di_wide a)
{
	return unpack(layout_of(format), a).kind == ZERO;
}

/* Which of two finite magnitudes, neither of them zero, is larger. */
static int compare_magnitude(const struct parts *a, const struct parts *b)
{
	int a_top = a->exponent + (int)di_wide_length(a->sig);
	int b_top = b->exponent + (int)di_wide_length(b->sig);
	if (a_top != b_top)
		return a_top < b_top ? -1 : 1;
	/* In one format, numbers with their top bit in the same place have the same exponent. */
	return di_wide_compare_u(a->sig, b->sig);
}

enum di_fp_order di_fp_compare(enum di_fp_format format, struct di_wide a, struct di_wide b)
{
	const struct layout *l = layout_of(format);
	struct parts x = unpack(l, a), y = unpack(l, b);
	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
		return DI_FP_UNORDERED;
	if (x.kind == ZERO && y.kind == ZERO)
		return DI_FP_EQUAL;
	if (x.kind == ZERO || y.kind == ZERO || x.negative != y.negative) {
		bool less = x.kind == ZERO ? !y.negative : x.negative;
		return less ? DI_FP_LESS : DI_FP_GREATER;
	}
	int order = (x.kind == INFINITE) - (y.kind == INFINITE);
	if (x.kind == FINITE && y.kind == FINITE)
		order = compare_magnitude(&x, &y);
	if (order == 0)
		return DI_FP_EQUAL;
	return (order < 0) != x.negative ? DI_FP_LESS : DI_FP_GREATER;
}

struct di_wide di_fp_convert(enum di_fp_format from, enum di_fp_format to, struct di_wide a)
{
	const struct layout *in = layout_of(from), *out = layout_of(to);
	struct parts x = unpack(in, a);
	if (x.kind == INFINITE)
		return infinity(out, x.negative);
	if (x.kind == NOT_A_NUMBER) { /* the fraction is lined up at its top */
		struct di_wide fraction = di_wide_shl(x.sig, out->fraction);
		return quiet(out, x.negative, di_wide_shr(fraction, in->fraction));
	}
	return pack(out, x.negative, x.exponent, x.sig, false);
}

struct di_wide di_fp_from_int(enum di_fp_format format, bool negative, struct di_wide magnitude)
{
	return pack(layout_of(format), negative, 0, magnitude, false);
}

bool di_fp_to_int(
	enum di_fp_format format, struct di_wide a, bool *negative, struct di_wide *magnitude)
{
	struct parts x = unpack(layout_of(format), a);
	if (x.kind == INFINITE || x.kind == NOT_A_NUMBER)
		return false;
	if (x.exponent + (int)di_wide_length(x.sig) > DI_WIDE_BITS)
		return false;
	*negative = x.negative;
	*magnitude = x.exponent >= 0 ? di_wide_shl(x.sig, (uint64_t)x.exponent)
				     : di_wide_shr(x.sig, (uint64_t)-x.exponent);
	return true;
}

/* The bits that text reads to. The library's own function for the format rounds once; half and
 * bfloat16 go through double, where texts as short as theirs cannot be rounded wrongly twice. */
static struct di_wide read_back(enum di_fp_format format, const char *text)
{
	struct di_wide ret = {0};
	if (format == DI_FP_QUAD) {
		__float128 value = strtof128(text, NULL);
		memcpy(&ret, &value, sizeof value);
	} else if (format == DI_FP_X87) {
		long double value = strtold(text, NULL);
		memcpy(&ret, &value, sizeof value);
		ret = di_wide_zext(ret, 80);
	} else if (format == DI_FP_SINGLE) {
		float value = strtof(text, NULL);
		memcpy(&ret, &value, sizeof value);
	} else {
		double value = strtod(text, NULL);
		memcpy(&ret, &value, sizeof value);
		ret = di_fp_convert(DI_FP_DOUBLE, format, ret);
	}
	return ret;
}

const char *di_fp_text(enum di_fp_format format, struct di_wide a, char buf[static DI_FP_TEXT])
{
	const struct layout *l = layout_of(format);
	struct parts x = unpack(l, a);
	const char *sign = x.negative ? "-" : "";
	if (x.kind == INFINITE) {
		snprintf(buf, DI_FP_TEXT, "%sinf", sign);
		return buf;
	}
	if (x.kind == NOT_A_NUMBER) {
		if (x.sig.limb[1])
			snprintf(buf, DI_FP_TEXT, "%snan(0x%llx%016llx)", sign,
				(unsigned long long)x.sig.limb[1],
				(unsigned long long)x.sig.limb[0]);
		else
			snprintf(buf, DI_FP_TEXT, "%snan(0x%llx)", sign,
				(unsigned long long)x.sig.limb[0]);
		return buf;
	}
	/* Every format fits into a quad without loss, so one function prints all of them. */
	struct di_wide as_quad = di_fp_convert(format, DI_FP_QUAD, a);
	__float128 quad;
	memcpy(&quad, &as_quad, sizeof quad);
	for (int digits = 1; digits <= l->digits; digits++) {
		char how[16];
		snprintf(how, sizeof how, "%%.%dg", digits);
		strfromf128(buf, DI_FP_TEXT, how, quad);
		if (di_wide_equal(read_back(format, buf), di_wide_zext(a, di_fp_bits(format))))
			break;
	}
	return buf;
}
