/* fp_test.c - floats in integers, against the processor's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/map.h"
#include "dwarf/fp.h"

__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

static uint64_t seed;

static uint64_t random64(void)
{
	return xs_mix(++seed);
}

/* Bits of a float: any, or near the ends of the exponent, or with few bits in the fraction. The
 * second of a pair is often near the first, so that sums cancel. */
static struct di_wide random_bits(enum di_fp_format format, struct di_wide near)
{
	struct di_wide ret = {.limb = {random64(), random64()}};
	uint64_t kind = random64() % 8;
	unsigned bits = di_fp_bits(format);
	if (kind == 0)
		ret = di_wide_shl(ret, random64() % bits);
	if (kind == 1)
		ret = di_wide_shr(di_wide_zext(ret, bits), random64() % bits); /* subnormal too */
	if (kind == 2)
		ret = di_wide_or(ret, di_wide_shl(di_wide_from_u(0x7f), bits - 8));
	if (kind >= 5) {
		ret = di_wide_zext(ret, (unsigned)(random64() % bits));
		ret = di_wide_xor(near, ret);
	}
	if (format == DI_FP_X87) { /* leave out what the processor refuses */
		bool normal = !di_wide_is_zero(di_wide_zext(di_wide_shr(ret, 64), 15));
		ret.limb[0] =
			normal ? ret.limb[0] | UINT64_C(1) << 63 : ret.limb[0] & UINT64_MAX >> 1;
	}
	return di_wide_zext(ret, bits);
}

/* Runs the four operations and all comparisons on the host and here; NaNs need not have the same
 * fraction, since which of two the processor takes is its own affair. */
