/* value_test.c - operators on typed values: bytes of an expression, and what is on the stack's top
 * after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dwarf.h>

#include "dwarf/expr_fake.h"

struct row {
	const uint8_t *bytes;
	size_t size;
	const char *text;
};

#define X(...)     (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})
#define MINUS(n)   DW_OP_const1s, (uint8_t) - (n)
#define MIN64      DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x80
#define MAX64      DW_OP_const8u, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f
#define AS(type)   DW_OP_convert, FAKE_##type
#define BITS(type) DW_OP_reinterpret, FAKE_##type
#define S8(n)      DW_OP_const_type, FAKE_S8, 1, (uint8_t)(n)
#define U8(n)      DW_OP_const_type, FAKE_U8, 1, (uint8_t)(n)
#define FLOAT(hi)  DW_OP_const_type, FAKE_FLOAT, 4, 0, 0, (uint8_t)(hi), (uint8_t)((hi) >> 8)
#define DOUBLE(hi)                                                                                 \
	DW_OP_const_type, FAKE_DOUBLE, 8, 0, 0, 0, 0, 0, 0, (uint8_t)(hi), (uint8_t)((hi) >> 8)
#define ONE          0x3ff0 /* upper half-words of doubles */
#define ONE_AND_HALF 0x3ff8
#define TWO          0x4000
#define INF          0x7ff0
#define NAN_         0x7ff8

static void check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char buf[512], op[512];
		fake_eval(rows[i].bytes, rows[i].size, true, buf, sizeof buf);
		if (strcmp(buf, rows[i].text) != 0)
			fail_msg("%s\n\tis  %s\n\tnot %s",
				di_op_text_all(
					&fake_unit, rows[i].bytes, rows[i].size, op, sizeof op),
				buf, rows[i].text);
	}
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

static void generic_arithmetic(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_lit3, DW_OP_lit4, DW_OP_plus), "value 0x7"},
		{X(MINUS(1), DW_OP_lit1, DW_OP_plus), "value 0x0"},
		{X(DW_OP_lit3, DW_OP_lit4, DW_OP_minus), "value 0xffffffffffffffff"},
		{X(MAX64, DW_OP_lit2, DW_OP_mul), "value 0xfffffffffffffffe"},
		{X(MINUS(3), MINUS(5), DW_OP_mul), "value 0xf"},
		{X(DW_OP_lit3, DW_OP_plus_uconst, 0xff, 0x01), "value 0x102"},
		{X(MINUS(1), DW_OP_plus_uconst, 0x02), "value 0x1"},
		{X(DW_OP_lit12, DW_OP_lit10, DW_OP_and), "value 0x8"},
		{X(DW_OP_lit12, DW_OP_lit10, DW_OP_or), "value 0xe"},
		{X(DW_OP_lit12, DW_OP_lit10, DW_OP_xor), "value 0x6"},
		{X(DW_OP_lit0, DW_OP_not), "value 0xffffffffffffffff"},
		{X(DW_OP_lit5, DW_OP_neg), "value 0xfffffffffffffffb"},
		{X(MIN64, DW_OP_neg), "value 0x8000000000000000"},
		{X(MINUS(5), DW_OP_abs), "value 0x5"},
		{X(DW_OP_lit5, DW_OP_abs), "value 0x5"},
		{X(MIN64, DW_OP_abs), "value 0x8000000000000000"},
	};
	CHECK(rows);
}

static void generic_div_is_signed_and_mod_is_not(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(MINUS(10), DW_OP_lit3, DW_OP_div), "value 0xfffffffffffffffd"},
		{X(DW_OP_lit10, MINUS(3), DW_OP_div), "value 0xfffffffffffffffd"},
		{X(MINUS(10), MINUS(3), DW_OP_div), "value 0x3"},
		{X(MIN64, MINUS(1), DW_OP_div), "value 0x8000000000000000"},
		{X(DW_OP_lit7, DW_OP_lit2, DW_OP_div), "value 0x3"},
		{X(MINUS(1), DW_OP_lit10, DW_OP_mod), "value 0x5"}, /* 2^64 - 1 mod 10 */
		{X(DW_OP_lit10, MINUS(3), DW_OP_mod), "value 0xa"},
		{X(DW_OP_lit10, DW_OP_lit0, DW_OP_div),
			"error: DW_OP_div at +0x2: division by zero"},
		{X(DW_OP_lit10, DW_OP_lit0, DW_OP_mod),
			"error: DW_OP_mod at +0x2: division by zero"},
	};
	CHECK(rows);
}

