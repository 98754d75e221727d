/* check_levels_test.c - one program by line, by instruction and by breakpoints: R1, R2, R3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/fake_check.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, ora_fake_teardown)

/* Instructions of main in fake_program.S. */
#define I10     "401000 main a.c:10\n"
#define I11     "401001 main+1 a.c:11\n"
#define I12     "401002 main+2 a.c:12\n"
#define I13     "401003 main+3 a.c:13\n"
#define I15     "401004 main+4 a.c:15\n"
#define I19     "401008 main+8 a.c:19\n"
#define I20     "40100d main+13 a.c:20\n"
#define MIDST19 "401009 main+9 a.c:19\n"

static int setup(void **state)
{
	int ret = ora_fake_setup(state);
	((struct fake *)*state)->subject = FAKE_PROGRAM;
	return ret;
}

/* What the traces of a witness give; brk may be NULL. */
static const char *check(struct fake *fake, struct ora_check_levels *how, const char *witness,
	const char *line, const char *instruction, const char *brk)
{
	struct fake_check one;
	fake->level = "line";
	ora_fake_trace(fake, witness, line);
	fake->level = "instruction";
	ora_fake_trace(fake, witness, instruction);
	fake->level = "break";
	if (brk)
		ora_fake_trace(fake, witness, brk);
	fake_check_begin(&one, fake, "line instruction break ");
	how->check = &one.check;
	ora_fake_succeed(ora_check_levels(how));
	return fake_check_end(&one);
}

/* The same with the order of all that is executed; by breakpoints nothing. *asked: how many steps
 * were asked about. */
static const char *found_in_order(struct fake *fake, const char *line, const char *instruction,
	const char *executed, uint64_t *asked)
{
	struct fake_check one;
	struct ora_check_levels how = {.check = &one.check};
	fake->level = "line";
	ora_fake_trace(fake, "gdb", line);
	fake->level = "instruction";
	ora_fake_trace(fake, "gdb", instruction);
	fake->order = true;
	how.order = ora_fake_trace(fake, "xstep", executed);
	fake_check_begin(&one, fake, "line instruction order ");
	ora_fake_succeed(ora_check_levels(&how));
	*asked = 0;
	for (size_t i = 0; i < one.check.asked.rules.len; i++)
		if (!strcmp(one.check.asked.rules.data[i].what, "later steps"))
			*asked = one.check.asked.rules.data[i].asked;
	return fake_check_end(&one);
}

/* How many lines were not asked about, for a reason. */
static uint64_t left(const struct ora_check *check, const char *reason)
{
	for (size_t i = 0; i < check->asked.rules.len; i++) {
		const struct ora_asked_rule *rule = &check->asked.rules.data[i];
		for (size_t k = 0; k < rule->left.len; k++)
			if (!strcmp(rule->left.data[k].reason, reason))
				return rule->left.data[k].count;
	}
	return 0;
}

static const char *found(
	struct fake *fake, const char *line, const char *instruction, const char *brk)
{
	struct ora_check_levels how = {0};
	return check(fake, &how, "gdb", line, instruction, brk);
}

/* --- R1 ------------------------------------------------------------------------------------- */

static void the_same_lines_violate_nothing(void **state)
{
	struct ora_check_levels how = {0};
	assert_string_equal(check(*state, &how, "gdb", I11 I12 I19, I11 I12 I19, I11 I12 I19), "");
	assert_int_equal(how.steps, 3);
}

static void a_line_hit_by_line_steps_alone(void **state)
{
	assert_string_equal(found(*state, I11 "401002 main+2 a.c:18\n", I11 I12 I19, NULL),
		"R1 extra undecided:line-only; majority; wrong nobody\n"
		"R1 loss undecided:instruction-only; majority; wrong nobody\n"
		"R1 loss undecided:instruction-only; majority; wrong nobody\n");
}

static void a_statement_that_line_steps_never_hit(void **state)
{
	assert_string_equal(found(*state, I11 I19, I11 I12 I19, NULL),
		"R1 loss undecided:instruction-only; majority; wrong nobody\n");
}

/* The line table says not to stop there. */
static void a_line_without_a_statement_is_not_asked_about(void **state)
{
	struct ora_check_levels how = {0};
	assert_string_equal(check(*state, &how, "gdb", I11 I19, I11 I13 I19, NULL), "");
}

static void a_line_without_a_statement_is_noted_if_asked(void **state)
{
	struct ora_check_levels how = {.no_stmt = true};
	assert_string_equal(check(*state, &how, "gdb", I11 I19, I11 I13 I19, NULL),
		"R1 loss undecided:instruction-only-no-stmt; majority; wrong nobody\n");
}

