/* sample_test.c - the sampling function against the vectors of docs/sampling.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/sample.h"

static void hash_is_the_documented_one(void **state)
{
	static const struct {
		uint64_t seed, prev, pc, count, hash;
	} vectors[] = {
		{0, UINT64_MAX, 0x1154, 0, 0xe061b4ea68a114b7},
		{0, 0x1154, 0x1155, 1, 0xe7c7243b98f4396e},
		{0, 0x117e, 0x1149, 2, 0xbc0b3593a1ddbdcf},
		{0, 0x117e, 0x1149, 3, 0xaa6a32a927899df4},
		{1, 0x117e, 0x1149, 3, 0x264e3be7cbcb2e34},
		{42, 0x401136, 0x401139, 1000, 0x83510ec8b3901cce},
		{UINT64_MAX, 0x1000, 0x10a0, 7, 0xd46909e375b5f1c6},
	};
	(void)state;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		assert_int_equal(eng_sample_hash(vectors[i].seed, vectors[i].prev, vectors[i].pc,
					 vectors[i].count),
			vectors[i].hash);
}

static void dtd_keeps_the_documented_arrivals(void **state)
{
	static const uint64_t kept[] = {1, 2, 7, 41, 58, 61, 119, 213, 479, 539, 922};
	size_t next = 0;
	(void)state;
	for (uint64_t n = 1; n <= 1000; n++)
		if (eng_sample_keeps(ENG_SAMPLE_DTD, 0, 0x117e, 0x1149, n)) {
			assert_in_range(next, 0, 10);
			assert_int_equal(n, kept[next++]);
		}
	assert_int_equal(next, sizeof kept / sizeof *kept);
}

/* About 1 + the harmonic number: over many transitions the average must come near it. */
static void dtd_keeps_about_a_logarithm(void **state)
{
	uint64_t kept = 0;
	double expected = 1;
	(void)state;
	for (uint64_t count = 1; count < 1000; count++)
		expected += 1 / (double)count;
	for (uint64_t pc = 0; pc < 1000; pc++)
		for (uint64_t n = 1; n <= 1000; n++)
			kept += eng_sample_keeps(ENG_SAMPLE_DTD, 7, pc, pc + 4, n);
	assert_true((double)kept > 980 * expected && (double)kept < 1020 * expected);
}

static void others_keep_all_or_the_first(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 100; n++) {
		assert_true(eng_sample_keeps(ENG_SAMPLE_ALL, 0, 1, 2, n));
		assert_true(eng_sample_keeps(ENG_SAMPLE_NONE, 0, 1, 2, n));
		assert_int_equal(eng_sample_keeps(ENG_SAMPLE_UNIQUE, 0, 1, 2, n), n <= 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hash_is_the_documented_one),
		cmocka_unit_test(dtd_keeps_the_documented_arrivals),
		cmocka_unit_test(dtd_keeps_about_a_logarithm),
		cmocka_unit_test(others_keep_all_or_the_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
