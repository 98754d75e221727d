/* check_opt_test.c - an optimised program against the same source unoptimised: LI, BI, SI, PI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/fake_check.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, ora_fake_teardown)

/* The first stop is where steps begin. */
#define START "401000 main a.c:10\n"

static int setup(void **state)
{
	int ret = ora_fake_setup(state);
	struct fake *fake = *state;
	fake->subject = FAKE_PROGRAM;
	fake->level = "line";
	return ret;
}

/* How much a rule asked, or left for a reason that contains a text. */
static uint64_t asked(const struct ora_asked *asked, const char *rule, const char *reason)
{
	for (size_t i = 0; i < asked->rules.len; i++) {
		const struct ora_asked_rule *one = &asked->rules.data[i];
		if (strcmp(one->rule, rule) != 0)
			continue;
		if (!reason)
			return one->asked;
		for (size_t k = 0; k < one->left.len; k++)
			if (strstr(one->left.data[k].reason, reason))
				return one->left.data[k].count;
	}
	return 0;
}

/* By the last check: lines that LI asked about, and that it left because of other lines of the
 * statement or because there is no code; leaves that PI asked about, and not. */
static struct counts {
	uint64_t lines, parts, leaves, unsettled, rounded;
} counts;

/* What xstep's two traces give. */
static const char *check(
	struct fake *fake, struct ora_check_opt *how, const char *unopt, const char *opt)
{
	struct fake_check one;
	ora_fake_trace(fake, "xstep", unopt);
	ora_fake_trace(fake, "xstep", opt);
	fake_check_begin(&one, fake, "unopt opt ");
	how->check = &one.check;
	ora_fake_succeed(ora_check_opt(how));
	counts = (struct counts){.lines = asked(&one.check.asked, "LI", NULL),
		.parts = asked(&one.check.asked, "LI", "part of a statement") +
			 asked(&one.check.asked, "LI", "without code"),
		.leaves = asked(&one.check.asked, "PI", NULL),
		.unsettled = asked(&one.check.asked, "PI", "written before"),
		.rounded = asked(&one.check.asked, "PI", "rounded")};
	return fake_check_end(&one);
}

static const char *found(struct fake *fake, const char *unopt, const char *opt)
{
	struct ora_check_opt how = {0};
	return check(fake, &how, unopt, opt);
}

/* --- LI ------------------------------------------------------------------------------------- */

static void the_same_steps_violate_nothing(void **state)
{
	struct ora_check_opt how = {0};
	static const char text[] =
		START "401002 main+2 a.c:12\n x@11 = 1\n40100d main+13 a.c:20\n x@11 = 2\n";
	assert_string_equal(check(*state, &how, text, text), "");
	assert_int_equal(how.steps, 3);
	assert_int_equal(how.lines, 3);
}

static void a_line_that_is_never_stepped_on(void **state)
{
	assert_string_equal(found(*state, START "401002 main+2 a.c:12\n",
				    START "401002 main+2 a.c:12\n40100d main+13 a.c:20\n"),
		"LI extra producer:dead-line; evidence; wrong producer\n");
}

/* No statement of that line begins there. */
static void what_the_first_stop_shows_in_the_midst_is_not_asked(void **state)
{
	assert_string_equal(found(*state, START "401002 main+2 a.c:12\n",
				    "40100d main+13 a.c:99\n401002 main+2 a.c:12\n"),
		"");
}

static void the_first_stop_is_a_step_where_a_statement_begins(void **state)
{
	assert_string_equal(found(*state, START "401002 main+2 a.c:12\n",
				    "40100d main+13 a.c:20\n401002 main+2 a.c:12\n"),
		"LI extra producer:dead-line; evidence; wrong producer\n");
}

static void line_0_is_none(void **state)
{
	assert_string_equal(found(*state, START, START "401005 main+5 a.c:0\n"), "");
}

/* Both skip the prologue, but not at the same place. */
static void opening_lines_of_stepped_functions_count(void **state)
{
	assert_string_equal(
		found(*state, START "401102 vars+2 a.c:32\n", START "401100 vars a.c:30\n"), "");
}