/* An opening line with nothing but a prologue. */
static void a_prologue_is_not_asked_about(void **state)
{
	struct ora_check_levels how = {0};
	assert_string_equal(check(*state, &how, "gdb", I11 I19, I10 I11 I19, NULL), "");
}

/* A branch into the midst of the line: steps are on it before its statement begins. */
static void a_line_reached_in_its_midst_is_not_asked_about(void **state)
{
	struct fake *fake = *state;
	struct fake_check one;
	struct ora_check_levels how = {.check = &one.check};
	fake->level = "line";
	ora_fake_trace(fake, "xstep", I11 I20);
	fake->level = "instruction";
	ora_fake_trace(fake, "xstep", I11 I13 MIDST19 I19 I20);
	fake_check_begin(&one, fake, "line instruction ");
	ora_fake_succeed(ora_check_levels(&how));
	assert_int_equal(left(&one.check, "reached in their midst"), 1);
	assert_int_equal(left(&one.check, "without a row with is_stmt"), 1);
	assert_string_equal(fake_check_end(&one), "");
}

/* xstep shows the last row's line, and hits that of the statement, too. */
static void a_step_that_ends_for_a_statement_hits_its_line(void **state)
{
	struct ora_check_levels how = {0};
	assert_string_equal(check(*state, &how, "xstep", I11 I15 I19,
				    I11 "401002 main+2 a.c:14\n" I15 I19, I11 I15 I19),
		"");
}

static void a_line_hit_by_a_breakpoint_alone(void **state)
{
	assert_string_equal(found(*state, I11 I12, I11 I12, I11 I12 "401002 main+2 a.c:18\n"),
		"R1 extra undecided:break-only; majority; wrong nobody\n");
}

static void a_line_that_no_breakpoint_hits(void **state)
{
	assert_string_equal(found(*state, I11 I12 I19, I11 I12 I19, I11 I19),
		"R1 loss undecided:no-break; majority; wrong nobody\n");
}

/* Taken with another line's of the same address: which is shown is anybody's guess. */
static void a_breakpoint_that_shows_another_line_was_taken(void **state)
{
	assert_string_equal(
		found(*state, I11 I12 I19, I11 I12 I19, I11 "401002 main+2 a.c:11\n" I19), "");
}

/* At another address of the line. */
static void a_breakpoint_at_another_place_of_the_line_was_taken(void **state)
{
	assert_string_equal(found(*state, I11 MIDST19 I12, I11 I19 MIDST19 I12,
				    I11 "401008 main+8 a.c:11\n" I12),
		"");
}

/* The first stop is where steps begin. */
static void the_first_line_needs_no_breakpoint(void **state)
{
	assert_string_equal(found(*state, I11 I12, I11 I12, I12), "");
}

static void more_hits_than_executions(void **state)
{
	assert_string_equal(found(*state, I11 I12 I11 I12, I11 I12 I11, NULL),
		"R1 extra undecided:more-hits; majority; wrong nobody\n");
}

static void fewer_hits_than_executions_are_fine(void **state)
{
	assert_string_equal(found(*state, I11 I12, I11 I12 I11 I12, NULL), "");
}

/* --- R2 ------------------------------------------------------------------------------------- */

static void lines_in_another_order(void **state)
{
	assert_string_equal(found(*state, I11 I19 I12, I11 I12 I19 I12, NULL),
		"R2 lie undecided:order; majority; wrong nobody\n");
}

static void lines_in_the_same_order(void **state)
{
	assert_string_equal(found(*state, I11 I12 I19 I12, I11 I12 I19 I12, NULL), "");
}

/* A line counts for the order where a statement of it begins. */
static void a_line_without_a_statement_has_no_order(void **state)
{
	assert_string_equal(found(*state, I11 I19 I13, I11 I13 I19 I13, NULL), "");
}

/* All hits, along the order of all that is executed. */
static void a_later_step_over_a_line(void **state)
{
	uint64_t asked;
	assert_string_equal(
		found_in_order(*state, I11 I12 I19 I11 I19 I20, I11 I12 I19 I11 I12 I19 I20,
			I11 I12 I19 I11 I12 I19 I20, &asked),
		"R2 lie gdb:order-later; evidence; wrong gdb line\n");
	assert_int_equal(asked, 3);
}

