/* unsteady_test.c - what two runs of one program do not have in common is found, and nothing else
 * is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/unsteady.h"
#include "oracle/judge/fake_trace.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, ora_fake_setup, ora_fake_teardown)

static struct ora_unsteady find(struct fake *fake, bool moved, const char *one, const char *other)
{
	struct ora_unsteady ret = {.moved = moved};
	fake->level = "line";
	ora_fake_trace(fake, "xstep", one);
	ora_fake_trace(fake, "xstep", other);
	ora_fake_succeed(ora_unsteady_find(fake->store, 1, 2, &ret));
	return ret;
}

/* Whether a violation at a line of a function, of a variable of main or of none, is set aside. */
static bool is(
	const struct ora_unsteady *unsteady, const char *function, uint32_t line, const char *name)
{
	struct ora_store_variable variable = {
		.scope = (char[]){"main"}, .name = (char *)(uintptr_t)name, .line = 1};
	return ora_unsteady_is(unsteady, &(struct ora_violation){.file = "a.c",
						 .function = function,
						 .line = line,
						 .variable = name ? &variable : NULL});
}

static void the_same_run_twice_is_steady(void **state)
{
	static const char text[] = "401000 main a.c:5\n x = 1\n401002 main+2 a.c:6\n x = 2\n";
	struct ora_unsteady unsteady = find(*state, false, text, text);
	assert_int_equal(unsteady.parted, 0);
	assert_false(is(&unsteady, "main", 5, "x"));
	assert_false(is(&unsteady, "main", 7, NULL));
	ora_unsteady_deinit(&unsteady);
}

static void a_value_that_differs(void **state)
{
	struct ora_unsteady unsteady =
		find(*state, true, "401000 main a.c:5\n x = 1\n y = 3\n401002 main+2 a.c:6\n",
			"401000 main a.c:5\n x = 2\n y = 3\n401002 main+2 a.c:6\n");
	assert_true(is(&unsteady, "main", 6, "x"));
	assert_false(is(&unsteady, "main", 6, "y"));
	assert_false(is(&unsteady, "main", 6, NULL));
	ora_unsteady_deinit(&unsteady);
}

/* The set of values is the same, and yet nobody knows which other build has which. */
static void the_order_of_values_counts(void **state)
{
	struct ora_unsteady unsteady =
		find(*state, true, "401000 main a.c:5\n x = 1\n401002 main+2 a.c:6\n x = 2\n",
			"401000 main a.c:5\n x = 2\n401002 main+2 a.c:6\n x = 1\n");
	assert_true(is(&unsteady, "main", 6, "x"));
	ora_unsteady_deinit(&unsteady);
}

/* Whether a violation about a value of a local of main is set aside. */
static bool is_local(const struct ora_unsteady *unsteady, const char *name)
{
	struct ora_store_variable variable = {
		.scope = (char[]){"main"}, .name = (char *)(uintptr_t)name, .line = 1};
	return ora_unsteady_is(unsteady, &(struct ora_violation){.file = "a.c",
						 .function = "main",
						 .line = 6,
						 .variable = &variable,
						 .local = true});
}

/* What was in memory before differs in any two runs. */
static void of_a_local_only_what_is_written_counts(void **state)
{
	struct ora_unsteady unsteady = find(*state, true,
		"401000 main a.c:5\n x = 1\n y = 3\n401002 main+2 a.c:6\n x = 4\n y = 5\n",
		"401000 main a.c:5\n x = 2\n y = 3\n401002 main+2 a.c:6\n x = 4\n y = 6\n");
	assert_false(is_local(&unsteady, "x"));
	assert_true(is_local(&unsteady, "y"));
	ora_unsteady_deinit(&unsteady);
}

/* One of several on a line: by the time it is declared it has its value. */
static void a_local_that_is_written_by_the_time_it_is_declared(void **state)
{
	struct ora_unsteady unsteady = find(*state, true,
		"401000 main a.c:5\n x = 1 undeclared\n401002 main+2 a.c:6\n x = 4\n",
		"401000 main a.c:5\n x = 2 undeclared\n401002 main+2 a.c:6\n x = 5\n");
	assert_true(is_local(&unsteady, "x"));
	ora_unsteady_deinit(&unsteady);
}

static void control_flow_that_parts_takes_its_function_along(void **state)
{
	static const char one[] = "401000 main a.c:5\n401100 f a.c:30\n401102 f+2 a.c:31\n"
				  "401002 main+2 a.c:6\n";
	static const char other[] = "401000 main a.c:5\n401100 f a.c:30\n"
				    "401002 main+2 a.c:6\n";
	struct ora_unsteady unsteady = find(*state, true, one, other);
	assert_int_equal(unsteady.parted, 3);
	assert_true(is(&unsteady, "f", 31, NULL));
	assert_true(is(&unsteady, "f", 32, NULL)); /* neither was there, a third may be */
	assert_true(is(&unsteady, "never_entered", 40, NULL));
	assert_false(is(&unsteady, "main", 6, NULL));
	ora_unsteady_deinit(&unsteady);
}

/* Two runs that ought to be the same: from the parting on nothing is known. */
static void the_same_again_is_so_up_to_the_parting(void **state)
{
	static const char one[] = "401000 main a.c:5\n401100 f a.c:30\n401002 main+2 a.c:6\n";
	static const char other[] = "401000 main a.c:5\n401002 main+2 a.c:6\n";
	struct ora_unsteady unsteady = find(*state, false, one, other);
	assert_int_equal(unsteady.parted, 2);
	assert_false(is(&unsteady, "main", 5, NULL));
	assert_true(is(&unsteady, "main", 6, NULL));
	ora_unsteady_deinit(&unsteady);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_same_run_twice_is_steady),
		TEST(a_value_that_differs),
		TEST(the_order_of_values_counts),
		TEST(of_a_local_only_what_is_written_counts),
		TEST(a_local_that_is_written_by_the_time_it_is_declared),
		TEST(control_flow_that_parts_takes_its_function_along),
		TEST(the_same_again_is_so_up_to_the_parting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