static void opening_lines_of_other_functions_do_not(void **state)
{
	assert_string_equal(found(*state, START, START "401100 vars a.c:30\n"),
		"LI extra producer:dead-line; evidence; wrong producer\n");
}

/* Two rows are at the pc: the last one is shown, and the statement's line will do. */
static void the_statement_that_begins_there_will_do(void **state)
{
	assert_string_equal(
		found(*state, START "401001 main+1 a.c:14\n", START "401004 main+4 a.c:15\n"), "");
}

/* A file with a statement on lines 11 and 12; the text of a trace with its path. */
static char *with_source(struct fake *fake, const char *format)
{
	static const char text[] =
		"\n\n\n\n\n\n\n\n\nint main(void) {\n\tint x = one() +\n\t\ttwo();\n}\n";
	XS_AUTO_FREE char *path = xs_asprintf("%s.c", fake->path);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	char *ret = xs_strdup("");
	for (const char *at = format; *at; at++) {
		char *longer =
			*at == '%' ? xs_asprintf("%s%s", ret, path) : xs_asprintf("%s%c", ret, *at);
		free(ret);
		ret = longer;
	}
	xs_vec_push(&fake->texts, ret);
	return ret;
}

static void another_line_of_a_statement_is_set_aside(void **state)
{
	struct fake *fake = *state;
	struct ora_check_opt how = {0};
	const char *unopt = with_source(fake, "401000 main %:10\n401001 main+1 %:11\n");
	const char *opt =
		with_source(fake, "401000 main %:10\n401003 main+3 %:12\n401003 main+3 %:12\n");
	assert_string_equal(check(fake, &how, unopt, opt), "");
	assert_int_equal(counts.parts, 1);
	XS_AUTO_FREE char *path = xs_asprintf("%s.c", fake->path);
	unlink(path);
}

static void another_line_of_a_statement_is_noted_if_asked(void **state)
{
	struct fake *fake = *state;
	struct ora_check_opt how = {.parts = true};
	const char *unopt = with_source(fake, "401000 main %:10\n401001 main+1 %:11\n");
	const char *opt = with_source(fake, "401000 main %:10\n401003 main+3 %:12\n");
	assert_string_equal(check(fake, &how, unopt, opt),
		"LI extra producer:no-code; evidence; wrong producer\n");
	assert_int_equal(counts.parts, 0);
	XS_AUTO_FREE char *path = xs_asprintf("%s.c", fake->path);
	unlink(path);
}

/* --- BI ------------------------------------------------------------------------------------- */

static void a_frame_that_does_not_belong(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n < vars < main\n",
				    START "401102 vars+2 a.c:32\n < vars < host < main\n"),
		"BI lie producer:foreign-frame; evidence; wrong producer\n");
}

static void fewer_frames_are_fine(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n < vars < host < main\n",
				    START "401102 vars+2 a.c:32\n < vars < main\n"),
		"");
}

static void functions_that_are_never_active_together(void **state)
{
	assert_string_equal(found(*state,
				    START "401102 vars+2 a.c:32\n < vars < host < main\n401102 "
					  "vars+2 a.c:32\n < vars < split < main\n",
				    START "401102 vars+2 a.c:32\n < vars < host < split < main\n"),
		"BI lie producer:foreign-combination; evidence; wrong producer\n");
}

/* --- SI ------------------------------------------------------------------------------------- */

static void a_variable_out_of_scope(void **state)
{
	assert_string_equal(found(*state, START "401002 main+2 a.c:12\n",
				    START "401002 main+2 a.c:12\n x@11 = <optimized-out>\n"),
		"SI extra producer:out-of-scope; evidence; wrong producer\n");
}

static void a_variable_that_is_not_declared_yet_is_not_listed(void **state)
{
	assert_string_equal(found(*state, START "401002 main+2 a.c:12\n",
				    START "401002 main+2 a.c:12\n x@11 = 1 undeclared\n"),
		"");
}

