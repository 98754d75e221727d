/* wide.h - integers of 512 bits, for the typed values on a DWARF expression's stack.
 *
 * Base types may be wider than 64 bits (__int128, a 72-bit DW_OP_convert, _BitInt), so an integer
 * here is a row of limbs, in place and never allocated.
 *
 * Rules:
 * 1. A number is 512 bits in two's complement; add, sub, mul and shl wrap there.
 * 2. The number does not know its width or sign. An n-bit unsigned number is held zero-extended, an
 *    n-bit signed one sign-extended: di_wide_zext() and di_wide_sext() make the one or the other.
 */
#ifndef DI_WIDE_H
#define DI_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DI_WIDE_LIMBS 8
#define DI_WIDE_BITS  (64 * DI_WIDE_LIMBS)
#define DI_WIDE_BYTES (8 * DI_WIDE_LIMBS)
#define DI_WIDE_TEXT  160 /* room for any number in decimal, sign and NUL included */

struct di_wide {
	uint64_t limb[DI_WIDE_LIMBS]; /* least significant first */
};

struct di_wide di_wide_from_u(uint64_t value);
struct di_wide di_wide_from_s(int64_t value);
/* The first size bytes, little-endian, zero-extended; those past the 64th are left out. */
struct di_wide di_wide_from_bytes(const uint8_t *bytes, size_t size);
/* The low size bytes, little-endian; size is at most 64. */
void di_wide_to_bytes(struct di_wide a, uint8_t *ret, size_t size);

/* a cut to its low bits bits, filled with zeros or with copies of the topmost of them. */
struct di_wide di_wide_zext(struct di_wide a, unsigned bits);
struct di_wide di_wide_sext(struct di_wide a, unsigned bits);

bool di_wide_is_zero(struct di_wide a);
bool di_wide_is_negative(struct di_wide a);
bool di_wide_bit(struct di_wide a, uint64_t index); /* false past the end */
unsigned di_wide_length(struct di_wide a);          /* bits up to the topmost set one; 0 for 0 */
bool di_wide_equal(struct di_wide a, struct di_wide b);
/* Negative, 0 or positive, like memcmp. */
int di_wide_compare_u(struct di_wide a, struct di_wide b);
int di_wide_compare_s(struct di_wide a, struct di_wide b);

struct di_wide di_wide_and(struct di_wide a, struct di_wide b);
struct di_wide di_wide_or(struct di_wide a, struct di_wide b);
struct di_wide di_wide_xor(struct di_wide a, struct di_wide b);
struct di_wide di_wide_not(struct di_wide a);
/* Any count is good: what is shifted out is gone, and what comes in is zero (sar: the sign). */
struct di_wide di_wide_shl(struct di_wide a, uint64_t count);
struct di_wide di_wide_shr(struct di_wide a, uint64_t count);
struct di_wide di_wide_sar(struct di_wide a, uint64_t count);

struct di_wide di_wide_add(struct di_wide a, struct di_wide b);
struct di_wide di_wide_sub(struct di_wide a, struct di_wide b);
struct di_wide di_wide_mul(struct di_wide a, struct di_wide b);
struct di_wide di_wide_neg(struct di_wide a);
/* Quotient and remainder; b must not be zero. The signed one rounds towards zero, so that the
 * remainder has the sign of a; the one quotient that does not fit, MIN / -1, wraps to MIN. */
void di_wide_divmod_u(
	struct di_wide a, struct di_wide b, struct di_wide *quot, struct di_wide *rem);
void di_wide_divmod_s(
	struct di_wide a, struct di_wide b, struct di_wide *quot, struct di_wide *rem);

/* The number in decimal, in buf, which is also returned. */
const char *di_wide_text_u(struct di_wide a, char buf[static DI_WIDE_TEXT]);
const char *di_wide_text_s(struct di_wide a, char buf[static DI_WIDE_TEXT]);

#endif
