/* fp.h - floating-point numbers of the target, worked out in integers.
 *
 * A float is held as its bits (a di_wide) and a format. Nothing here uses the host's floats, so the
 * result depends neither on the compiler nor on the rounding mode, and formats that the host's C
 * has no type for (half, bfloat16) cost nothing extra.
 *
 * Rules:
 * 1. Every result is the exact one rounded once, to nearest, ties to even.
 * 2. A NaN operand comes out quiet, the first one first; an invalid operation (inf - inf, 0 / 0)
 *    yields the quiet NaN with the sign set, as x86 does.
 * 3. x87 encodings that the processor refuses (unnormals, pseudo-infinities) count as NaN.
 * 4. The bits above the format's own (x87: 80 of 128) are ignored in operands and 0 in results. */
#ifndef DI_FP_H
#define DI_FP_H

#include "dwarf/wide.h"

enum di_fp_format {
	DI_FP_NONE,   /* not a float */
	DI_FP_HALF,   /* IEEE binary16, _Float16 */
	DI_FP_BRAIN,  /* bfloat16: the upper half of a single */
	DI_FP_SINGLE, /* IEEE binary32, float */
	DI_FP_DOUBLE, /* IEEE binary64, double */
	DI_FP_X87,    /* 80 bits with explicit integer bit, long double */
	DI_FP_QUAD,   /* IEEE binary128, _Float128 */
};

enum di_fp_op {
	DI_FP_ADD,
	DI_FP_SUB,
	DI_FP_MUL,
	DI_FP_DIV,
};

enum di_fp_order {
	DI_FP_LESS,
	DI_FP_EQUAL,
	DI_FP_GREATER,
	DI_FP_UNORDERED, /* at least one NaN */
};

#define DI_FP_TEXT 64 /* room for any float's text */

/* The format of a float base type of this many bytes. The size alone does not tell long double and
 * _Float128 (both 16 bytes), nor half and bfloat16: for those the name decides. DI_FP_NONE if no
 * format has that size. */
enum di_fp_format di_fp_format_of(uint64_t bytes, const char *name);
/* How many bits of storage mean something: 16, 32, 64, 80 or 128. */
unsigned di_fp_bits(enum di_fp_format format);

struct di_wide di_fp_binary(
	enum di_fp_format format, enum di_fp_op op, struct di_wide a, struct di_wide b);
struct di_wide di_fp_negate(enum di_fp_format format, struct di_wide a);
struct di_wide di_fp_abs(enum di_fp_format format, struct di_wide a);
enum di_fp_order di_fp_compare(enum di_fp_format format, struct di_wide a, struct di_wide b);
bool di_fp_is_zero(enum di_fp_format format, struct di_wide a); /* of either sign */

struct di_wide di_fp_convert(enum di_fp_format from, enum di_fp_format to, struct di_wide a);
/* magnitude, with a minus if negative. */
struct di_wide di_fp_from_int(enum di_fp_format format, bool negative, struct di_wide magnitude);
/* Rounded towards zero, as a cast in C; false for a NaN, an infinity and what needs over 512 bits.
 */
bool di_fp_to_int(
	enum di_fp_format format, struct di_wide a, bool *negative, struct di_wide *magnitude);

/* The shortest decimal text that reads back to the same bits; `inf`, `-inf`, `nan(0x..)` with the
 * fraction bits. In buf, which is also returned. */
const char *di_fp_text(enum di_fp_format format, struct di_wide a, char buf[static DI_FP_TEXT]);

#endif