static void not_declared_yet_counts_as_listed_in_unopt(void **state)
{
	assert_string_equal(found(*state, START "401002 main+2 a.c:12\n x@11 = 1 undeclared\n",
				    START "401002 main+2 a.c:12\n x@11 = 1\n"),
		"");
}

/* In one of two steps on the line. */
static const char sometimes[] =
	START "401002 main+2 a.c:12\n x@11 = 1\n401003 main+3 a.c:12\n x@11 = <absent>\n";

/* The paper's formula, arrival by arrival; nobody is to blame for it. */
static void listed_at_the_other_arrival_is_doubtful(void **state)
{
	assert_string_equal(
		found(*state, sometimes,
			START "401002 main+2 a.c:12\n x@11 = 1\n401003 main+3 a.c:12\n"),
		"SI extra undecided:sometimes-out-of-scope; evidence; wrong nobody\n");
}

static void listed_sometimes_is_enough_if_arrivals_are_not_as_many(void **state)
{
	assert_string_equal(
		found(*state, sometimes,
			START "401002 main+2 a.c:12\n x@11 = 1\n401003 main+3 a.c:12\n401002 "
			      "main+2 a.c:12\n"),
		"");
}

static void listed_at_the_same_arrivals_is_fine(void **state)
{
	assert_string_equal(found(*state, sometimes, sometimes), "");
}

/* A line of another function, shown in a frame that is only around it in UNOPT. */
static void a_foreign_line_is_one_violation(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n < vars < main\n",
				    START "401003 main+3 a.c:32\n < main\n x@11 = 1\n y@11 = 2\n"),
		"SI extra producer:foreign-line; evidence; wrong producer\n");
}

static void a_foreign_line_without_variables_is_none(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n < vars < main\n",
				    START "401003 main+3 a.c:32\n < main\n"),
		"");
}

/* --- PI ------------------------------------------------------------------------------------- */

static void a_parameter_with_a_value_that_it_never_has(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n p@30 = 1\n",
				    START "401102 vars+2 a.c:32\n p@30 = 7\n"),
		"PI lie producer:foreign-value; evidence; wrong producer\n");
}

static void a_value_that_it_has_elsewhere_is_fine(void **state)
{
	assert_string_equal(
		found(*state,
			START "401102 vars+2 a.c:32\n p@30 = 1\n401103 vars+3 a.c:33\n p@30 = 7\n",
			START "401102 vars+2 a.c:32\n p@30 = 7\n"),
		"");
}

/* Until a local is written, memory holds anything. */
static void locals_are_not_asked_before_they_are_written(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n register@31 = 1\n",
				    START "401102 vars+2 a.c:32\n register@31 = 7\n"),
		"");
	assert_int_equal(counts.leaves, 0);
	assert_int_equal(counts.unsettled, 1);
}

#define IN_VARS "401102 vars+2 a.c:32\n < vars < main\n"
#define WRITTEN                                                                                    \
	START "401101 vars+1 a.c:31\n < vars < main\n register@31 = 99\n" IN_VARS                  \
	      " register@31 = 1\n"

static void a_local_with_a_value_that_it_never_has(void **state)
{
	assert_string_equal(found(*state, WRITTEN, START IN_VARS " register@31 = 7\n"),
		"PI lie producer:foreign-value-of-local; evidence; wrong producer\n");
}

static void a_local_with_a_value_that_it_has_is_asked(void **state)
{
	assert_string_equal(found(*state, WRITTEN, START IN_VARS " register@31 = 1\n"), "");
	assert_int_equal(counts.leaves, 1);
}

static void at_the_first_instruction_nothing_is_asked(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n p@30 = 1\n",
				    START "401100 vars a.c:30\n p@30 = 7\n"),
		"");
}

/* Stepped over in UNOPT, line 32 changes it: in between it may have any value. */
static void where_it_is_changed_nothing_is_asked(void **state)
{
	assert_string_equal(
		found(*state,
			START "401102 vars+2 a.c:32\n p@30 = 1\n401103 vars+3 a.c:33\n p@30 = 2\n",
			START "401102 vars+2 a.c:32\n p@30 = 7\n"),
		"");
}

