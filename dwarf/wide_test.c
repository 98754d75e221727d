/* wide_test.c - 512-bit integers, against the compiler's own arithmetic where it has some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/map.h"
#include "dwarf/wide.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static uint64_t seed;

static uint64_t random64(void)
{
	return xs_mix(++seed);
}

/* Numbers that are short, long, and made of long runs of equal bits. */
static u128 random128(void)
{
	u128 value = (u128)random64() << 64 | random64();
	uint64_t kind = random64() % 4;
	if (kind == 0)
		value >>= random64() % 128;
	if (kind == 1)
		value = ~(u128)0 << random64() % 128;
	if (kind == 2)
		value = ~(value >> random64() % 128);
	return value;
}

static struct di_wide wide_u(u128 value)
{
	return (struct di_wide){.limb = {(uint64_t)value, (uint64_t)(value >> 64)}};
}

static struct di_wide wide_s(u128 value)
{
	return di_wide_sext(wide_u(value), 128);
}

static u128 low(struct di_wide a)
{
	return (u128)a.limb[1] << 64 | a.limb[0];
}

static int sign(int order)
{
	return (order > 0) - (order < 0);
}

static void arithmetic_agrees_with_128_bit_hardware(void **state)
{
	(void)state;
	for (int round = 0; round < 20000; round++) {
		u128 a = random128(), b = random128();
		struct di_wide ua = wide_u(a), ub = wide_u(b), sa = wide_s(a), sb = wide_s(b);
		assert_true(low(di_wide_add(ua, ub)) == (u128)(a + b));
		assert_true(low(di_wide_sub(ua, ub)) == (u128)(a - b));
		assert_true(low(di_wide_mul(ua, ub)) == (u128)(a * b));
		assert_true(low(di_wide_neg(ua)) == (u128)-a);
		assert_true(low(di_wide_and(ua, ub)) == (a & b));
		assert_true(low(di_wide_or(ua, ub)) == (a | b));
		assert_true(low(di_wide_xor(ua, ub)) == (a ^ b));
		assert_true(low(di_wide_not(ua)) == (u128)~a);
		assert_int_equal(sign(di_wide_compare_u(ua, ub)), (a > b) - (a < b));
		assert_int_equal(
			sign(di_wide_compare_s(sa, sb)), ((s128)a > (s128)b) - ((s128)a < (s128)b));
		unsigned count = (unsigned)random64() % 128;
		assert_true(low(di_wide_shl(ua, count)) == (u128)(a << count));
		assert_true(low(di_wide_shr(ua, count)) == (a >> count));
		assert_true(low(di_wide_sar(sa, count)) == (u128)((s128)a >> count));
		if (b == 0)
			continue;
		struct di_wide quot, rem;
		di_wide_divmod_u(ua, ub, &quot, &rem);
		assert_true(di_wide_equal(quot, wide_u(a / b)));
		assert_true(di_wide_equal(rem, wide_u(a % b)));
		if (b == ~(u128)0)
			continue; /* MIN / -1 would trap in C */
		di_wide_divmod_s(sa, sb, &quot, &rem);
		assert_true(di_wide_equal(quot, wide_s((u128)((s128)a / (s128)b))));
		assert_true(di_wide_equal(rem, wide_s((u128)((s128)a % (s128)b))));
	}
}

static struct di_wide random512(void)
{
	struct di_wide ret;
	for (int i = 0; i < DI_WIDE_LIMBS; i++)
		ret.limb[i] = random64();
	return random64() % 2 ? di_wide_shr(ret, random64() % 512)
			      : di_wide_shl(ret, random64() % 512);
}

static void full_width_laws(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		struct di_wide a = random512(), b = random512(), c = random512(), quot, rem;
		assert_true(di_wide_equal(di_wide_sub(di_wide_add(a, b), b), a));
		assert_true(di_wide_equal(di_wide_mul(a, di_wide_add(b, c)),
			di_wide_add(di_wide_mul(a, b), di_wide_mul(a, c))));
		unsigned count = (unsigned)random64() % 520;
		assert_true(di_wide_equal(di_wide_shl(di_wide_shr(a, count), count),
			count < 512 ? di_wide_sub(a, di_wide_zext(a, count))
				    : (struct di_wide){0}));
		if (di_wide_is_zero(b))
			continue;
		di_wide_divmod_u(a, b, &quot, &rem);
		assert_true(di_wide_compare_u(rem, b) < 0);
		assert_true(di_wide_equal(di_wide_add(di_wide_mul(quot, b), rem), a));
		di_wide_divmod_s(a, b, &quot, &rem);
		assert_true(di_wide_equal(di_wide_add(di_wide_mul(quot, b), rem), a));
		assert_true(
			di_wide_is_zero(rem) || di_wide_is_negative(rem) == di_wide_is_negative(a));
	}
}

