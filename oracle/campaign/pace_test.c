/* pace_test.c - what is foretold of a campaign, by what was done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/campaign/pace.h"

static void nothing_done_foretells_nothing(void **state)
{
	const struct ora_pace none = {0}, one_job = {.programs = 2, .brought = 4, .jobs = 1};
	const struct ora_pace only_jobs = {.jobs = 100, .working = 100};
	(void)state;
	assert_true(ora_pace_left(&none, 1, 0, 1) < 0);
	assert_true(ora_pace_left(&none, 0, 1, 1) < 0);
	assert_true(ora_pace_left(&one_job, 0, 3, 1) < 0);
	/* Of a run that goes on with jobs, and has made no program yet. */
	assert_true(ora_pace_left(&only_jobs, 1, 10, 1) < 0);
	assert_true(ora_pace_left(&only_jobs, 0, 10, 1) > 0);
}

static void what_is_left_takes_as_long_as_what_was_done(void **state)
{
	const struct ora_pace pace = {
		.programs = 10, .kept = 5, .brought = 20, .jobs = 10, .making = 30, .working = 50};
	(void)state;
	/* 4 programs, 3 seconds each; they bring 8 jobs, and 2 are there: 5 seconds each. */
	assert_float_equal(ora_pace_left(&pace, 4, 2, 1), 62, 1e-9);
	assert_float_equal(ora_pace_left(&pace, 4, 2, 2), 31, 1e-9);
	assert_float_equal(ora_pace_left(&pace, 0, 0, 2), 0, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_done_foretells_nothing),
		cmocka_unit_test(what_is_left_takes_as_long_as_what_was_done),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