static void later_steps_from_line_to_line(void **state)
{
	uint64_t asked;
	assert_string_equal(
		found_in_order(*state, I11 I12 I19 I11 I12 I19 I20, I11 I12 I19 I11 I12 I19 I20,
			I11 I12 I19 I11 I12 I19 I20, &asked),
		"");
	assert_int_equal(asked, 6);
}

/* The line is being stepped when its statement begins. */
static void a_later_step_into_the_midst_of_a_line(void **state)
{
	uint64_t asked;
	assert_string_equal(
		found_in_order(*state, I11 I19 I20 I11 I20, I11 I19 MIDST19 I20 I11 MIDST19 I19 I20,
			I11 I19 MIDST19 I20 I11 MIDST19 I19 I20, &asked),
		"");
	assert_int_equal(asked, 2);
}

/* What a step does at a call is not asked. */
static void a_later_step_with_a_call(void **state)
{
	uint64_t asked;
	assert_string_equal(found_in_order(*state, I11 I12 I11 I19, I11 I12 I11 I12 I19,
				    I11 I12 I11 "401100 f a.c:30\n" I12 I19, &asked),
		"");
	assert_int_equal(asked, 0);
}

static void runs_that_go_different_ways(void **state)
{
	uint64_t asked;
	assert_string_equal(
		found_in_order(*state, I11 I12 I20 I19, I11 I12 I20 I19, I11 I12 I19 I20, &asked),
		"");
	assert_int_equal(asked, 1);
}

/* --- R3 ------------------------------------------------------------------------------------- */

static void another_value_at_the_same_place(void **state)
{
	assert_string_equal(found(*state, I11 I12 " x@11 = 1\n", I11 I12 " x@11 = 2\n", NULL),
		"R3 lie undecided:value; majority; wrong nobody\n");
}

static void another_state_at_the_same_place(void **state)
{
	assert_string_equal(
		found(*state, I11 I12 " x@11 = 1\n", I11 I12 " x@11 = <optimized-out>\n", NULL),
		"R3 lie undecided:value; majority; wrong nobody\n");
}

static void the_same_value_at_the_same_place(void **state)
{
	assert_string_equal(found(*state, I11 I12 " x@11 = 1\n y@11 = <error: a>\n",
				    I11 I12 " x@11 = 1\n y@11 = <error: b>\n", NULL),
		"");
}

/* Line steps stop on the line when its statement is long under way. */
static void another_value_where_the_line_is_entered(void **state)
{
	assert_string_equal(found(*state, I11 MIDST19 " x@11 = 1\n",
				    I11 I19 " x@11 = 2\n" MIDST19 " x@11 = 1\n", NULL),
		"R3 lie undecided:value-by-line; majority; wrong nobody\n");
}

/* It is not entered where instruction steps first arrive. */
static void another_value_in_the_midst_of_the_line(void **state)
{
	assert_string_equal(found(*state, I11 I19 " x@11 = 1\n",
				    I11 MIDST19 " x@11 = 2\n" I19 " x@11 = 1\n", NULL),
		"");
}

/* It is executed once before line steps stop there: these are not the same arrivals. */
static void a_later_execution_is_not_compared(void **state)
{
	assert_string_equal(found(*state, I11 I19 I12 " x@11 = 2\n" I19,
				    I11 I12 " x@11 = 1\n" I19 I12 " x@11 = 2\n" I19, NULL),
		"R2 lie undecided:order; majority; wrong nobody\n");
}

/* Of two that look the same it is not known which is which. */
static void twins_are_not_compared(void **state)
{
	assert_string_equal(found(*state, I11 I12 " x@11'1 = 1\n x@11'2 = 2\n",
				    I11 I12 " x@11'1 = 2\n x@11'2 = 1\n", NULL),
		"");
}

/* Only the first arrival is compared, on both sides. */
static void later_values_are_not_compared(void **state)
{
	assert_string_equal(found(*state, I11 " x@11 = 1\n" I12 I11 I12 " x@11 = 9\n",
				    I11 " x@11 = 1\n" I12 I11 I12 " x@11 = 2\n", NULL),
		"");
}

/* Another activation has other values. */
static void another_activation_is_not_compared(void **state)
{
	assert_string_equal(found(*state, I11 I12 " < main < main\n x@11 = 1\n",
				    I11 I12 " < main\n x@11 = 2\n", NULL),
		"");
}

static void what_is_unstable_is_not_compared(void **state)
{
	struct fake *fake = *state;
	struct fake_check one;
	struct ora_check_levels how = {.check = &one.check};
	fake->level = "line";
	ora_fake_trace(fake, "gdb", I11 I12 " x@11 = 1\n");
	fake->level = "instruction";
	ora_fake_trace(fake, "gdb", I11 I12 " x@11 = 2\n");
	ora_fake_unstable(fake, 2, "x", 1, 9);
	fake_check_begin(&one, fake, "line instruction ");
	ora_fake_succeed(ora_check_levels(&how));
	assert_string_equal(fake_check_end(&one), "");
}