/* Pointers count as a symbol and an offset. */
static void pointers_are_compared_by_symbol(void **state)
{
	assert_string_equal(
		found(*state, START "401102 vars+2 a.c:32\n (int *)pointer@30 = 0x401100\n",
			START "401102 vars+2 a.c:32\n (int *)pointer@30 = 0x401200\n"),
		"PI lie producer:foreign-value; evidence; wrong producer\n");
}

static void null_is_a_value(void **state)
{
	assert_string_equal(
		found(*state, START "401102 vars+2 a.c:32\n (int *)pointer@30 = 0x401100\n",
			START "401102 vars+2 a.c:32\n (int *)pointer@30 = 0x0\n"),
		"PI lie producer:foreign-value; evidence; wrong producer\n");
}

static void pointers_without_a_name_are_not_compared(void **state)
{
	assert_string_equal(
		found(*state, START "401102 vars+2 a.c:32\n (int *)pointer@30 = 0x7ffe0010\n",
			START "401102 vars+2 a.c:32\n (int *)pointer@30 = 0x401200\n"),
		"");
}

/* Optimised code may come to other last digits. */
static void floating_values_that_are_near_are_set_aside(void **state)
{
	assert_string_equal(
		found(*state, START "401102 vars+2 a.c:32\n (double)p@30 = 0.30000000000000004\n",
			START "401102 vars+2 a.c:32\n (double)p@30 = 0.3\n"),
		"");
	assert_int_equal(counts.leaves, 0);
	assert_int_equal(counts.rounded, 1);
}

static void floating_values_that_are_not_near_are_compared(void **state)
{
	assert_string_equal(found(*state, START "401102 vars+2 a.c:32\n (double)p@30 = 0.3\n",
				    START "401102 vars+2 a.c:32\n (double)p@30 = 0.4\n"),
		"PI lie producer:foreign-value; evidence; wrong producer\n");
}

/* --- whose it is ---------------------------------------------------------------------------- */

/* A dead line, shown at a place, in the traces of some witnesses. */
static const char *dead_line_at(
	struct fake *fake, const char *place, const char *witnesses, unsigned shows)
{
	XS_AUTO_FREE char *dead = xs_asprintf(START "401002 main+2 a.c:12\n%s a.c:20\n", place);
	XS_AUTO_FREE char *names = xs_strdup(witnesses);
	XS_AUTO_FREE char *roles = xs_strdup("");
	char *rest = names;
	struct fake_check one;
	struct ora_check_opt how = {.check = &one.check};
	for (char *name; (name = strsep(&rest, " ")); shows >>= 1) {
		ora_fake_trace(fake, name, START "401002 main+2 a.c:12\n");
		ora_fake_trace(fake, name, shows & 1 ? dead : START "401002 main+2 a.c:12\n");
		char *longer = xs_asprintf("%sunopt opt ", roles);
		free(roles);
		roles = longer;
	}
	fake_check_begin(&one, fake, roles);
	ora_fake_succeed(ora_check_opt(&how));
	return fake_check_end(&one);
}

/* In the midst of the code of a line, where no row says it. */
static const char *dead_line_in(struct fake *fake, const char *witnesses, unsigned shows)
{
	return dead_line_at(fake, "40100e main+14", witnesses, shows);
}

static void what_xstep_shows_is_the_producers(void **state)
{
	assert_string_equal(dead_line_in(*state, "xstep gdb lldb", 7),
		"LI extra producer:dead-line; evidence; wrong producer\n");
}

static void what_one_debugger_shows_is_its_own(void **state)
{
	assert_string_equal(dead_line_in(*state, "xstep gdb lldb", 2),
		"LI extra gdb:dead-line; evidence; wrong gdb opt\n");
}