static void generic_shifts(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DW_OP_lit1, DW_OP_const1u, 63, DW_OP_shl), "value 0x8000000000000000"},
		{X(DW_OP_lit3, DW_OP_const1u, 63, DW_OP_shl), "value 0x8000000000000000"},
		{X(DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl), "value 0x0"},
		{X(DW_OP_lit1, MINUS(1), DW_OP_shl), "value 0x0"},
		{X(MINUS(8), DW_OP_lit1, DW_OP_shr), "value 0x7ffffffffffffffc"},
		{X(MINUS(8), DW_OP_const1u, 64, DW_OP_shr), "value 0x0"},
		{X(MINUS(8), DW_OP_lit1, DW_OP_shra), "value 0xfffffffffffffffc"},
		{X(DW_OP_lit8, DW_OP_lit1, DW_OP_shra), "value 0x4"},
		{X(MINUS(8), DW_OP_const1u, 200, DW_OP_shra), "value 0xffffffffffffffff"},
		{X(DW_OP_lit8, DW_OP_const1u, 64, DW_OP_shra), "value 0x0"},
	};
	CHECK(rows);
}

static void generic_comparisons_are_signed(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(MINUS(1), DW_OP_lit1, DW_OP_lt), "value 0x1"},
		{X(MINUS(1), DW_OP_lit1, DW_OP_le), "value 0x1"},
		{X(MINUS(1), DW_OP_lit1, DW_OP_gt), "value 0x0"},
		{X(MINUS(1), DW_OP_lit1, DW_OP_ge), "value 0x0"},
		{X(MIN64, MAX64, DW_OP_lt), "value 0x1"},
		{X(MINUS(1), DW_OP_lit1, DW_OP_eq), "value 0x0"},
		{X(MINUS(1), DW_OP_lit1, DW_OP_ne), "value 0x1"},
		{X(DW_OP_lit1, DW_OP_lit1, DW_OP_eq), "value 0x1"},
		{X(DW_OP_lit1, DW_OP_lit1, DW_OP_ne), "value 0x0"},
		{X(DW_OP_lit1, DW_OP_lit1, DW_OP_le), "value 0x1"},
		{X(DW_OP_lit1, DW_OP_lit1, DW_OP_lt), "value 0x0"},
		{X(DW_OP_lit2, DW_OP_lit1, DW_OP_ge), "value 0x1"},
		{X(DW_OP_lit2, DW_OP_lit1, DW_OP_gt), "value 0x1"},
	};
	CHECK(rows);
}