#define AGREE(type, format, size)                                                                  \
	static void agree_##type(void)                                                             \
	{                                                                                          \
		struct di_wide a = {0}, b = {0};                                                   \
		a = random_bits(format, b), b = random_bits(format, a);                            \
		host_##type x = 0, y = 0;                                                          \
		memcpy(&x, &a, size), memcpy(&y, &b, size);                                        \
		host_##type results[] = {x + y, x - y, x * y, x / y};                              \
		for (int op = DI_FP_ADD; op <= DI_FP_DIV; op++) {                                  \
			struct di_wide have = di_fp_binary(format, (enum di_fp_op)op, a, b);       \
			struct di_wide want = {0};                                                 \
			memcpy(&want, &results[op], size);                                         \
			if (results[op] == results[op])                                            \
				assert_true(di_wide_equal(have, want));                            \
			else                                                                       \
				assert_true(is_nan(format, have));                                 \
		}                                                                                  \
		enum di_fp_order order = DI_FP_UNORDERED;                                          \
		order = x < y ? DI_FP_LESS : order;                                                \
		order = x == y ? DI_FP_EQUAL : order;                                              \
		order = x > y ? DI_FP_GREATER : order;                                             \
		assert_int_equal(di_fp_compare(format, a, b), order);                              \
		int64_t integer = (int64_t)random64() >> random64() % 64;                          \
		host_##type converted = (host_##type)integer;                                      \
		struct di_wide want = {0}, back;                                                   \
		memcpy(&want, &converted, size);                                                   \
		assert_true(di_wide_equal(from_signed(format, di_wide_from_s(integer)), want));    \
		s128 long_integer =                                                                \
			(s128)((u128)random64() << 64 | random64()) >> random64() % 128;           \
		converted = (host_##type)long_integer;                                             \
		memcpy(&want, &converted, size);                                                   \
		memcpy(&back, &long_integer, 16);                                                  \
		assert_true(di_wide_equal(from_signed(format, di_wide_sext(back, 128)), want));    \
		if (x > -0x1p63f && x < 0x1p63f) {                                                 \
			assert_true(to_signed(format, a, &back));                                  \
			assert_true(di_wide_equal(back, di_wide_from_s((int64_t)x)));              \
		}                                                                                  \
	}

typedef float host_single;
typedef double host_double;
typedef long double host_x87;
typedef __float128 host_quad;

/* The two conversions on signed numbers. */
static struct di_wide from_signed(enum di_fp_format format, struct di_wide a)
{
	bool negative = di_wide_is_negative(a);
	return di_fp_from_int(format, negative, negative ? di_wide_neg(a) : a);
}

static bool to_signed(enum di_fp_format format, struct di_wide a, struct di_wide *ret)
{
	bool negative = false;
	if (!di_fp_to_int(format, a, &negative, ret))
		return false;
	if (negative)
		*ret = di_wide_neg(*ret);
	return true;
}

static bool is_nan(enum di_fp_format format, struct di_wide a)
{
	return di_fp_compare(format, a, a) == DI_FP_UNORDERED;
}

AGREE(single, DI_FP_SINGLE, 4)
AGREE(double, DI_FP_DOUBLE, 8)
AGREE(x87, DI_FP_X87, 10)
AGREE(quad, DI_FP_QUAD, 16)

static void arithmetic_agrees_with_the_host(void **state)
{
	(void)state;
	for (int round = 0; round < 20000; round++) {
		agree_single();
		agree_double();
		agree_x87();
		agree_quad();
	}
}

#define CONVERT(from, from_format, from_size, to, to_format, to_size)                              \
	do {                                                                                       \
		struct di_wide a = random_bits(from_format, (struct di_wide){0}), want = {0};      \
		host_##from x = 0;                                                                 \
		memcpy(&x, &a, from_size);                                                         \
		host_##to y = (host_##to)x;                                                        \
		memcpy(&want, &y, to_size);                                                        \
		assert_true(di_wide_equal(di_fp_convert(from_format, to_format, a), want));        \
	} while (0)

static void conversions_agree_with_the_host_nan_payloads_too(void **state)
{
	(void)state;
	for (int round = 0; round < 20000; round++) {
		CONVERT(single, DI_FP_SINGLE, 4, double, DI_FP_DOUBLE, 8);
		CONVERT(double, DI_FP_DOUBLE, 8, single, DI_FP_SINGLE, 4);
		CONVERT(double, DI_FP_DOUBLE, 8, x87, DI_FP_X87, 10);
		CONVERT(x87, DI_FP_X87, 10, double, DI_FP_DOUBLE, 8);
		CONVERT(x87, DI_FP_X87, 10, single, DI_FP_SINGLE, 4);
		CONVERT(x87, DI_FP_X87, 10, quad, DI_FP_QUAD, 16);
		CONVERT(quad, DI_FP_QUAD, 16, x87, DI_FP_X87, 10);
		CONVERT(quad, DI_FP_QUAD, 16, double, DI_FP_DOUBLE, 8);
		CONVERT(quad, DI_FP_QUAD, 16, single, DI_FP_SINGLE, 4);
	}
}

static uint64_t narrow(enum di_fp_format from, enum di_fp_format to, uint64_t bits)
{
	return di_fp_convert(from, to, di_wide_from_u(bits)).limb[0];
}

static void half_and_bfloat16(void **state)
{
	(void)state;
	static const struct {
		enum di_fp_format format;
		uint32_t single, narrow;
	} cases[] = {
		{DI_FP_HALF, 0x3f800000, 0x3c00},  /* 1 */
		{DI_FP_HALF, 0xc0000000, 0xc000},  /* -2 */
		{DI_FP_HALF, 0x477fe000, 0x7bff},  /* 65504, the largest */
		{DI_FP_HALF, 0x477fefff, 0x7bff},  /* just below the tie */
		{DI_FP_HALF, 0x477ff000, 0x7c00},  /* the tie: to infinity */
		{DI_FP_HALF, 0x33800000, 0x0001},  /* 2^-24, the smallest */
		{DI_FP_HALF, 0x33000000, 0x0000},  /* 2^-25: a tie, to even */
		{DI_FP_HALF, 0x33000001, 0x0001},  /* just above it */
		{DI_FP_HALF, 0x387fffff, 0x0400},  /* rounds up into the normals */
		{DI_FP_HALF, 0x7f800000, 0x7c00},  /* inf */
		{DI_FP_HALF, 0xffc00000, 0xfe00},  /* nan */
		{DI_FP_BRAIN, 0x3f800000, 0x3f80}, /* 1 */
		{DI_FP_BRAIN, 0x3f808000, 0x3f80}, /* a tie, to even */
		{DI_FP_BRAIN, 0x3f818000, 0x3f82}, /* a tie, to even, upwards */
		{DI_FP_BRAIN, 0x7f7fffff, 0x7f80}, /* overflows */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(
			narrow(DI_FP_SINGLE, cases[i].format, cases[i].single), cases[i].narrow);
	for (uint32_t bits = 0; bits < 0x7c00; bits++) { /* every finite one goes there and back */
		assert_int_equal(
			narrow(DI_FP_SINGLE, DI_FP_HALF, narrow(DI_FP_HALF, DI_FP_SINGLE, bits)),
			bits);
		assert_int_equal(narrow(DI_FP_BRAIN, DI_FP_SINGLE, bits), bits << 16);
	}
}

static void what_the_x87_refuses_is_nan(void **state)
{
	(void)state;
	static const struct {
		uint64_t sig, top;
		bool nan;
	} cases[] = {
		{UINT64_C(1) << 63, 0x3fff, false}, /* 1 */
		{UINT64_C(1) << 62, 0x3fff, true},  /* an unnormal */
		{0, 0x3fff, true},                  /* a pseudo-zero */
		{UINT64_C(1) << 63, 0x7fff, false}, /* inf */
		{0, 0x7fff, true},                  /* a pseudo-infinity */
		{1, 0x7fff, true},                  /* a pseudo-nan */
		{UINT64_C(1) << 63, 0, false},      /* a pseudo-denormal: equals 2^-16382 */
		{0, 0, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct di_wide a = {.limb = {cases[i].sig, cases[i].top}};
		assert_int_equal(is_nan(DI_FP_X87, a), cases[i].nan);
	}
	struct di_wide pseudo = {.limb = {UINT64_C(1) << 63, 0}};
	struct di_wide normal = {.limb = {UINT64_C(1) << 63, 1}};
	assert_int_equal(di_fp_compare(DI_FP_X87, pseudo, normal), DI_FP_EQUAL);
	/* What lies above the 80 bits is padding. */
	normal.limb[1] |= UINT64_C(0xdead) << 16;
	assert_int_equal(di_fp_compare(DI_FP_X87, pseudo, normal), DI_FP_EQUAL);
	struct di_wide sum = di_fp_binary(DI_FP_X87, DI_FP_ADD, normal, normal);
	assert_true(sum.limb[1] == 2);
	assert_true(di_fp_negate(DI_FP_X87, normal).limb[1] == 0x8001);
	assert_true(di_fp_abs(DI_FP_X87, di_fp_negate(DI_FP_X87, normal)).limb[1] == 1);
}

static void invalid_operations_give_the_default_nan(void **state)
{
	(void)state;
	struct di_wide zero = {0}, inf = {.limb = {0x7f800000}}, minus = {.limb = {0xff800000}};
	assert_true(di_fp_binary(DI_FP_SINGLE, DI_FP_DIV, zero, zero).limb[0] == 0xffc00000);
	assert_true(di_fp_binary(DI_FP_SINGLE, DI_FP_ADD, inf, minus).limb[0] == 0xffc00000);
	assert_true(di_fp_binary(DI_FP_SINGLE, DI_FP_MUL, inf, zero).limb[0] == 0xffc00000);
	struct di_wide signalling = {.limb = {0x7fa00001}};
	assert_true(di_fp_binary(DI_FP_SINGLE, DI_FP_ADD, signalling, inf).limb[0] == 0x7fe00001);
	struct di_wide ret;
	assert_false(to_signed(DI_FP_SINGLE, inf, &ret));
	assert_false(to_signed(DI_FP_SINGLE, signalling, &ret));
	struct di_wide top = di_wide_shl(di_wide_from_u(1), 511);
	struct di_wide huge = di_fp_from_int(DI_FP_QUAD, false, top);
	bool negative;
	assert_true(di_fp_to_int(DI_FP_QUAD, huge, &negative, &ret));
	assert_true(di_wide_equal(ret, top));
	huge = di_fp_binary(DI_FP_QUAD, DI_FP_ADD, huge, huge);
	assert_false(di_fp_to_int(DI_FP_QUAD, huge, &negative, &ret));
	assert_true(di_fp_is_zero(DI_FP_SINGLE, (struct di_wide){.limb = {0x80000000}}));
	assert_false(di_fp_is_zero(DI_FP_SINGLE, (struct di_wide){.limb = {1}}));
}

static const char *text(enum di_fp_format format, uint64_t low, uint64_t high)
{
	static char buf[DI_FP_TEXT];
	return di_fp_text(format, (struct di_wide){.limb = {low, high}}, buf);
}

static void text_is_the_shortest_that_reads_back(void **state)
{
	(void)state;
	assert_string_equal(text(DI_FP_DOUBLE, 0x3fb999999999999a, 0), "0.1");
	assert_string_equal(text(DI_FP_SINGLE, 0x3dcccccd, 0), "0.1");
	assert_string_equal(text(DI_FP_HALF, 0x2e66, 0), "0.1");
	assert_string_equal(text(DI_FP_BRAIN, 0x3dcd, 0), "0.1");
	assert_string_equal(text(DI_FP_X87, 0xcccccccccccccccd, 0x3ffb), "0.1");
	assert_string_equal(text(DI_FP_QUAD, 0x999999999999999a, 0x3ffb999999999999), "0.1");
	assert_string_equal(text(DI_FP_DOUBLE, 1, 0), "5e-324");
	assert_string_equal(text(DI_FP_DOUBLE, UINT64_C(1) << 63, 0), "-0");
	assert_string_equal(text(DI_FP_DOUBLE, 0x7ff0000000000000, 0), "inf");
	assert_string_equal(text(DI_FP_SINGLE, 0xff800000, 0), "-inf");
	assert_string_equal(text(DI_FP_SINGLE, 0x7fc00001, 0), "nan(0x400001)");
	assert_string_equal(
		text(DI_FP_QUAD, 1, 0xffff800000000000), "-nan(0x8000000000000000000000000001)");
	for (int round = 0; round < 1000; round++) {
		uint64_t bits = random64();
		double value, again;
		memcpy(&value, &bits, sizeof value);
		again = strtod(text(DI_FP_DOUBLE, bits, 0), NULL);
		assert_true(value != value || value == again);
	}
}

static void the_name_tells_formats_of_one_size(void **state)
{
	(void)state;
	assert_int_equal(di_fp_format_of(16, "long double"), DI_FP_X87);
	assert_int_equal(di_fp_format_of(16, "_Float128"), DI_FP_QUAD);
	assert_int_equal(di_fp_format_of(16, "__float128"), DI_FP_QUAD);
	assert_int_equal(di_fp_format_of(16, "real(kind=10)"), DI_FP_X87);
	assert_int_equal(di_fp_format_of(16, "real(kind=16)"), DI_FP_QUAD);
	assert_int_equal(di_fp_format_of(16, NULL), DI_FP_X87);
	assert_int_equal(di_fp_format_of(10, "f80"), DI_FP_X87);
	assert_int_equal(di_fp_format_of(8, "double"), DI_FP_DOUBLE);
	assert_int_equal(di_fp_format_of(4, "float"), DI_FP_SINGLE);
	assert_int_equal(di_fp_format_of(2, "_Float16"), DI_FP_HALF);
	assert_int_equal(di_fp_format_of(2, "__bf16"), DI_FP_BRAIN);
	assert_int_equal(di_fp_format_of(3, "float"), DI_FP_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_agrees_with_the_host),
		cmocka_unit_test(conversions_agree_with_the_host_nan_payloads_too),
		cmocka_unit_test(half_and_bfloat16),
		cmocka_unit_test(what_the_x87_refuses_is_nan),
		cmocka_unit_test(invalid_operations_give_the_default_nan),
		cmocka_unit_test(text_is_the_shortest_that_reads_back),
		cmocka_unit_test(the_name_tells_formats_of_one_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
