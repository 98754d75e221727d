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
	static const uint64_t kept[] = {
		1, 2, 19, 61, 77, 105, 127, 336, 1106, 2509, 2535, 28045, 31920, 40143, 137986};
	uint64_t n = 0;
	(void)state;
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		for (uint64_t between = n + 1; between < kept[i] && between < n + 50; between++)
			assert_false(eng_sample_keeps(ENG_SAMPLE_DTD, 0, 0x117e, 0x1149, between));
		n = eng_sample_next(ENG_SAMPLE_DTD, 0, 0x117e, 0x1149, n);
		assert_int_equal(n, kept[i]);
		assert_true(eng_sample_keeps(ENG_SAMPLE_DTD, 0, 0x117e, 0x1149, n));
	}
	assert_int_equal(eng_sample_next(ENG_SAMPLE_DTD, 42, 0x401136, 0x401139, 1001), 1951);
	assert_int_equal(eng_sample_next(ENG_SAMPLE_DTD, UINT64_MAX, 0x1000, 0x10a0, 8), 10);
}

/* About 1 + the harmonic number: over many transitions the average must come near it. And each
 * arrival after C others is kept once in C transitions, not only their sum. */
static void dtd_keeps_about_a_logarithm(void **state)
{
	enum { TRANSITIONS = 20000, ARRIVALS = 1000 };
	uint64_t kept = 0, at[ARRIVALS + 1] = {0};
	double expected = 1;
	(void)state;
	for (uint64_t count = 1; count < ARRIVALS; count++)
		expected += 1 / (double)count;
	for (uint64_t pc = 0; pc < TRANSITIONS; pc++)
		for (uint64_t n = 1; n <= ARRIVALS;
			n = eng_sample_next(ENG_SAMPLE_DTD, 7, pc, pc + 4, n)) {
			kept++;
			at[n]++;
		}
	assert_true((double)kept > 0.99 * TRANSITIONS * expected &&
		    (double)kept < 1.01 * TRANSITIONS * expected);
	assert_int_equal(at[1], TRANSITIONS);
	assert_int_equal(at[2], TRANSITIONS);
	assert_in_range(at[3], TRANSITIONS * 48 / 100, TRANSITIONS * 52 / 100);
	assert_in_range(at[11], TRANSITIONS * 9 / 100, TRANSITIONS * 11 / 100);
	assert_in_range(at[101], TRANSITIONS * 7 / 1000, TRANSITIONS * 13 / 1000);
}

static void what_cannot_be_counted_is_never_kept(void **state)
{
	uint64_t n = UINT64_MAX / 2, next;
	(void)state;
	/* As good as always beyond. */
	for (uint64_t pc = 0; pc < 100; pc++) {
		next = eng_sample_next(ENG_SAMPLE_DTD, 0, 1, pc, n);
		assert_true(next > n);
	}
}

static void others_keep_all_or_the_first(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 100; n++) {
		assert_int_equal(eng_sample_next(ENG_SAMPLE_ALL, 0, 1, 2, n), n + 1);
		assert_int_equal(eng_sample_next(ENG_SAMPLE_NONE, 0, 1, 2, n), n + 1);
	}
	assert_int_equal(eng_sample_next(ENG_SAMPLE_UNIQUE, 0, 1, 2, 0), 1);
	assert_int_equal(eng_sample_next(ENG_SAMPLE_UNIQUE, 0, 1, 2, 1), UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hash_is_the_documented_one),
		cmocka_unit_test(dtd_keeps_the_documented_arrivals),
		cmocka_unit_test(dtd_keeps_about_a_logarithm),
		cmocka_unit_test(what_cannot_be_counted_is_never_kept),
		cmocka_unit_test(others_keep_all_or_the_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