static void a_base_type_brings_its_own_sign(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(S8(-128), S8(-1), DW_OP_div), "value -128 (signed 8)"},
		{X(S8(-7), S8(2), DW_OP_div), "value -3 (signed 8)"},
		{X(S8(-7), S8(2), DW_OP_mod), "value -1 (signed 8)"},
		{X(S8(7), S8(-2), DW_OP_mod), "value 1 (signed 8)"},
		{X(U8(249), U8(2), DW_OP_div), "value 124 (unsigned 8)"},
		{X(U8(249), U8(2), DW_OP_mod), "value 1 (unsigned 8)"},
		{X(U8(249), U8(0), DW_OP_mod), "error: DW_OP_mod at +0x8: division by zero"},
		{X(S8(-1), S8(1), DW_OP_lt), "value 0x1"},
		{X(U8(255), U8(1), DW_OP_lt), "value 0x0"},
		{X(U8(255), U8(1), DW_OP_ge), "value 0x1"},
		{X(S8(127), S8(1), DW_OP_plus), "value -128 (signed 8)"},
		{X(U8(255), U8(1), DW_OP_plus), "value 0 (unsigned 8)"},
		{X(U8(0), U8(1), DW_OP_minus), "value 255 (unsigned 8)"},
		{X(S8(100), S8(3), DW_OP_mul), "value 44 (signed 8)"},
		{X(S8(-128), DW_OP_neg), "value -128 (signed 8)"},
		{X(S8(-128), DW_OP_abs), "value -128 (signed 8)"},
		{X(S8(-127), DW_OP_abs), "value 127 (signed 8)"},
		{X(U8(200), DW_OP_abs), "value 200 (unsigned 8)"},
		{X(U8(1), DW_OP_neg), "value 255 (unsigned 8)"},
		{X(U8(1), DW_OP_not), "value 254 (unsigned 8)"},
		{X(U8(250), DW_OP_plus_uconst, 10), "value 4 (unsigned 8)"},
		{X(S8(-1), DW_OP_plus_uconst, 10), "value 9 (signed 8)"},
		/* shr and shra decide themselves */
		{X(S8(-8), S8(1), DW_OP_shr), "value 124 (signed 8)"},
		{X(S8(-8), S8(1), DW_OP_shra), "value -4 (signed 8)"},
		{X(U8(248), U8(1), DW_OP_shr), "value 124 (unsigned 8)"},
		{X(U8(248), U8(1), DW_OP_shra), "value 252 (unsigned 8)"},
		{X(U8(1), U8(8), DW_OP_shl), "value 0 (unsigned 8)"},
		{X(S8(1), S8(7), DW_OP_shl), "value -128 (signed 8)"},
		{X(S8(1), S8(-1), DW_OP_shl), "error: DW_OP_shl at +0x8: shift by -1"},
		{X(S8(1), S8(-1), DW_OP_shr), "error: DW_OP_shr at +0x8: shift by -1"},
		{X(DW_OP_lit5, AS(ADDRESS), MINUS(1), AS(ADDRESS), DW_OP_lt), "value 0x1"},
		{X(DW_OP_lit5, AS(BOOL), DW_OP_lit1, AS(BOOL), DW_OP_eq), "value 0x1"},
		{X(DW_OP_const1u, 0x7f, AS(U7), DW_OP_lit1, AS(U7), DW_OP_plus),
			"value 0 (unsigned 7)"},
	};
	CHECK(rows);
}

static void operands_must_have_one_type(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(S8(1), DW_OP_lit1, DW_OP_plus), "error: DW_OP_plus at +0x5: operands are signed "
						   "8 and generic, not of one type"},
		{X(S8(1), U8(1), DW_OP_eq), "error: DW_OP_eq at +0x8: operands are signed 8 and "
					    "unsigned 8, not of one type"},
		{X(DW_OP_lit1, AS(U64), DW_OP_lit1, DW_OP_shl),
			"error: DW_OP_shl at +0x4: operands are unsigned 64 and generic, not of "
			"one type"},
		{X(DOUBLE(ONE), FLOAT(0x3f80), DW_OP_plus), "error: DW_OP_plus at +0x12: operands "
							    "are float 64 and float 32, not of one "
							    "type"},
		{X(DW_OP_lit1, AS(LONG_DOUBLE), DW_OP_lit1, AS(FLOAT128), DW_OP_mul),
			"error: DW_OP_mul at +0x6: operands are float 128 and float 128, not of "
			"one "
			"type"},
		{X(DW_OP_lit1, AS(S32), DW_OP_const_type, FAKE_S32, 4, 2, 0, 0, 0, DW_OP_plus),
			"value 3 (signed 32)"},
	};
	CHECK(rows);
}

