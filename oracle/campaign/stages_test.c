/* stages_test.c - what is read of a culprit's report, and which sources are the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/campaign/stages.h"

static void blanks_do_not_count(void **state)
{
	static const char *const same[] = {"int main(void) { return a + 1; }",
		"int  main( void )\n{\n\treturn a+1;\n}\n", "\nint main(void){return a+1 ; }"};
	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		XS_AUTO_FREE char *bare = ora_stages_bare(same[i]);
		assert_string_equal(bare, "int main(void){return a+1;}");
	}
	XS_AUTO_FREE char *words = ora_stages_bare("long x");
	XS_AUTO_FREE char *word = ora_stages_bare("longx");
	assert_string_not_equal(words, word);
}

/* What a report comes to. NULL: nothing of the kind. */
static void culprits_are_named_without_numbers(void **state)
{
	static const struct {
		const char *report, *outcome, *culprit, *reason, *vector;
	} cases[] = {
		{"{\"wrong\": \"producer\", \"culprits\": [{\"kind\": \"pass\", \"name\": "
		 "\"Control "
		 "Flow Optimizer\", \"on\": \"function (main)\", \"number\": 119}], \"rows\": "
		 "[{\"kind\": \"level\", \"name\": \"-O1\", \"end\": \"found\"}, {\"kind\": "
		 "\"level\", \"name\": \"-Oz\", \"end\": \"gone\"}, {\"kind\": \"pass\", "
		 "\"name\": \"x\", \"end\": \"found\"}]}",
			"done", "pass Control Flow Optimizer", NULL,
			"\"level\":{\"found\":[\"-O1\"],\"gone\":[\"-Oz\"]}"},
		{"{\"wrong\": \"producer\", \"culprits\": [{\"kind\": \"option\", \"name\": "
		 "\"-fa\"}, {\"kind\": \"counter\", \"name\": \"cfg_cleanup\", \"number\": 3}], "
		 "\"rows\": []}",
			"done", "counter cfg_cleanup", NULL, "\"number\":3"},
		{"{\"wrong\": \"producer\", \"culprits\": [{\"kind\": \"option\", \"name\": "
		 "\"-fa\"}, {\"kind\": \"option\", \"name\": \"-fb\"}], \"rows\": []}",
			"done", "option -fa, -fb", NULL, "culprits"},
		{"{\"wrong\": \"producer\", \"culprits\": [], \"rows\": [], \"without_any\": true}",
			"done", NULL, "without any pass", "{\"culprits\":[]}"},
		{"{\"wrong\": \"producer\", \"culprits\": [], \"rows\": []}", "done", NULL,
			"none found", "{}"},
		{"{\"wrong\": \"lldb\", \"culprits\": [], \"rows\": []}", "done", NULL,
			"no compiler is to blame", "{}"},
		{"{\"rows\": 7}", "failed", NULL, "makes no sense", NULL},
		{"nothing", "failed", NULL, "makes no sense", NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ora_campaign_cause cause = {0};
		ora_stages_read_culprit(cases[i].report, &cause);
		assert_string_equal(cause.outcome, cases[i].outcome);
		assert_int_equal(!cause.culprit, !cases[i].culprit);
		if (cause.culprit)
			assert_string_equal(cause.culprit, cases[i].culprit);
		assert_int_equal(!cause.reason, !cases[i].reason);
		if (cause.reason)
			assert_non_null(strstr(cause.reason, cases[i].reason));
		assert_int_equal(!cause.vector, !cases[i].vector);
		if (cause.vector && strcmp(cases[i].vector, "{}") != 0)
			assert_non_null(strstr(cause.vector, cases[i].vector));
		ora_campaign_cause_deinit(&cause);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_do_not_count),
		cmocka_unit_test(culprits_are_named_without_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
