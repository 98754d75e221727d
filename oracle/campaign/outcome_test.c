/* outcome_test.c - what oracles report becomes findings and figures, whatever they print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/campaign/oracles.h"
#include "oracle/campaign/outcome.h"

/* A job after its oracle ended with a status and this report. */
static struct ora_campaign_job read_report(const char *report, int status)
{
	struct ora_campaign_job job = {.program = xs_strdup("p"),
		.oracle = xs_strdup("diff"),
		.compiler = xs_strdup("gcc"),
		.level = xs_strdup("-O2")};
	XS_AUTO_FREE char *out = xs_strdup(report);
	char said[] = "noise\nxstep: it did not work\n";
	const struct ora_boxed boxed = {.end = ORA_BOX_EXITED,
		.status = status,
		.out = out,
		.out_size = strlen(out),
		.said = said};
	ora_outcome_read(&job, &boxed);
	return job;
}

static void a_report_of_diff(void **state)
{
	(void)state;
	struct ora_campaign_job job = read_report(
		"{\"discrepancies\":["
		"{\"id\":\"b\",\"signature\":\"S\",\"basis\":\"replayed\",\"wrong\":[\"gdb\","
		"\"lldb\"],"
		"\"stop\":{\"function\":\"f\",\"line\":7},\"var\":\"x\",\"known\":null},"
		"{\"id\":\"a\",\"signature\":\"S\",\"wrong\":[],\"stop\":{}},"
		"{\"id\":\"c\",\"signature\":\"T\",\"wrong\":[\"producer\"],\"stop\":{}}],"
		"\"summary\":{\"stops\":12,\"contested\":{\"one\":2,\"two\":3}}}",
		1);
	assert_string_equal(job.outcome, "found");
	assert_null(job.detail);
	assert_int_equal(job.findings.len, 3);
	assert_string_equal(job.findings.data[0].wrong, "gdb,lldb");
	assert_string_equal(job.findings.data[0].function, "f");
	assert_int_equal(job.findings.data[0].line, 7);
	assert_null(job.findings.data[0].report); /* the least id has it */
	assert_non_null(job.findings.data[1].report);
	assert_non_null(job.findings.data[2].report);
	assert_int_equal(job.figures.len, 2);
	assert_string_equal(job.figures.data[1].name, "contested");
	assert_true(job.figures.data[1].value == 5);

	/* There and back. */
	struct ora_campaign_job again;
	json_t *packed = ora_outcome_pack_job(&job), *twice;
	assert_true(ora_outcome_unpack_job(packed, &again));
	twice = ora_outcome_pack_job(&again);
	assert_true(json_equal(packed, twice));
	json_decref(packed);
	json_decref(twice);
	ora_campaign_job_deinit(&again);
	ora_campaign_job_deinit(&job);
}

