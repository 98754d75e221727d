#include "dwarf/wide.h"

#include <string.h>

#include "base/error.h"

/* Both compilers have it on x86-64; ISO C has no name for it, hence the __extension__. */
__extension__ typedef unsigned __int128 u128;

struct di_wide di_wide_from_u(uint64_t value)
{
	return (struct di_wide){.limb = {value}};
}

struct di_wide di_wide_from_s(int64_t value)
{
	struct di_wide ret;
	memset(&ret, value < 0 ? 0xff : 0, sizeof ret);
	ret.limb[0] = (uint64_t)value;
	return ret;
}

struct di_wide di_wide_from_bytes(const uint8_t *bytes, size_t size)
{
	struct di_wide ret = {0};
	for (size_t i = 0; i < size && i < DI_WIDE_BYTES; i++)
		ret.limb[i / 8] |= (uint64_t)bytes[i] << (i % 8 * 8);
	return ret;
}

void di_wide_to_bytes(struct di_wide a, uint8_t *ret, size_t size)
{
	xs_assert(size <= DI_WIDE_BYTES);
	for (size_t i = 0; i < size; i++)
		ret[i] = (uint8_t)(a.limb[i / 8] >> (i % 8 * 8));
}

/* Sets the bits of a from index bits on; called on every value, so it goes limb by limb. */
static struct di_wide fill(struct di_wide a, unsigned bits, bool ones)
{
	unsigned limb = bits / 64;
	uint64_t mask = UINT64_MAX << bits % 64;
	if (limb >= DI_WIDE_LIMBS)
		return a;
	a.limb[limb] = ones ? a.limb[limb] | mask : a.limb[limb] & ~mask;
	for (unsigned i = limb + 1; i < DI_WIDE_LIMBS; i++)
		a.limb[i] = ones ? UINT64_MAX : 0;
	return a;
}

struct di_wide di_wide_zext(struct di_wide a, unsigned bits)
{
	return fill(a, bits, false);
}

struct di_wide di_wide_sext(struct di_wide a, unsigned bits)
{
	return fill(a, bits, bits > 0 && di_wide_bit(a, bits - 1));
}

bool di_wide_is_zero(struct di_wide a)
{
	return di_wide_length(a) == 0;
}

bool di_wide_is_negative(struct di_wide a)
{
	return a.limb[DI_WIDE_LIMBS - 1] >> 63;
}

bool di_wide_bit(struct di_wide a, uint64_t index)
{
	return index < DI_WIDE_BITS && a.limb[index / 64] >> index % 64 & 1;
}

unsigned di_wide_length(struct di_wide a)
{
	for (unsigned i = DI_WIDE_LIMBS; i-- > 0;)
		if (a.limb[i])
			return 64 * i + 64 - (unsigned)__builtin_clzll(a.limb[i]);
	return 0;
}

