/* rounding_test.c - which floating values may be one value that was rounded in two ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/rounding.h"

static bool near(const char *type, const char *one, const char *other)
{
	struct ora_rounding rounding = {0};
	ora_rounding_add(&rounding, type, one);
	bool ret = ora_rounding_is_near(&rounding, type, other);
	ora_rounding_deinit(&rounding);
	return ret;
}

static void the_last_digits_may_differ(void **state)
{
	(void)state;
	assert_true(near("double", "-98.97999999999999", "-98.98"));
	assert_true(near("float", "1.0000001", "1"));
	assert_true(near("long double", "5.421010862427522e+200", "5.421010862427523e+200"));
	assert_true(near("_Float16", "0.5", "0.503"));
}

static void other_numbers_are_others(void **state)
{
	(void)state;
	assert_false(near("double", "1", "2"));
	assert_false(near("double", "0.5", "0.501"));
	assert_false(near("float", "1.5", "-1.5"));
	assert_false(near("double", "0", "1e-300"));
	assert_false(near("double", "1e+300", "inf"));
	assert_false(near("double", "inf", "-inf"));
}

static void any_nan_is_a_nan(void **state)
{
	(void)state;
	assert_true(near("double", "-nan(0x8000000000000)", "nan(0x8000000000000)"));
	assert_true(near("double", "nan(0x1)", "nan(0x8000000000000)"));
	assert_false(near("double", "nan(0x1)", "1"));
	assert_false(near("double", "1", "nan(0x1)"));
}

static void zeros_and_what_is_flushed_to_zero(void **state)
{
	(void)state;
	assert_true(near("double", "0", "-0"));
	assert_true(near("double", "1e-310", "0"));
	assert_true(near("float", "1e-40", "0"));
	assert_false(near("double", "1e-40", "0"));
}

/* Off by one is off by one. */
static void integers_are_never_near(void **state)
{
	(void)state;
	assert_false(near("int", "1000000", "1000001"));
	assert_false(near("long", "1000000000000", "1000000000001"));
	assert_false(near("uint32_t", "1000000", "1000001"));
	assert_false(near("count_of_things", "1000000", "1000001"));
	assert_false(near("char *", "0x1000000", "0x1000001"));
}

static void a_type_of_any_name_shows_by_its_text(void **state)
{
	(void)state;
	assert_true(near("real_t", "1", "1.0000000000000002"));
	assert_true(near("real_t", "1.0000000000000002", "1"));
	assert_false(near("real_t", "1", "1.5"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_digits_may_differ),
		cmocka_unit_test(other_numbers_are_others),
		cmocka_unit_test(any_nan_is_a_nan),
		cmocka_unit_test(zeros_and_what_is_flushed_to_zero),
		cmocka_unit_test(integers_are_never_near),
		cmocka_unit_test(a_type_of_any_name_shows_by_its_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
