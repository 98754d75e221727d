/* campaign_plan_test.c - what settings come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/campaign/campaign_plan.h"

/* A campaign that was begun with such lists goes on, too. `true` says its version as compilers
 * do. */
static void what_is_named_twice_is_there_once(void **state)
{
	(void)state;
	static const struct {
		enum ora_setting setting;
		const char *value;
	} given[] = {{ORA_SET_GENERATE, "echo {seed}"}, {ORA_SET_SEEDS, "1"},
		{ORA_SET_COMPILERS, "true,/bin/true,true"}, {ORA_SET_LEVELS, "-O0,-O2,-O2,-O0"},
		{ORA_SET_ORACLES, "frames,metrics,frames"}, {ORA_SET_NO_SANITIZE, "yes"}};
	struct ora_settings settings = {0};
	struct ora_plan plan;
	struct ora_campaign_program program = {.id = xs_strdup("0123456789ab")};
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		settings.value[given[i].setting] = xs_strdup(given[i].value);
	assert_null(ora_settings_settle(&settings, NULL, "/tmp"));
	assert_null(ora_plan_init(&plan, &settings, "/tmp"));
	assert_null(ora_plan_find_all(&plan));
	assert_int_equal(plan.compilers.len, 2);
	assert_int_equal(plan.levels.vec.len, 2);
	assert_string_equal(plan.levels.vec.data[1], "-O2");
	assert_int_equal(plan.oracles.len, 2);
	ora_plan_jobs(&plan, false, &program);
	assert_int_equal(program.jobs.len, 2 * (2 + 1)); /* metrics: all levels at once */
	ora_campaign_program_deinit(&program);
	ora_plan_deinit(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_named_twice_is_there_once)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
