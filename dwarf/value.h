/* value.h - typed values on the stack of a DWARF expression, and what operators do to them.
 *
 * A value has the generic type (as wide as an address, of no particular sign) or a base type. The
 * readings this house takes where DWARF 5, 2.5.1.4, leaves room:
 * 1. Two operands must have the same type: same kind, same width, same float format. That they come
 *    from two DIEs does not make them different. (clang 15 breaks this, it ands an unsigned_64 with
 *    a generic 1: its fault, and an error here.)
 * 2. On the generic type div, abs, neg and the comparisons are signed, all else is unsigned. A base
 *    type brings its own sign; only shr (never signed) and shra (always) are the operator's choice.
 * 3. Integers wrap at the width of their type, MIN / -1 and the negation of MIN too.
 * 4. A shift by the width or more leaves nothing (shra: the sign); by a negative count is an error.
 * 5. Floats have abs, neg, plus, minus, mul, div and the comparisons; all else on them is an error.
 *    Dividing a float by zero gives an infinity or a NaN; an integer, an error.
 * 6. The generic type converts as an unsigned number. A float converts to an integer by cutting its
 *    fraction; one that does not fit is an error. */
#ifndef DI_VALUE_H
#define DI_VALUE_H

#include "dwarf/answer.h"
#include "dwarf/fp.h"
#include "dwarf/wide.h"

enum di_base_kind {
	DI_BASE_GENERIC,  /* DWARF's own type for addresses */
	DI_BASE_SIGNED,   /* DW_ATE_signed, signed_char, ... */
	DI_BASE_UNSIGNED, /* DW_ATE_unsigned, unsigned_char, UTF, ... */
	DI_BASE_BOOL,     /* DW_ATE_boolean: unsigned, but converting to it yields 0 or 1 */
	DI_BASE_ADDRESS,  /* DW_ATE_address: unsigned */
	DI_BASE_FLOAT,    /* DW_ATE_float */
};

struct di_base {
	enum di_base_kind kind;
	enum di_fp_format format; /* of a float, else DI_FP_NONE */
	unsigned bits;            /* width of the value: 1 to DI_WIDE_BITS */
	unsigned bytes;           /* size in memory, room for bits or more */
	uint64_t die;             /* offset of its DIE, for the reader; no part of the type */
};

struct di_value {
	struct di_base type;
	struct di_wide bits; /* zero-extended from type.bits, whatever the kind */
};

#define DI_BASE_TEXT  32                                /* room for a type's text */
#define DI_VALUE_TEXT (DI_WIDE_TEXT + DI_BASE_TEXT + 8) /* room for a value's text */

struct di_base di_base_generic(unsigned address_size);
/* Whether values of this type can be held; the answer says why not. */
bool di_base_check(const struct di_base *type, struct di_answer *answer);
bool di_base_equal(const struct di_base *a, const struct di_base *b);
/* `generic`, `signed 72`, `float 64`; in buf, which is also returned. */
const char *di_base_text(const struct di_base *type, char buf[static DI_BASE_TEXT]);

/* What that text needs, in one number, and back. */
uint64_t di_base_pack(const struct di_base *type);
struct di_base di_base_unpack(uint64_t packed);

struct di_value di_value_make(const struct di_base *type, struct di_wide bits);
bool di_value_is_integral(const struct di_value *a);
/* The value as an address or another number of 64 bits: extended or cut to them. */
uint64_t di_value_u64(const struct di_value *a);
/* The value as the number it is: sign-extended if its type is signed. Not for floats. */
struct di_wide di_value_number(const struct di_value *a);

/* op is DW_OP_abs, neg or not. False, with the reason in answer, if it cannot be done. */
bool di_value_unary(
	uint8_t op, const struct di_value *a, struct di_value *ret, struct di_answer *answer);
/* `a op b`: op is one of and, div, minus, mod, mul, or, plus, shl, shr, shra, xor, eq, ge, gt, le,
 * lt, ne. A comparison's result has the type generic. */
bool di_value_binary(uint8_t op, const struct di_value *a, const struct di_value *b,
	const struct di_base *generic, struct di_value *ret, struct di_answer *answer);
bool di_value_convert(const struct di_value *a, const struct di_base *type, struct di_value *ret,
	struct di_answer *answer);
/* The same bits as another type of the same width. */
bool di_value_reinterpret(const struct di_value *a, const struct di_base *type,
	struct di_value *ret, struct di_answer *answer);

/* `0x2a` for the generic type, else `-3 (signed 32)`, `1.5 (float 64)`; in buf, also returned. */
const char *di_value_text(const struct di_value *a, char buf[static DI_VALUE_TEXT]);

/* DW_OP_dup, drop, over, pick, swap or rot, on a stack with room for one more and with the values
 * that the operator takes. False if pick reaches below its end. */
bool di_value_shuffle(unsigned code, uint64_t operand, struct di_value *stack, size_t *count);

#endif
