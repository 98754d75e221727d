/* against_test.c - whether values of an optimised program can be, by an unoptimised build. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/against.h"
#include "oracle/judge/fake_trace.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, ora_fake_setup, ora_fake_teardown)

/* Statements of function vars in fake_program.S. */
#define L31 "401101 vars+1 a.c:31\n"
#define L32 "401102 vars+2 a.c:32\n"
#define L33 "401103 vars+3 a.c:33\n"

/* What does not fit in a trace of the optimised program, and whose it is. */
static const char *found(struct fake *fake, const char *unopt, const char *opt)
{
	ora_fake_trace(fake, "xstep", opt);
	ora_fake_trace(fake, "xstep", unopt);
	ora_fake_traces(fake);
	fake->comparison.store = fake->store;
	fake->comparison.count = 1;
	fake->comparison.traces[0] = 1;
	ora_fake_succeed(ora_against(&fake->comparison, 0, 1, 2, FAKE_PROGRAM));
	fake->verdicts.comparison = &fake->comparison;
	fake->verdicts.subject = FAKE_PROGRAM;
	fake->verdicts.witnesses[0] = "xstep";
	ora_judge(&fake->verdicts);
	return ora_fake_findings(fake, &fake->verdicts);
}

static void the_same_values_fit(void **state)
{
	static const char text[] = L31 " register@31 = 1\n" L32 " register@31 = 2\n" L33;
	struct fake *fake = *state;
	assert_string_equal(found(fake, text, text), "");
	assert_int_equal(fake->comparison.compared, 3);
}

static void a_value_that_it_never_has(void **state)
{
	struct fake *fake = *state;
	assert_string_equal(found(fake, L31 " register@31 = 1\n" L32, L31 L32 " register@31 = 9\n"),
		"G5 lie builds producer:never-that-value; evidence; wrong producer\n");
	const struct ora_difference *one = fake->comparison.differences.data[0];
	assert_int_equal(one->misfit, ORA_MISFIT_NEVER);
	assert_string_equal(one->other, "1");
	assert_string_equal(one->said[0].value, "9");
	assert_int_equal(one->line, 32);
}

/* It has that value, but on line 33, and nowhere near line 31. */
static void a_value_of_another_line(void **state)
{
	struct fake *fake = *state;
	assert_string_equal(found(fake, L31 " register@31 = 1\n" L32 L33 " register@31 = 2\n",
				    L31 " register@31 = 2\n"),
		"G5 lie builds producer:value-of-another-line; suspected; wrong producer\n");
	assert_int_equal(fake->comparison.differences.data[0]->misfit, ORA_MISFIT_LINE);
}

/* A value may come early: that of the stop right after the line fits. */
static void a_value_may_come_early(void **state)
{
	assert_string_equal(found(*state, L31 " register@31 = 1\n" L32 " register@31 = 2\n",
				    L31 " register@31 = 2\n"),
		"");
}

/* Two arrivals in both: the first is compared with the first. */
static void a_value_of_another_arrival(void **state)
{
	struct fake *fake = *state;
	assert_string_equal(
		found(fake, L32 " register@31 = 1\n" L33 L31 L32 " register@31 = 2\n" L33,
			L32 " register@31 = 2\n" L33 " register@31 = 1\n" L31 L32
			    " register@31 = 2\n" L33),
		"G5 lie builds producer:value-of-another-arrival; suspected; wrong producer\n");
	assert_int_equal(fake->comparison.differences.data[0]->misfit, ORA_MISFIT_HIT);
}

/* With another number of arrivals all of them are compared with all. */
static void arrivals_are_aligned_only_if_there_are_as_many(void **state)
{
	assert_string_equal(
		found(*state, L32 " register@31 = 1\n" L33 L31 L32 " register@31 = 2\n" L33,
			L32 " register@31 = 2\n" L33),
		"");
}

static void what_is_left_out(void **state)
{
	static const char *const opts[] = {
		L32 " register@31 = 0x9\n",          /* a pointer */
		L32 " register@31 = 9 undeclared\n", /* may be anything */
		L32 " ::register@31 = 9\n",          /* at file scope */
		L32 " memory@31 = 9\n",              /* in memory, by the DWARF */
		L32 " other@31 = 9\n",               /* the other build does not have it */
		L32 " register@31 = <error: no>\n",  /* no value */
		"401102 vars+2 a.c:32 lib=l.so\n register@31 = 9\n",
		"401102 vars+2 a.c:31\n register@31 = 9\n", /* no statement of that line begins */
		"401002 main+2 a.c:12\n register@31 = 9\n", /* a line that the other never has */
		L31 " register@31 = 1\n401101 vars+1 a.c:31\n register@31 = 9\n", /* no arrival */
	};
	(void)state;
	for (size_t i = 0; i < sizeof opts / sizeof *opts; i++) {
		void *fresh;
		assert_int_equal(ora_fake_setup(&fresh), 0);
		const char *now = found(fresh,
			L31 " register@31 = 1\n memory@31 = 1\n ::register@31 = 1\n" L32, opts[i]);
		if (*now)
			fail_msg("%s: found\n%s", opts[i], now);
		ora_fake_teardown(&fresh);
	}
}

/* The same at one pc is one, which is counted. */
static void misfits_are_counted(void **state)
{
	struct fake *fake = *state;
	found(fake, L31 " register@31 = 1\n" L32, L31 L32 " register@31 = 9\n" L31 L32);
	assert_int_equal(fake->comparison.differences.len, 2); /* on line 32, then on line 31 */
	assert_int_equal(fake->comparison.differences.data[0]->pc, 0x401102);
	assert_int_equal(fake->comparison.differences.data[0]->times, 2);
	assert_int_equal(fake->comparison.differences.data[1]->times, 1);
}

/* The values that it has there in the other build are told, the first ones of them. */
static void other_values_are_told(void **state)
{
	struct fake *fake = *state;
	XS_AUTO_FREE char *unopt = xs_strdup("");
	for (unsigned i = 0; i < 10; i++) {
		char *longer = xs_asprintf("%s" L32 " register@31 = %u\n", unopt, i);
		free(unopt);
		unopt = longer;
	}
	found(fake, unopt, L32 " register@31 = 99\n");
	assert_string_equal(
		fake->comparison.differences.data[0]->other, "0, 1, 2, 3, 4, 5, 6, 7, ...");
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", L31);
	ora_fake_traces(fake);
	fake->comparison.store = fake->store;
	XS_AUTO(xs_error) err = ora_against(&fake->comparison, 0, 1, 1, "/nowhere/program");
	assert_non_null(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_same_values_fit),
		TEST(a_value_that_it_never_has),
		TEST(a_value_of_another_line),
		TEST(a_value_may_come_early),
		TEST(a_value_of_another_arrival),
		TEST(arrivals_are_aligned_only_if_there_are_as_many),
		TEST(what_is_left_out),
		TEST(misfits_are_counted),
		TEST(other_values_are_told),
		TEST(a_program_that_is_not_there_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
