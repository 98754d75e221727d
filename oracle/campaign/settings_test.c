/* settings_test.c - what a campaign may be continued with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/campaign/settings.h"

static void seeds_are_read_and_written(void **state)
{
	(void)state;
	static const char *const good[][2] = {{"", ""}, {"7", "7"}, {"1-3", "1-3"},
		{"5,1-3,4", "1-5"}, {"9-9,1", "1,9"}, {"0-2", "0-2"}};
	static const char *const bad[] = {
		"x", "1-", "-3", "3-1", "1,,2", "1,", "1 2", "1-2-3", "99999999999999999999999"};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct xs_ranges seeds = {0};
		assert_null(ora_seeds_parse(good[i][0], &seeds));
		XS_AUTO_FREE char *text = ora_seeds_text(&seeds);
		assert_string_equal(text, good[i][1]);
		xs_ranges_deinit(&seeds);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct xs_ranges seeds = {0};
		XS_AUTO(xs_error) err = ora_seeds_parse(bad[i], &seeds);
		assert_non_null(err);
		xs_ranges_deinit(&seeds);
	}
	XS_AUTO_FREE char *both = ora_seeds_join("1-10", "8-12,20");
	assert_string_equal(both, "1-12,20");
}

/* What comes of going on with `kept` by `given`, both for one setting: NULL, or a part of the
 * error. */
static void expect(enum ora_setting setting, const char *kept, const char *given, const char *words)
{
	struct ora_settings old = {0}, now = {0};
	old.value[setting] = xs_strdup(kept);
	now.value[setting] = given ? xs_strdup(given) : NULL;
	XS_AUTO(xs_error) err = ora_settings_settle(&now, &old, "DIR");
	if (!words) {
		assert_null(err);
		assert_string_equal(now.value[setting], given ? given : kept);
	} else {
		assert_non_null(err);
		assert_non_null(strstr(err->message, words));
	}
	ora_settings_deinit(&old);
	ora_settings_deinit(&now);
}

static void a_campaign_is_extended_and_not_changed(void **state)
{
	(void)state;
	expect(ORA_SET_SEEDS, "1-10", "1-20", NULL);
	expect(ORA_SET_SEEDS, "1-10", NULL, NULL);
	expect(ORA_SET_SEEDS, "1-10", "5-20", "does not extend that");
	expect(ORA_SET_MUTATE, "2", "3", NULL);
	expect(ORA_SET_PROBES, "0", "1", NULL);
	expect(ORA_SET_MUTATE, "2", "1", "does not extend that");
	expect(ORA_SET_LEVELS, "-O0,-O2", "-O0,-O2", NULL);
	expect(ORA_SET_LEVELS, "-O0,-O2", "-O0", "is another campaign");
	expect(ORA_SET_ORACLES, "diff", NULL, NULL);
	expect(ORA_SET_JOBS, "2", "7", NULL);
	expect(ORA_SET_JOB_SECONDS, "600", "10", NULL);
}

static void what_is_not_said_has_a_default(void **state)
{
	(void)state;
	struct ora_settings given = {0};
	given.value[ORA_SET_SEEDS] = xs_strdup("3,1,2");
	assert_null(ora_settings_settle(&given, NULL, "DIR"));
	assert_string_equal(given.value[ORA_SET_SEEDS], "1-3");
	assert_string_equal(given.value[ORA_SET_LEVELS], "-O0,-O2");
	assert_int_equal(ora_setting_number(&given, ORA_SET_MAX_STEPS), 10000000);
	ora_settings_deinit(&given);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_are_read_and_written),
		cmocka_unit_test(a_campaign_is_extended_and_not_changed),
		cmocka_unit_test(what_is_not_said_has_a_default),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
