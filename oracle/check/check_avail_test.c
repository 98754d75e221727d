/* check_avail_test.c - variables that must be there: C1, C2, C3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/check/fake_check.h"
#include "source/uses.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, ora_fake_teardown)

/* Lines 11, 12, 19 and 20 of main have statements in fake_program.S; the code of line 19 stores
 * something, that of line 12 does not; line 20 calls jump(). */
#define BEFORE                                                                                     \
	"int global, table[8];\nvoid opaque(int);\nint other(void);\nvoid "                        \
	"jump(int);\n\n\n\n\nint "                                                                 \
	"main(void)\n{\n"
#define L11 "401001 main+1 a.c:11\n"
#define L12 "401002 main+2 a.c:12\n"
#define L19 "401008 main+8 a.c:19\n"
#define L20 "40100d main+13 a.c:20\n"

static const char call[] = BEFORE "\tint x = other();\n\n\n\n\n\n\n\n\n\tjump(x);\n}\n";
static const char constant[] =
	BEFORE "\tint k = 3, x = other();\n\n\n\n\n\n\n\n\tglobal = k + x;\n}\n";
static const char moved[] = BEFORE "\tint k = 3, x = other();\n\tglobal = k + x;\n}\n";
static const char element[] =
	BEFORE "\tint i = other();\n\n\n\n\n\n\n\n\ttable[i] = 1;\n\topaque(i);\n}\n";
static const char unused[] = BEFORE "\tint i = other();\n\n\n\n\n\n\n\n\ttable[i] = 1;\n}\n";
static const char decay[] =
	BEFORE "\tint x = other();\n\tother();\n\n\n\n\n\n\n\tother();\n\topaque(x);\n}\n";
static const char again[] =
	BEFORE "\tint x = other();\n\tother();\n\n\n\n\n\n\tx = 4;\n\tother();\n\topaque(x);\n}\n";
static const char looping[] =
	BEFORE "\tint x = other();\n\tother();\n\n\n\n\n\n\twhile (other())\n\t\tx = "
	       "4;\n\topaque(x);\n}\n";
static const char escaping[] = BEFORE
	"\tint x = other(), *p = &x;\n\tother();\n\n\n\n\n\n\n\tother();\n\topaque(!p);\n}\n";

static int setup(void **state)
{
	int ret = ora_fake_setup(state);
	struct fake *fake = *state;
	fake->subject = FAKE_PROGRAM;
	fake->level = "break";
	return ret;
}

/* What the last check asked, by rule. */
static struct {
	uint64_t asked, left;
	const char *reason; /* the first one */
} told[3];

static void keep_asked(const struct ora_asked *asked)
{
	assert_int_equal(asked->rules.len, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct ora_asked_rule *rule = &asked->rules.data[i];
		told[i].asked = rule->asked;
		told[i].left = rule->left.len ? rule->left.data[0].count : 0;
		told[i].reason = rule->left.len ? rule->left.data[0].reason : "";
	}
}

/* What xstep's trace, and gdb's if it is not NULL, give with the facts of a source. */
static const char *check(struct fake *fake, const char *source, const char *xstep, const char *gdb)
{
	struct fake_check one;
	struct src_facts facts;
	struct src_unit *unit = NULL;
	XS_AUTO_FREE char *path = xs_asprintf("%s.c", fake->path);
	XS_AUTO_FREE char *named = xs_asprintf("#line 1 \"/src/a.c\"\n%s", source);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(named, file);
	fclose(file);
	struct xs_error *err = src_unit_open(path, NULL, 0, &unit);
	unlink(path);
	ora_fake_succeed(err);
	src_facts_collect(unit, &facts);
	ora_fake_trace(fake, "xstep", xstep);
	if (gdb)
		ora_fake_trace(fake, "gdb", gdb);
	fake_check_begin(&one, fake, "break break ");
	struct ora_check_avail how = {.check = &one.check, .facts = &facts};
	ora_fake_succeed(ora_check_avail(&how));
	keep_asked(&one.check.asked);
	const char *ret = fake_check_end(&one);
	src_facts_deinit(&facts);
	src_unit_destroy(unit);
	return ret;
}

static const char *found(struct fake *fake, const char *source, const char *trace)
{
	return check(fake, source, trace, NULL);
}

/* --- C1 ------------------------------------------------------------------------------------- */

static void an_argument_has_a_value(void **state)
{
	assert_string_equal(check(*state, call, L11 L20 " x@11 = 1\n", NULL), "");
	assert_int_equal(told[0].asked, 1);
}