static void extension_at_every_width(void **state)
{
	(void)state;
	struct di_wide ones = di_wide_from_s(-1);
	for (unsigned bits = 1; bits <= 512; bits++) {
		struct di_wide zext = di_wide_zext(ones, bits);
		assert_int_equal(di_wide_length(zext), bits);
		assert_true(di_wide_equal(di_wide_sext(zext, bits), ones));
		struct di_wide most = di_wide_shr(zext, 1); /* largest positive of that width */
		assert_true(di_wide_equal(di_wide_sext(most, bits), most));
		assert_true(di_wide_equal(di_wide_sext(di_wide_shl(di_wide_from_u(1), bits), bits),
			(struct di_wide){0}));
	}
	assert_true(di_wide_is_zero(di_wide_zext(ones, 0)));
	assert_true(di_wide_is_zero(di_wide_sext(ones, 0)));
	assert_true(di_wide_equal(di_wide_zext(ones, 600), ones));
	assert_false(di_wide_bit(ones, 512));
	assert_true(di_wide_bit(ones, 511));
}

static void shifts_past_the_width(void **state)
{
	(void)state;
	struct di_wide minus = di_wide_from_s(-5);
	assert_true(di_wide_is_zero(di_wide_shl(minus, 512)));
	assert_true(di_wide_is_zero(di_wide_shr(minus, UINT64_MAX)));
	assert_true(di_wide_equal(di_wide_sar(minus, UINT64_MAX), di_wide_from_s(-1)));
	assert_true(di_wide_is_zero(di_wide_sar(di_wide_from_s(5), 512)));
}

static void least_number_divided_by_minus_one_wraps(void **state)
{
	(void)state;
	struct di_wide least = di_wide_shl(di_wide_from_u(1), 511), quot, rem;
	di_wide_divmod_s(least, di_wide_from_s(-1), &quot, &rem);
	assert_true(di_wide_equal(quot, least));
	assert_true(di_wide_is_zero(rem));
}

static void decimal_text(void **state)
{
	(void)state;
	char buf[DI_WIDE_TEXT];
	assert_string_equal(di_wide_text_u(di_wide_from_u(0), buf), "0");
	assert_string_equal(di_wide_text_s(di_wide_from_s(-1), buf), "-1");
	assert_string_equal(di_wide_text_s(di_wide_from_s(INT64_MIN), buf), "-9223372036854775808");
	assert_string_equal(
		di_wide_text_u(wide_u(~(u128)0), buf), "340282366920938463463374607431768211455");
	assert_string_equal(
		di_wide_text_u(di_wide_shl(di_wide_from_u(1), 72), buf), "4722366482869645213696");
	assert_string_equal(di_wide_text_u(di_wide_from_s(-1), buf),
		"1340780792994259709957402499820584612747936582059239337772356144372176403007354697"
		"6801874298166903427690031858186486050853753882811946569946433649006084095");
	assert_string_equal(di_wide_text_s(di_wide_shl(di_wide_from_u(1), 511), buf),
		"-670390396497129854978701249910292306373968291029619668886178072186088201503677348"
		"8400937149083451713845015929093243025426876941405973284973216824503042048");
}

static void bytes_are_little_endian(void **state)
{
	(void)state;
	uint8_t in[70], out[64];
	for (unsigned i = 0; i < sizeof in; i++)
		in[i] = (uint8_t)(i + 1);
	assert_true(di_wide_from_bytes(in, 3).limb[0] == 0x030201);
	di_wide_to_bytes(di_wide_from_bytes(in, sizeof in), out, sizeof out);
	assert_memory_equal(in, out, sizeof out);
	di_wide_to_bytes(di_wide_from_s(-2), out, 9);
	assert_memory_equal(out, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff", 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_agrees_with_128_bit_hardware),
		cmocka_unit_test(full_width_laws),
		cmocka_unit_test(extension_at_every_width),
		cmocka_unit_test(shifts_past_the_width),
		cmocka_unit_test(least_number_divided_by_minus_one_wraps),
		cmocka_unit_test(decimal_text),
		cmocka_unit_test(bytes_are_little_endian),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