bool di_wide_equal(struct di_wide a, struct di_wide b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

int di_wide_compare_u(struct di_wide a, struct di_wide b)
{
	for (unsigned i = DI_WIDE_LIMBS; i-- > 0;)
		if (a.limb[i] != b.limb[i])
			return a.limb[i] < b.limb[i] ? -1 : 1;
	return 0;
}

int di_wide_compare_s(struct di_wide a, struct di_wide b)
{
	if (di_wide_is_negative(a) != di_wide_is_negative(b))
		return di_wide_is_negative(a) ? -1 : 1;
	return di_wide_compare_u(a, b);
}

struct di_wide di_wide_and(struct di_wide a, struct di_wide b)
{
	for (unsigned i = 0; i < DI_WIDE_LIMBS; i++)
		a.limb[i] &= b.limb[i];
	return a;
}

struct di_wide di_wide_or(struct di_wide a, struct di_wide b)
{
	for (unsigned i = 0; i < DI_WIDE_LIMBS; i++)
		a.limb[i] |= b.limb[i];
	return a;
}

struct di_wide di_wide_xor(struct di_wide a, struct di_wide b)
{
	for (unsigned i = 0; i < DI_WIDE_LIMBS; i++)
		a.limb[i] ^= b.limb[i];
	return a;
}

struct di_wide di_wide_not(struct di_wide a)
{
	for (unsigned i = 0; i < DI_WIDE_LIMBS; i++)
		a.limb[i] = ~a.limb[i];
	return a;
}

struct di_wide di_wide_shl(struct di_wide a, uint64_t count)
{
	struct di_wide ret = {0};
	if (count >= DI_WIDE_BITS)
		return ret;
	unsigned limbs = (unsigned)count / 64, bits = (unsigned)count % 64;
	for (unsigned i = DI_WIDE_LIMBS; i-- > limbs;) {
		ret.limb[i] = a.limb[i - limbs] << bits;
		if (bits && i > limbs)
			ret.limb[i] |= a.limb[i - limbs - 1] >> (64 - bits);
	}
	return ret;
}

/* Both shifts to the right; fill is what comes in at the top. */
static struct di_wide shift_right(struct di_wide a, uint64_t count, uint64_t fill)
{
	struct di_wide ret;
	memset(&ret, fill ? 0xff : 0, sizeof ret);
	if (count >= DI_WIDE_BITS)
		return ret;
	unsigned limbs = (unsigned)count / 64, bits = (unsigned)count % 64;
	for (unsigned i = 0; i + limbs < DI_WIDE_LIMBS; i++) {
		uint64_t above = i + limbs + 1 < DI_WIDE_LIMBS ? a.limb[i + limbs + 1] : fill;
		ret.limb[i] = a.limb[i + limbs] >> bits;
		if (bits)
			ret.limb[i] |= above << (64 - bits);
	}
	return ret;
}

struct di_wide di_wide_shr(struct di_wide a, uint64_t count)
{
	return shift_right(a, count, 0);
}

struct di_wide di_wide_sar(struct di_wide a, uint64_t count)
{
	return shift_right(a, count, di_wide_is_negative(a) ? UINT64_MAX : 0);
}

struct di_wide di_wide_add(struct di_wide a, struct di_wide b)
{
	u128 sum = 0;
	for (unsigned i = 0; i < DI_WIDE_LIMBS; i++) {
		sum += (u128)a.limb[i] + b.limb[i];
		a.limb[i] = (uint64_t)sum;
		sum >>= 64;
	}
	return a;
}

struct di_wide di_wide_sub(struct di_wide a, struct di_wide b)
{
	uint64_t borrow = 0;
	for (unsigned i = 0; i < DI_WIDE_LIMBS; i++) {
		u128 difference = (u128)a.limb[i] - b.limb[i] - borrow;
		a.limb[i] = (uint64_t)difference;
		borrow = (uint64_t)(difference >> 64) & 1;
	}
	return a;
}

struct di_wide di_wide_neg(struct di_wide a)
{
	return di_wide_sub((struct di_wide){0}, a);
}

struct di_wide di_wide_mul(struct di_wide a, struct di_wide b)
{
	struct di_wide ret = {0};
	for (unsigned i = 0; i < DI_WIDE_LIMBS; i++) {
		uint64_t carry = 0;
		for (unsigned j = 0; a.limb[i] && i + j < DI_WIDE_LIMBS; j++) {
			u128 sum = (u128)a.limb[i] * b.limb[j] + ret.limb[i + j] + carry;
			ret.limb[i + j] = (uint64_t)sum;
			carry = (uint64_t)(sum >> 64);
		}
	}
	return ret;
}

void di_wide_divmod_u(struct di_wide a, struct di_wide b, struct di_wide *quot, struct di_wide *rem)
{
	unsigned length = di_wide_length(a);
	xs_assert(!di_wide_is_zero(b));
	if (length <= 64 && di_wide_length(b) <= 64) {
		*quot = di_wide_from_u(a.limb[0] / b.limb[0]);
		*rem = di_wide_from_u(a.limb[0] % b.limb[0]);
		return;
	}
	/* Bit by bit: wide divisions are too rare to be worth more code. rem < b <= 2^512 - 1, and
	 * doubling it may carry out of the top bit; it is then certainly not less than b. */
	struct di_wide q = {0}, r = {0};
	for (unsigned i = length; i-- > 0;) {
		bool carry = di_wide_is_negative(r);
		r = di_wide_shl(r, 1);
		r.limb[0] |= di_wide_bit(a, i);
		if (carry || di_wide_compare_u(r, b) >= 0) {
			r = di_wide_sub(r, b);
			q.limb[i / 64] |= UINT64_C(1) << i % 64;
		}
	}
	*quot = q;
	*rem = r;
}

void di_wide_divmod_s(struct di_wide a, struct di_wide b, struct di_wide *quot, struct di_wide *rem)
{
	bool a_neg = di_wide_is_negative(a), b_neg = di_wide_is_negative(b);
	di_wide_divmod_u(a_neg ? di_wide_neg(a) : a, b_neg ? di_wide_neg(b) : b, quot, rem);
	if (a_neg != b_neg)
		*quot = di_wide_neg(*quot);
	if (a_neg)
		*rem = di_wide_neg(*rem);
}

/* a divided by a number of one limb; what is left over is returned. */
static uint64_t divide_small(struct di_wide *a, uint64_t by)
{
	u128 rest = 0;
	for (unsigned i = DI_WIDE_LIMBS; i-- > 0;) {
		rest = rest << 64 | a->limb[i];
		a->limb[i] = (uint64_t)(rest / by);
		rest %= by;
	}
	return (uint64_t)rest;
}

const char *di_wide_text_u(struct di_wide a, char buf[static DI_WIDE_TEXT])
{
	char digits[DI_WIDE_TEXT];
	size_t at = sizeof digits;
	digits[--at] = '\0';
	do {
		digits[--at] = (char)('0' + divide_small(&a, 10));
	} while (!di_wide_is_zero(a));
	memcpy(buf, digits + at, sizeof digits - at);
	return buf;
}

const char *di_wide_text_s(struct di_wide a, char buf[static DI_WIDE_TEXT])
{
	if (!di_wide_is_negative(a))
		return di_wide_text_u(a, buf);
	char digits[DI_WIDE_TEXT];
	di_wide_text_u(di_wide_neg(a), digits);
	buf[0] = '-';
	memcpy(buf + 1, digits, DI_WIDE_TEXT - 1); /* 155 digits at most: the NUL is among them */
	return buf;
}