static void an_argument_without_a_value(void **state)
{
	assert_string_equal(found(*state, call, L11 L20 " x@11 = <optimized-out>\n"),
		"C1 loss producer:argument incorrect; evidence; wrong producer\n");
}

static void an_argument_that_is_not_listed(void **state)
{
	assert_string_equal(found(*state, call, L11 L20),
		"C1 loss producer:argument incorrect; evidence; wrong producer\n");
}

/* The line is looked at only where it is first hit, and if it is hit in that function. */
static void a_call_that_is_not_hit_is_not_asked(void **state)
{
	assert_string_equal(check(*state, call, L11 L20 " < other\n" L20 " < main\n", NULL), "");
	assert_int_equal(told[0].asked, 0);
}

/* Without a statement there, what a location list says is said of another line. */
static void a_line_that_is_not_clear_is_not_asked(void **state)
{
	assert_string_equal(check(*state, call, L11 "401003 main+3 a.c:20\n", NULL), "");
	assert_int_equal(told[0].asked, 0);
}

static void a_variable_that_the_dwarf_does_not_have_is_missing(void **state)
{
	static const char source[] =
		BEFORE "\tint lost = other();\n\n\n\n\n\n\n\n\n\tjump(lost);\n}\n";
	assert_string_equal(found(*state, source, L11 L20),
		"C1 loss producer:argument missing; evidence; wrong producer\n");
}

/* In function vars, lines 31 to 33: one has no location, the list of the other ends before line 33,
 * which calls last(). */