static void other_reports(void **state)
{
	(void)state;
	static const struct {
		const char *report;
		int status;
		const char *outcome;
		size_t findings, figures;
	} cases[] = {
		{"{\"violations\":[],\"summary\":{\"asked\":[{\"rule\":\"R1\",\"what\":\"lines\","
		 "\"asked\":3,\"left\":{\"x\":1}}]}}",
			0, "clean", 0, 2},
		{"{\"cases\":[{\"findings\":0}],\"findings\":[{\"id\":\"i\",\"signature\":\"s\","
		 "\"where\":\"f\",\"line\":1}]}",
			1, "found", 1, 0},
		{"{\"programs\":[{\"program\":\"/t/p.gcc-O2\",\"total\":{\"lines\":2,"
		 "\"availability\":null}}]}",
			0, "clean", 0, 1},
		{"{\"violations\":[{\"id\":\"i\",\"signature\":\"\\udc80\",\"wrong\":[]}]}", 2,
			"trouble", 1, 0},
		{"{\"violations\":[{\"id\":\"i\",\"signature\":\"a\\\\\\udcff\",\"wrong\":[]}]}", 1,
			"found", 1, 0},
		{"{\"violations\":[],\"summary\":{\"asked\":[{\"rule\":\"C1\",\"what\":\"x\","
		 "\"asked\":0,\"left\":{}}],\"lost\":[]}}",
			2, "unasked", 0, 2},
		{"{\"violations\":[],\"summary\":{\"asked\":[{\"rule\":\"C1\",\"what\":\"x\","
		 "\"asked\":0,\"left\":{}}],\"lost\":[{\"witness\":\"gdb\"}]}}",
			2, "trouble", 0, 2},
		{"", 2, "trouble", 0, 0},
		{"", 0, "trouble", 0, 0},
		{"{\"violations\":[{\"id\":\"i\"}]}", 1, "unreadable", 0, 0},
		{"garbage", 0, "unreadable", 0, 0},
		{"[]", 0, "unreadable", 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ora_campaign_job job = read_report(cases[i].report, cases[i].status);
		assert_string_equal(job.outcome, cases[i].outcome);
		assert_int_equal(job.findings.len, cases[i].findings);
		assert_int_equal(job.figures.len, cases[i].figures);
		if (!strcmp(cases[i].outcome, "trouble") && cases[i].status)
			assert_string_equal(job.detail, "exit status 2: xstep: it did not work");
		ora_campaign_job_deinit(&job);
	}
}

/* Of ccmd's findings, that one is not proved. */
static void that_a_compiler_hangs_names_nobody(void **state)
{
	(void)state;
	struct ora_campaign_job job =
		read_report("{\"findings\":[{\"id\":\"i\",\"signature\":\"s\",\"kind\":\"crash\"},"
			    "{\"id\":\"k\",\"signature\":\"t\",\"kind\":\"hang\"}]}",
			1);
	assert_null(job.findings.data[0].basis);
	assert_string_equal(job.findings.data[0].wrong, "producer");
	assert_string_equal(job.findings.data[1].basis, "suspected");
	assert_string_equal(job.findings.data[1].wrong, "");
	ora_campaign_job_deinit(&job);
}

static void words_of_an_oracle(void **state)
{
	(void)state;
	static const char *const flags[] = {"-Iinclude", "-fno-inline", NULL};
	const struct ora_oracle_case one = {.program = "p",
		.unopt = "u",
		.source = "s.c",
		.compiler = "cc",
		.level = "-O1",
		.flags = flags,
		.witness = "",
		.language = ora_language_find("c")};
	static const char *const expected[][2] = {
		{"diff", "xstep diff --format json --quiet p"},
		{"opt", "xstep check opt --format json --quiet u p"},
		{"avail",
			"xstep check avail --format json --quiet --source s.c --flag -Iinclude p"},
		{"twins",
			"xstep check twins --format json --quiet --compiler cc --flags '-O1 -g -w "
			"-Iinclude -fno-inline' --libs -lm --source s.c --flag -Iinclude"},
		{"ccmd", "xstep ccmd --format json --quiet --jobs 1 --compiler cc --levels -O1 "
			 "--extra -Iinclude --extra -fno-inline s.c"},
	};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		struct ora_command line = {0};
		ora_oracle_words(ora_oracle_find(expected[i][0]), "xstep", &one, &line);
		XS_AUTO_FREE char *text = ora_command_text(&line);
		assert_string_equal(text, expected[i][1]);
		ora_command_deinit(&line);
	}
	assert_null(ora_oracle_find("none"));
}

static void words_of_an_oracle_for_rust(void **state)
{
	(void)state;
	const struct ora_oracle_case one = {.source = "s.rs",
		.compiler = "rustc",
		.level = "-O1",
		.language = ora_language_find("rust")};
	struct ora_command line = {0};
	ora_oracle_words(ora_oracle_find("twins"), "xstep", &one, &line);
	XS_AUTO_FREE char *text = ora_command_text(&line);
	assert_string_equal(text, "xstep check twins --format json --quiet --compiler rustc "
				  "--flags '-C opt-level=1 -g --cap-lints allow --crate-name "
				  "program' --source s.rs");
	ora_command_deinit(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_of_diff),
		cmocka_unit_test(other_reports),
		cmocka_unit_test(that_a_compiler_hangs_names_nobody),
		cmocka_unit_test(words_of_an_oracle),
		cmocka_unit_test(words_of_an_oracle_for_rust),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
