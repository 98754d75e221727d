/* case_test.c - what warnings mean, and a case as JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/cause/case.h"

static void only_kinds_that_mean_undefined_behaviour_count(void **state)
{
	(void)state;
	struct ora_command kinds = {0};
	ora_case_kinds("t.c:1: warning: unused variable 'x' [-Wunused-variable]\n"
		       "t.c:2: warning: 'y' is used uninitialized [-Wuninitialized]\n"
		       "t.c:3: warning: 'z' is used uninitialized [-Wuninitialized]\n"
		       "t.c:4: warning: '%d' expects [-Wformat=]\n"
		       "t.c:5: error: no return [-Werror=return-type]\n",
		&kinds);
	assert_int_equal(kinds.vec.len, 2);
	assert_string_equal(kinds.vec.data[0], "uninitialized");
	assert_string_equal(kinds.vec.data[1], "format=");
	ora_command_deinit(&kinds);
}

static void a_case_is_the_same_after_json(void **state)
{
	(void)state;
	struct ora_case one = {.xstep = xs_strdup("/bin/xstep"),
		.source = xs_strdup("/tmp/a b.c"),
		.compiler = xs_strdup("/usr/bin/gcc-12"),
		.level = xs_strdup("-O2"),
		.oracle = ora_oracle_find("opt"),
		.witness = xs_strdup(""),
		.signature = xs_strdup("LI dead-line"),
		.wrong = xs_strdup("producer"),
		.run_seconds = 1,
		.ask_seconds = 2};
	struct ora_case other;
	ora_command_add(&one.flags, "-Ia b", "-DX", NULL);
	json_t *packed = ora_case_pack(&one);
	assert_true(ora_case_unpack(packed, &other));
	json_t *again = ora_case_pack(&other);
	assert_true(json_equal(packed, again));
	assert_ptr_equal(other.oracle, one.oracle);
	assert_string_equal(other.flags.vec.data[0], "-Ia b");
	json_decref(packed);
	json_decref(again);
	ora_case_deinit(&one);
	ora_case_deinit(&other);
}

static void what_is_no_case_is_refused(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"{}", "[]", "{\"oracle\": \"nobody\"}", "{\"oracle\": \"opt\", \"xstep\": 3}"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ora_case one;
		json_t *packed = json_loads(texts[i], 0, NULL);
		assert_false(ora_case_unpack(packed, &one));
		json_decref(packed);
		ora_case_deinit(&one);
	}
}

static void a_probe_has_the_operands_that_it_names(void **state)
{
	(void)state;
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"int main(void) { DTRACE_PROBE2(xstep, p1__a__b, a , b); }", NULL},
		{"DTRACE_PROBE1(other, p1__a, 0); DTRACE_PROBE(xstep, p2);", NULL},
		{"DTRACE_PROBE1(xstep, p1__a, 0);", "probe p1__a has 0 for its operand a"},
		{"DTRACE_PROBE1(xstep, p1__a, b);", "probe p1__a has b for its operand a"},
		{"DTRACE_PROBE2(xstep, p1__a__b, b, a);", "probe p1__a__b has b for its operand a"},
		{"DTRACE_PROBE2(xstep, p1__a__b, a);",
			"probe p1__a__b has nothing for its operand b"},
		{"DTRACE_PROBE2(xstep, p1__a, a, b);",
			"probe p1__a has more operands than it names"},
		{"DTRACE_PROBE2(xstep, p1__a__2, a, s.f[2]);"
		 " \".ascii \\\"p1__a__2 main 3:a 9:s.f[2]\\\\n\\\"\\n\"",
			NULL},
		{"DTRACE_PROBE2(xstep, p1__a__2, a, s.f[1]);"
		 " \".ascii \\\"p1__a__2 main 3:a 9:s.f[2]\\\\n\\\"\\n\"",
			"probe p1__a__2 has s.f[1] for its operand 2"},
		{"DTRACE_PROBE1(xstep, p1__1, s.f[1]);",
			"probe p1__1 has s.f[1] for its operand 1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *why = ora_case_false_probe(rows[i].text);
		if (rows[i].why && why)
			assert_string_equal(why, rows[i].why);
		else
			assert_ptr_equal(why, rows[i].why);
		free(why);
	}
}

static void probes_that_are_gone_are_not_named(void **state)
{
	(void)state;
	static const char before[] = "DTRACE_PROBE2(xstep, p1__a__2,\n a, b[1]);\n"
				     "__asm__(\".pushsection .xstep.probes\\n\"\n"
				     " \".ascii \\\"p1__a__2 main 31:a 9:b[1]\\\\n\\\"\\n\"\n"
				     " \".ascii \\\"p1__a main 31:a\\\\n\\\"\\n\"\n"
				     " \".popsection\\n\");";
	static const char after[] = "DTRACE_PROBE2(xstep, p1__a__2,\n a, b[1]);\n"
				    "__asm__(\".pushsection .xstep.probes\\n\"\n"
				    " \".ascii \\\"p1__a__2 main 0:a 0:b[1]\\\\n\\\"\\n\"\n"
				    " \".popsection\\n\");";
	XS_AUTO_FREE char *named = ora_case_named_probes(before);
	assert_string_equal(named, after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_kinds_that_mean_undefined_behaviour_count),
		cmocka_unit_test(a_case_is_the_same_after_json),
		cmocka_unit_test(what_is_no_case_is_refused),
		cmocka_unit_test(a_probe_has_the_operands_that_it_names),
		cmocka_unit_test(probes_that_are_gone_are_not_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