static void what_is_wrong_with_an_entry_is_told(void **state)
{
	static const char source[] =
		"void last(int, int);\nint other(void);\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		"\n\n\n\n\n\n\n\n\n\n\nint vars(void)\n{\n"
		"\tint hollow = other(), covered = other();\n"
		"\n\tlast(hollow, covered);\n}\n";
	assert_string_equal(
		found(*state, source,
			"401101 vars+1 a.c:31\n401102 vars+2 a.c:32\n401103 vars+3 a.c:33\n"),
		"C1 loss producer:argument hollow [no-location]; evidence; wrong producer\n"
		"C1 loss producer:argument incomplete [not-covered]; evidence; wrong producer\n");
}

static void a_call_that_was_removed_is_not_asked(void **state)
{
	static const char source[] = BEFORE "\tint x = other();\n\tjump(x);\n}\n";
	assert_string_equal(found(*state, source, L11 L12 " x@11 = <optimized-out>\n"), "");
	assert_string_equal(told[0].reason, "without a call of it at the hit");
}

static void a_call_that_was_replaced_is_not_asked(void **state)
{
	static const char source[] = BEFORE "\tint x = other();\n\n\n\n\n\n\n\n\n\topaque(x);\n}\n";
	assert_string_equal(found(*state, source, L11 L20 " x@11 = <optimized-out>\n"), "");
	assert_string_equal(told[0].reason, "without a call of it at the hit");
}

/* Which of the two is in the code? */
static void an_argument_of_one_of_two_calls_is_not_asked(void **state)
{
	static const char two[] =
		BEFORE "\tint x = other();\n\n\n\n\n\n\n\n\n\tx ? jump(x) : jump(1);\n}\n";
	assert_string_equal(found(*state, two, L11 L20 " x@11 = <optimized-out>\n"), "");
	assert_string_equal(told[0].reason, "of one of several calls of a function on the line");
}

/* --- C2 ------------------------------------------------------------------------------------- */

static void a_constant_that_is_stored_has_a_value(void **state)
{
	assert_string_equal(check(*state, constant, L11 L19 " k@11 = 3\n", NULL), "");
	assert_int_equal(told[1].asked, 1);
}

static void a_constant_that_is_stored_without_a_value(void **state)
{
	assert_string_equal(found(*state, constant, L11 L19 " k@11 = <optimized-out>\n"),
		"C2 loss producer:constant missing; evidence; wrong producer\n");
}

/* Nothing is stored by the code of the line: a load that was moved there, maybe. */
static void a_line_that_stores_nothing_is_set_aside(void **state)
{
	assert_string_equal(check(*state, moved, L11 L12 " k@11 = <optimized-out>\n", NULL), "");
	assert_int_equal(told[1].asked, 0);
	assert_int_equal(told[1].left, 1);
	assert_string_equal(told[1].reason, "without a store instruction at the hit");
}

static void an_index_that_is_used_later_without_a_value(void **state)
{
	assert_string_equal(
		found(*state, element, L11 " i@11 = 1\n" L19 " i@11 = <optimized-out>\n"),
		"C2 loss producer:index missing; evidence; wrong producer\n");
}

static void an_index_that_is_not_used_later_is_not_asked(void **state)
{
	assert_string_equal(
		check(*state, unused, L11 " i@11 = 1\n" L19 " i@11 = <optimized-out>\n", NULL), "");
	assert_int_equal(told[1].asked, 0);
}

/* --- C3 ------------------------------------------------------------------------------------- */

static void availability_that_improves(void **state)
{
	assert_string_equal(
		found(*state, decay, L11 L12 " x@11 = <optimized-out>\n" L19 " x@11 = 1\n"),
		"C3 loss producer:decay incorrect; evidence; wrong producer\n");
}

/* No value is lost that is nowhere; that it is not listed is a matter of scopes. */
static void from_absent_to_listed_is_not_asked(void **state)
{
	assert_string_equal(found(*state, decay, L11 L12 L19 " x@11 = <optimized-out>\n"), "");
	assert_string_equal(told[2].reason, "never shown with a value");
}

static void availability_that_gets_worse_is_fine(void **state)
{
	assert_string_equal(
		check(*state, decay, L11 L12 " x@11 = 1\n" L19 " x@11 = <optimized-out>\n", NULL),
		"");
	assert_int_equal(told[2].asked, 1);
}

static void another_assignment_begins_anew(void **state)
{
	assert_string_equal(
		found(*state, again, L11 L12 " x@11 = <optimized-out>\n" L19 " x@11 = 4\n"), "");
}

/* From the loop on that it is assigned in, it may be assigned already. */
static void an_assignment_in_a_loop_begins_with_the_loop(void **state)
{
	assert_string_equal(
		found(*state, looping, L11 L12 " x@11 = <optimized-out>\n" L20 " x@11 = 4\n"), "");
}

static void whose_address_is_taken_is_not_asked(void **state)
{
	assert_string_equal(check(*state, escaping,
				    L11 L12 " x@11 = <optimized-out>\n" L19 " x@11 = 1\n", NULL),
		"");
}

/* Lines of another activation. */
static void other_frames_around_it_are_another_call(void **state)
{
	assert_string_equal(
		found(*state, decay,
			L11 " < main < start\n" L12 " < main < start\n x@11 = <optimized-out>\n" L19
			    " < main < main < start\n x@11 = 1\n"),
		"");
}

/* --- whose it is ---------------------------------------------------------------------------- */

/* Where a debugger alone loses it, the entry is in order: nothing is said of it. */
static void a_debuggers_loss_has_no_flaw(void **state)
{
	assert_string_equal(
		check(*state, call, L11 L20 " x@11 = 1\n", L11 L20 " x@11 = <optimized-out>\n"),
		"C1 loss gdb:argument; evidence; wrong gdb break\n");
}

/* The same in two witnesses is one violation, and the DWARF's, with what each of them said. */
static void what_xstep_and_gdb_lose_is_one_violation(void **state)
{
	assert_string_equal(check(*state, call, L11 L20 " x@11 = <optimized-out: gone>\n",
				    L11 L20 " x@11 = <error: no>\n"),
		"C1 loss producer:argument incorrect; evidence; wrong producer\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_argument_has_a_value),
		TEST(an_argument_without_a_value),
		TEST(an_argument_that_is_not_listed),
		TEST(a_call_that_is_not_hit_is_not_asked),
		TEST(a_line_that_is_not_clear_is_not_asked),
		TEST(a_variable_that_the_dwarf_does_not_have_is_missing),
		TEST(what_is_wrong_with_an_entry_is_told),
		TEST(a_call_that_was_removed_is_not_asked),
		TEST(a_call_that_was_replaced_is_not_asked),
		TEST(an_argument_of_one_of_two_calls_is_not_asked),
		TEST(a_constant_that_is_stored_has_a_value),
		TEST(a_constant_that_is_stored_without_a_value),
		TEST(a_line_that_stores_nothing_is_set_aside),
		TEST(an_index_that_is_used_later_without_a_value),
		TEST(an_index_that_is_not_used_later_is_not_asked),
		TEST(availability_that_improves),
		TEST(from_absent_to_listed_is_not_asked),
		TEST(availability_that_gets_worse_is_fine),
		TEST(another_assignment_begins_anew),
		TEST(an_assignment_in_a_loop_begins_with_the_loop),
		TEST(whose_address_is_taken_is_not_asked),
		TEST(other_frames_around_it_are_another_call),
		TEST(a_debuggers_loss_has_no_flaw),
		TEST(what_xstep_and_gdb_lose_is_one_violation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