static void wider_than_64_bits(void **state)
{
	(void)state;
	const struct row rows[] = {
		/* What gdb 13 cannot do: 2^64 - 1 plus itself in 72 bits. */
		{X(MINUS(1), AS(S72), DW_OP_dup, DW_OP_plus),
			"value 36893488147419103230 (signed 72)"},
		{X(MINUS(1), AS(S64), AS(S72)), "value -1 (signed 72)"},
		{X(MINUS(1), AS(U64), AS(S72)), "value 18446744073709551615 (signed 72)"},
		{X(DW_OP_lit1, AS(S72), DW_OP_const1u, 71, AS(S72), DW_OP_shl),
			"value -2361183241434822606848 (signed 72)"},
		{X(DW_OP_lit1, AS(S72), DW_OP_const1u, 72, AS(S72), DW_OP_shl),
			"value 0 (signed 72)"},
		{X(DW_OP_lit1, AS(S72), DW_OP_const1u, 71, AS(S72), DW_OP_shl, DW_OP_dup,
			 DW_OP_lit1, AS(S72), DW_OP_shra, DW_OP_swap, DW_OP_div),
			"value 0 (signed 72)"},
		{X(DW_OP_lit1, AS(S72), DW_OP_const1u, 70, AS(S72), DW_OP_shl, AS(S64)),
			"value 0 (signed 64)"},
		{X(MAX64, AS(U128), DW_OP_dup, DW_OP_mul),
			"value 85070591730234615847396907784232501249 (unsigned 128)"},
		{X(MAX64, AS(U128), DW_OP_dup, DW_OP_dup, DW_OP_mul, DW_OP_swap, DW_OP_div),
			"value 9223372036854775807 (unsigned 128)"},
		{X(DW_OP_lit0, AS(S128), DW_OP_lit1, AS(S128), DW_OP_minus, DW_OP_lit7, AS(S128),
			 DW_OP_div),
			"value 0 (signed 128)"},
		{X(DW_OP_lit0, AS(U128), DW_OP_lit1, AS(U128), DW_OP_minus, DW_OP_lit10, AS(U128),
			 DW_OP_mod),
			"value 5 (unsigned 128)"},
		{X(DW_OP_lit0, AS(S128), DW_OP_not, DW_OP_lit0, AS(S128), DW_OP_lt), "value 0x1"},
		{X(DW_OP_lit0, AS(U128), DW_OP_not, DW_OP_lit0, AS(U128), DW_OP_lt), "value 0x0"},
		{X(DW_OP_lit0, AS(U512), DW_OP_not, DW_OP_const2u, 0xfe, 1, AS(U512), DW_OP_shr),
			"value 3 (unsigned 512)"},
		{X(DW_OP_lit0, AS(U512), DW_OP_not, DW_OP_abs, DW_OP_const2u, 0xff, 1, AS(U512),
			 DW_OP_shr),
			"value 1 (unsigned 512)"},
		{X(DW_OP_lit1, AS(U1024)), "error: DW_OP_convert <0x114> at +0x1: base type "
					   "<0x114> has 1024 bits in 128 bytes, not 1 to 512"},
		{X(DW_OP_lit1, AS(FLOAT24)), "error: DW_OP_convert <0x115> at +0x1: base type "
					     "<0x115> is a float of 24 bits, a format not known"},
		{X(DW_OP_lit1, DW_OP_convert, 0x20),
			"error: DW_OP_convert <0x120> at +0x1: the DIE at .debug_info+0x120 is no "
			"base type"},
	};
	CHECK(rows);
}