/* --- several witnesses ---------------------------------------------------------------------- */

static void each_witness_is_checked_by_itself(void **state)
{
	static const char *const names[] = {"xstep", "gdb", "lldb"};
	struct fake *fake = *state;
	struct fake_check one;
	struct ora_check_levels how = {.check = &one.check};
	for (size_t i = 0; i < 3; i++) {
		fake->level = "line";
		ora_fake_trace(fake, names[i], i == 1 ? I11 I19 : I11 I12 I19);
		fake->level = "instruction";
		ora_fake_trace(fake, names[i], I11 I12 I19);
	}
	fake_check_begin(&one, fake, "line instruction line instruction line instruction ");
	ora_fake_succeed(ora_check_levels(&how));
	assert_string_equal(fake_check_end(&one),
		"R1 loss gdb:instruction-only; evidence; wrong gdb instruction\n");
	assert_int_equal(how.steps, 8);
}

/* What is told of a violation: place, what each trace has, why, and the rows of the line table. */
static void a_violation_is_explained(void **state)
{
	struct fake *fake = *state;
	struct fake_check one;
	struct ora_check_levels how = {.check = &one.check};
	fake->level = "line";
	ora_fake_trace(fake, "xstep", I11 I20);
	fake->level = "instruction";
	ora_fake_trace(fake, "xstep", I11 I15 I20 I19);
	fake_check_begin(&one, fake, "line instruction ");
	ora_fake_succeed(ora_check_levels(&how));
	ora_check_judge(&one.check);
	assert_int_equal(one.check.verdicts.findings.len, 1);
	const struct ora_finding *finding = &one.check.verdicts.findings.data[0];
	assert_string_equal(finding->group, "R1");
	assert_int_equal(finding->difference->aspect, ORA_ASPECT_CHECK);
	assert_int_equal(finding->difference->pc, 0x401008);
	assert_int_equal(finding->difference->line, 19);
	assert_string_equal(finding->difference->said[0].value, "never hits this line");
	assert_string_equal(finding->difference->said[1].value, "hits this line");
	assert_string_equal(finding->reason,
		"the producer of the DWARF loses it: a statement of line 19 was executed, a row "
		"with is_stmt, and line steps never stop there");
	assert_string_equal(finding->remark, "line table at 0x401008: 19:0 is_stmt");
	ora_check_deinit(&one.check);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_same_lines_violate_nothing),
		TEST(a_line_hit_by_line_steps_alone),
		TEST(a_statement_that_line_steps_never_hit),
		TEST(a_line_without_a_statement_is_not_asked_about),
		TEST(a_line_without_a_statement_is_noted_if_asked),
		TEST(a_prologue_is_not_asked_about),
		TEST(a_line_reached_in_its_midst_is_not_asked_about),
		TEST(a_step_that_ends_for_a_statement_hits_its_line),
		TEST(a_line_hit_by_a_breakpoint_alone),
		TEST(a_line_that_no_breakpoint_hits),
		TEST(a_breakpoint_that_shows_another_line_was_taken),
		TEST(a_breakpoint_at_another_place_of_the_line_was_taken),
		TEST(the_first_line_needs_no_breakpoint),
		TEST(more_hits_than_executions),
		TEST(fewer_hits_than_executions_are_fine),
		TEST(lines_in_another_order),
		TEST(lines_in_the_same_order),
		TEST(a_line_without_a_statement_has_no_order),
		TEST(a_later_step_over_a_line),
		TEST(later_steps_from_line_to_line),
		TEST(a_later_step_into_the_midst_of_a_line),
		TEST(a_later_step_with_a_call),
		TEST(runs_that_go_different_ways),
		TEST(another_value_at_the_same_place),
		TEST(another_state_at_the_same_place),
		TEST(the_same_value_at_the_same_place),
		TEST(another_value_where_the_line_is_entered),
		TEST(another_value_in_the_midst_of_the_line),
		TEST(a_later_execution_is_not_compared),
		TEST(twins_are_not_compared),
		TEST(later_values_are_not_compared),
		TEST(another_activation_is_not_compared),
		TEST(what_is_unstable_is_not_compared),
		TEST(each_witness_is_checked_by_itself),
		TEST(a_violation_is_explained),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