static void what_all_debuggers_show_and_the_dwarf_does_not_is_theirs(void **state)
{
	assert_string_equal(dead_line_in(*state, "xstep gdb lldb", 6),
		"LI extra gdb:dead-line,lldb:dead-line; evidence; wrong gdb opt lldb opt\n");
}

static void without_xstep_what_all_show_is_the_producers_by_majority(void **state)
{
	assert_string_equal(dead_line_in(*state, "gdb lldb", 3),
		"LI extra producer:dead-line; majority; wrong producer\n");
}

static void without_xstep_nobody_can_say_whose_it_is_if_not_all_show_it(void **state)
{
	assert_string_equal(dead_line_in(*state, "gdb lldb", 2),
		"LI extra undecided:dead-line; majority; wrong nobody\n");
}

static void of_one_debugger_nobody_can_say(void **state)
{
	assert_string_equal(dead_line_in(*state, "gdb", 1),
		"LI extra undecided:dead-line; majority; wrong nobody\n");
}

/* A row has a statement of that line begin there: the debugger shows what it was told. */
static void what_a_row_says_is_the_producers_whoever_shows_it(void **state)
{
	assert_string_equal(dead_line_at(*state, "40100d main+13", "gdb", 1),
		"LI extra producer:dead-line; evidence; wrong producer\n");
}

static void what_a_row_says_is_not_the_debuggers(void **state)
{
	assert_string_equal(dead_line_at(*state, "40100d main+13", "xstep gdb lldb", 2),
		"LI extra producer:dead-line; evidence; wrong producer\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_same_steps_violate_nothing),
		TEST(a_line_that_is_never_stepped_on),
		TEST(what_the_first_stop_shows_in_the_midst_is_not_asked),
		TEST(the_first_stop_is_a_step_where_a_statement_begins),
		TEST(line_0_is_none),
		TEST(opening_lines_of_stepped_functions_count),
		TEST(opening_lines_of_other_functions_do_not),
		TEST(the_statement_that_begins_there_will_do),
		TEST(another_line_of_a_statement_is_set_aside),
		TEST(another_line_of_a_statement_is_noted_if_asked),
		TEST(a_frame_that_does_not_belong),
		TEST(fewer_frames_are_fine),
		TEST(functions_that_are_never_active_together),
		TEST(a_variable_out_of_scope),
		TEST(a_variable_that_is_not_declared_yet_is_not_listed),
		TEST(not_declared_yet_counts_as_listed_in_unopt),
		TEST(listed_at_the_other_arrival_is_doubtful),
		TEST(listed_sometimes_is_enough_if_arrivals_are_not_as_many),
		TEST(listed_at_the_same_arrivals_is_fine),
		TEST(a_foreign_line_is_one_violation),
		TEST(a_foreign_line_without_variables_is_none),
		TEST(a_parameter_with_a_value_that_it_never_has),
		TEST(a_value_that_it_has_elsewhere_is_fine),
		TEST(locals_are_not_asked_before_they_are_written),
		TEST(a_local_with_a_value_that_it_never_has),
		TEST(a_local_with_a_value_that_it_has_is_asked),
		TEST(at_the_first_instruction_nothing_is_asked),
		TEST(where_it_is_changed_nothing_is_asked),
		TEST(pointers_are_compared_by_symbol),
		TEST(null_is_a_value),
		TEST(pointers_without_a_name_are_not_compared),
		TEST(floating_values_that_are_near_are_set_aside),
		TEST(floating_values_that_are_not_near_are_compared),
		TEST(what_xstep_shows_is_the_producers),
		TEST(what_one_debugger_shows_is_its_own),
		TEST(what_all_debuggers_show_and_the_dwarf_does_not_is_theirs),
		TEST(without_xstep_what_all_show_is_the_producers_by_majority),
		TEST(without_xstep_nobody_can_say_whose_it_is_if_not_all_show_it),
		TEST(of_one_debugger_nobody_can_say),
		TEST(what_a_row_says_is_the_producers_whoever_shows_it),
		TEST(what_a_row_says_is_not_the_debuggers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