static void conversions(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(MINUS(1), AS(S8)), "value -1 (signed 8)"},
		{X(MINUS(1), AS(U8)), "value 255 (unsigned 8)"},
		{X(DW_OP_const2u, 0x80, 0x01, AS(S8)), "value -128 (signed 8)"},
		{X(S8(-1), AS(U32)), "value 4294967295 (unsigned 32)"},
		{X(U8(255), AS(S32)), "value 255 (signed 32)"},
		{X(S8(-2), DW_OP_convert, 0), "value 0xfffffffffffffffe"},
		{X(U8(254), DW_OP_convert, 0), "value 0xfe"},
		{X(MINUS(1), AS(S128)), "value 18446744073709551615 (signed 128)"},
		{X(DW_OP_lit7, AS(BOOL)), "value 1 (bool 8)"},
		{X(DW_OP_lit0, AS(BOOL)), "value 0 (bool 8)"},
		{X(DW_OP_const2u, 0, 1, AS(BOOL)), "value 1 (bool 8)"}, /* its low byte is 0 */
		{X(MINUS(3), AS(S64), AS(DOUBLE)), "value -3 (float 64)"},
		{X(MINUS(1), AS(DOUBLE)), "value 1.8446744073709552e+19 (float 64)"},
		{X(DW_OP_lit3, AS(LONG_DOUBLE)), "value 3 (float 128)"},
		{X(DW_OP_lit3, AS(FLOAT128), AS(HALF)), "value 3 (float 16)"},
		{X(DW_OP_lit0, AS(U512), DW_OP_not, AS(FLOAT128)),
			"value 1.3407807929942597099574024998205846e+154 (float 128)"},
		{X(DW_OP_lit0, AS(U512), DW_OP_not, AS(FLOAT)), "value inf (float 32)"},
		{X(DOUBLE(ONE_AND_HALF), AS(S32)), "value 1 (signed 32)"},
		{X(DOUBLE(ONE_AND_HALF), DW_OP_neg, AS(S32)), "value -1 (signed 32)"},
		{X(DOUBLE(ONE_AND_HALF), DW_OP_neg, AS(U32)),
			"error: DW_OP_convert <0x105> at +0xc: -1.5 does not fit into unsigned 32"},
		{X(DOUBLE(ONE_AND_HALF), DW_OP_neg, DW_OP_convert, 0), "value 0xffffffffffffffff"},
		{X(DOUBLE(0xbfe0), AS(U32)), "value 0 (unsigned 32)"}, /* -0.5 */
		{X(DOUBLE(0xc060), AS(S8)), "value -128 (signed 8)"},  /* -128 */
		{X(DOUBLE(0x4060), AS(S8)),
			"error: DW_OP_convert <0x101> at +0xb: 128 does not fit into signed 8"},
		{X(DOUBLE(0x4060), AS(U8)), "value 128 (unsigned 8)"},
		{X(DOUBLE(0x4070), AS(U8)),
			"error: DW_OP_convert <0x102> at +0xb: 256 does not fit into unsigned 8"},
		{X(DOUBLE(INF), AS(S64)),
			"error: DW_OP_convert <0x106> at +0xb: inf does not fit into signed 64"},
		{X(DOUBLE(NAN_), AS(S64)), "error: DW_OP_convert <0x106> at +0xb: "
					   "nan(0x8000000000000) does not fit into signed 64"},
		{X(DOUBLE(NAN_), AS(BOOL)), "value 1 (bool 8)"},
		{X(DOUBLE(0x8000), AS(BOOL)), "value 0 (bool 8)"}, /* -0.0 */
		{X(DOUBLE(ONE_AND_HALF), AS(FLOAT), AS(LONG_DOUBLE), AS(FLOAT128), AS(DOUBLE)),
			"value 1.5 (float 64)"},
		{X(DW_OP_lit5, DW_OP_GNU_convert, FAKE_S32), "value 5 (signed 32)"},
		{X(S8(-2), DW_OP_GNU_convert, 0), "value 0xfffffffffffffffe"},
	};
	CHECK(rows);
}

static void reinterpretations(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(S8(-1), BITS(U8)), "value 255 (unsigned 8)"},
		{X(U8(2), BITS(BOOL)), "value 2 (bool 8)"},
		{X(DOUBLE(ONE_AND_HALF), BITS(U64)), "value 4609434218613702656 (unsigned 64)"},
		{X(DOUBLE(ONE_AND_HALF), DW_OP_reinterpret, 0), "value 0x3ff8000000000000"},
		{X(DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, BITS(DOUBLE)),
			"value 1.5 (float 64)"},
		{X(DW_OP_lit1, BITS(S32)), "error: DW_OP_reinterpret <0x104> at +0x1: operand has "
					   "64 bits, the type 32"},
		{X(S8(-1), DW_OP_GNU_reinterpret, FAKE_U8), "value 255 (unsigned 8)"},
		{X(DW_OP_lit1, AS(LONG_DOUBLE), BITS(U128)),
			"value 302222231531620438900736 (unsigned 128)"}, /* 0x3fff8000... */
		{X(DW_OP_lit1, AS(FLOAT128), BITS(U128), DW_OP_const1u, 112, AS(U128), DW_OP_shr),
			"value 16383 (unsigned 128)"},
	};
	CHECK(rows);
}

