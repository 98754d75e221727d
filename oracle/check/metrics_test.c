/* metrics_test.c - how much of a program can be shown when it is optimised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/metrics.h"
#include "oracle/judge/fake_trace.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, ora_fake_setup, ora_fake_teardown)

static struct ora_metrics measure(struct fake *fake, const char *unopt, const char *opt)
{
	struct ora_metrics ret = {0};
	fake->level = "break";
	ora_fake_trace(fake, "xstep", unopt);
	ora_fake_trace(fake, "xstep", opt);
	const struct ora_metrics_subject subject = {.store = fake->store, .unopt = 1, .opt = 2};
	ora_fake_succeed(ora_metrics_measure(&subject, &ret));
	return ret;
}

static void all_is_there(void **state)
{
	static const char text[] = "1000 f a.c:1\n x = 1\n1001 f a.c:2\n x = 2\n";
	struct ora_metrics metrics = measure(*state, text, text);
	assert_int_equal(metrics.total.lines, 2);
	assert_int_equal(metrics.total.common, 2);
	assert_int_equal(metrics.total.variables, 1);
	assert_true(ora_metrics_coverage(&metrics.total) == 1);
	assert_true(ora_metrics_availability(&metrics.total) == 1);
	ora_metrics_deinit(&metrics);
}

/* Of four lines two are hit; of two variables at one of these one has a value. */
static void lines_and_variables_are_lost(void **state)
{
	struct ora_metrics metrics = measure(*state,
		"1000 f a.c:1\n x = 1\n y = 2\n1001 f a.c:2\n1002 f a.c:3\n"
		"1003 g a.c:9\n < g < f\n z@9 = 3\n",
		"1000 f a.c:1\n x = 1\n y = <optimized-out>\n1003 g a.c:9\n < g < f\n");
	assert_int_equal(metrics.total.lines, 4);
	assert_int_equal(metrics.total.common, 2);
	assert_int_equal(metrics.total.measured, 2);
	assert_true(ora_metrics_coverage(&metrics.total) == 0.5);
	assert_true(ora_metrics_availability(&metrics.total) == 0.25);
	assert_int_equal(metrics.functions.len, 2);
	assert_string_equal(metrics.functions.data[0].function, "f");
	assert_int_equal(metrics.functions.data[0].lines, 3);
	assert_int_equal(metrics.functions.data[0].common, 1);
	assert_int_equal(metrics.functions.data[0].variables, 2);
	assert_true(ora_metrics_availability(&metrics.functions.data[0]) == 0.5);
	assert_string_equal(metrics.functions.data[1].function, "g");
	assert_true(ora_metrics_availability(&metrics.functions.data[1]) == 0);
	/* How each variable is lost, and where. */
	assert_int_equal(metrics.variables.len, 3);
	assert_int_equal(metrics.variables.data[0].lost.len, 0);
	assert_string_equal(metrics.variables.data[1].name, "y");
	assert_int_equal(metrics.variables.data[1].lost.data[0].line, 1);
	assert_int_equal(metrics.variables.data[1].lost.data[0].state, ORA_STATE_OPTIMIZED_OUT);
	assert_string_equal(metrics.variables.data[2].name, "z");
	assert_int_equal(metrics.variables.data[2].declared, 9);
	assert_int_equal(metrics.variables.data[2].lost.data[0].state, ORA_STATE_ABSENT);
	ora_metrics_deinit(&metrics);
}

/* The first hit of a line counts, whatever comes later. */
static void the_first_hit_counts(void **state)
{
	struct ora_metrics metrics = measure(*state, "1000 f a.c:1\n x = 1\n1000 f a.c:1\n",
		"1000 f a.c:1\n x = <optimized-out>\n1000 f a.c:1\n x = 1\n");
	assert_true(ora_metrics_availability(&metrics.total) == 0);
	ora_metrics_deinit(&metrics);
}

/* Of the lines of UNOPT where a variable has a value, OPT hits some. */
static void the_baseline_of_a_variable(void **state)
{
	struct ora_metrics metrics = measure(*state,
		"1000 f a.c:1\n x = 1\n1001 f a.c:2\n1002 f a.c:3\n1003 f a.c:4\n x = <absent>\n",
		"1000 f a.c:1\n x = 1\n1001 f a.c:2\n x = <error: no>\n1003 f a.c:4\n x = 1\n");
	assert_int_equal(metrics.variables.len, 1);
	assert_int_equal(metrics.variables.data[0].baseline, 3);
	assert_int_equal(metrics.variables.data[0].cover.present, 2);
	assert_int_equal(metrics.variables.data[0].cover.covered, 1);
	ora_metrics_deinit(&metrics);
}

/* What is not there in UNOPT, or not declared yet, or is in a library, is not measured. */
static void what_is_not_measured(void **state)
{
	struct ora_metrics metrics = measure(*state,
		"1000 f a.c:1\n x = <optimized-out>\n y = 1 undeclared\n2000 l b.c:7 lib=l.so\n"
		"1004 f -\n",
		"1000 f a.c:1\n x = 1\n");
	assert_int_equal(metrics.total.lines, 1);
	assert_int_equal(metrics.total.measured, 0);
	assert_int_equal(metrics.total.variables, 0);
	assert_true(isnan(ora_metrics_availability(&metrics.total)));
	ora_metrics_deinit(&metrics);
}

static void nothing_is_hit(void **state)
{
	struct ora_metrics metrics = measure(*state, "1000 f -\n", "1000 f -\n");
	assert_true(isnan(ora_metrics_coverage(&metrics.total)));
	assert_true(isnan(ora_metrics_product(&metrics.total)));
	ora_metrics_deinit(&metrics);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_is_there),
		TEST(lines_and_variables_are_lost),
		TEST(the_first_hit_counts),
		TEST(the_baseline_of_a_variable),
		TEST(what_is_not_measured),
		TEST(nothing_is_hit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