static void floats(void **state)
{
	(void)state;
	const struct row rows[] = {
		{X(DOUBLE(ONE_AND_HALF), DOUBLE(TWO), DW_OP_plus), "value 3.5 (float 64)"},
		{X(DOUBLE(ONE_AND_HALF), DOUBLE(TWO), DW_OP_minus), "value -0.5 (float 64)"},
		{X(DOUBLE(ONE_AND_HALF), DOUBLE(TWO), DW_OP_mul), "value 3 (float 64)"},
		{X(DOUBLE(ONE_AND_HALF), DOUBLE(TWO), DW_OP_div), "value 0.75 (float 64)"},
		{X(DOUBLE(ONE), DOUBLE(0), DW_OP_div), "value inf (float 64)"},
		{X(DOUBLE(ONE), DW_OP_neg), "value -1 (float 64)"},
		{X(DOUBLE(ONE), DW_OP_neg, DW_OP_abs), "value 1 (float 64)"},
		{X(DOUBLE(0), DW_OP_neg), "value -0 (float 64)"},
		{X(FLOAT(0x3f80), FLOAT(0x4040), DW_OP_div), "value 0.33333334 (float 32)"},
		{X(DW_OP_lit1, AS(LONG_DOUBLE), DW_OP_lit3, AS(LONG_DOUBLE), DW_OP_div),
			"value 0.33333333333333333334 (float 128)"},
		{X(DW_OP_lit1, AS(FLOAT128), DW_OP_lit3, AS(FLOAT128), DW_OP_div),
			"value 0.3333333333333333333333333333333333 (float 128)"},
		{X(DW_OP_lit1, AS(HALF), DW_OP_lit3, AS(HALF), DW_OP_div),
			"value 0.3333 (float 16)"},
		{X(DOUBLE(ONE), DOUBLE(TWO), DW_OP_lt), "value 0x1"},
		{X(DOUBLE(ONE), DOUBLE(TWO), DW_OP_ge), "value 0x0"},
		{X(DOUBLE(0), DOUBLE(0x8000), DW_OP_eq), "value 0x1"},
		{X(DOUBLE(NAN_), DOUBLE(NAN_), DW_OP_eq), "value 0x0"},
		{X(DOUBLE(NAN_), DOUBLE(NAN_), DW_OP_ne), "value 0x1"},
		{X(DOUBLE(NAN_), DOUBLE(ONE), DW_OP_le), "value 0x0"},
		{X(DOUBLE(NAN_), DOUBLE(ONE), DW_OP_ge), "value 0x0"},
		{X(DOUBLE(NAN_), DOUBLE(ONE), DW_OP_lt), "value 0x0"},
		{X(DOUBLE(NAN_), DOUBLE(ONE), DW_OP_gt), "value 0x0"},
	};
	CHECK(rows);
}

static void what_floats_do_not_have(void **state)
{
	(void)state;
	static const struct {
		uint8_t code;
		const char *name;
	} operators[] = {
		{DW_OP_and, "DW_OP_and"},
		{DW_OP_or, "DW_OP_or"},
		{DW_OP_xor, "DW_OP_xor"},
		{DW_OP_mod, "DW_OP_mod"},
		{DW_OP_shl, "DW_OP_shl"},
		{DW_OP_shr, "DW_OP_shr"},
		{DW_OP_shra, "DW_OP_shra"},
		{DW_OP_not, "DW_OP_not"},
		{DW_OP_deref, "DW_OP_deref"},
		{DW_OP_xderef, "DW_OP_xderef"},
		{DW_OP_form_tls_address, "DW_OP_form_tls_address"},
	};
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		uint8_t bytes[] = {DOUBLE(ONE), DW_OP_dup, operators[i].code};
		char buf[256], want[256];
		snprintf(want, sizeof want,
			"error: %s at +0xc: operand is float 64, not an integer",
			operators[i].name);
		assert_string_equal(fake_eval(bytes, sizeof bytes, true, buf, sizeof buf), want);
	}
	const struct row rows[] = {
		{X(DOUBLE(ONE), DW_OP_plus_uconst, 1),
			"error: DW_OP_plus_uconst 1 at +0xb: operand "
			"is float 64, not an integer"},
		{X(DOUBLE(ONE), DW_OP_bra, 0, 0),
			"error: DW_OP_bra to +0xe at +0xb: operand is float 64, not an integer"},
	};
	CHECK(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generic_arithmetic),
		cmocka_unit_test(generic_div_is_signed_and_mod_is_not),
		cmocka_unit_test(generic_shifts),
		cmocka_unit_test(generic_comparisons_are_signed),
		cmocka_unit_test(a_base_type_brings_its_own_sign),
		cmocka_unit_test(operands_must_have_one_type),
		cmocka_unit_test(wider_than_64_bits),
		cmocka_unit_test(conversions),
		cmocka_unit_test(reinterpretations),
		cmocka_unit_test(floats),
		cmocka_unit_test(what_floats_do_not_have),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
