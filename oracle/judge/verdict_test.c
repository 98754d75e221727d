/* verdict_test.c - who is wrong where witnesses differ: groups, kinds, signatures, ids,
 * clusters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/judge/fake_trace.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, ora_fake_setup, ora_fake_teardown)

/* What is found where three witnesses are at one place and each says one thing. NULL: is not
 * asked. */
static const char *judge_at(
	struct fake *fake, const char *place, const char *xstep, const char *gdb, const char *lldb)
{
	static const char *const names[] = {"xstep", "gdb", "lldb"};
	const char *says[] = {xstep, gdb, lldb};
	for (size_t i = 0; i < 3; i++) {
		XS_AUTO_FREE char *text = says[i] ? xs_asprintf("%s\n%s\n", place, says[i]) : NULL;
		if (text)
			ora_fake_trace(fake, names[i], text);
	}
	ora_fake_judge(fake);
	return ora_fake_findings(fake, &fake->verdicts);
}

static const char *judge(struct fake *fake, const char *xstep, const char *gdb, const char *lldb)
{
	return judge_at(fake, "1000 f a.c:3", xstep, gdb, lldb);
}

/* In function vars of fake_program.S. */
static const char *judge_there(
	struct fake *fake, const char *xstep, const char *gdb, const char *lldb)
{
	fake->subject = FAKE_PROGRAM;
	return judge_at(fake, "401102 vars+2 a.c:32", xstep, gdb, lldb);
}

static const struct ora_finding *first(struct fake *fake)
{
	return &fake->verdicts.findings.data[0];
}

/* --- groups and kinds ----------------------------------------------------------------------- */

static void gdb_declines(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = <optimized-out>", " x = 1"),
		"G1 loss gdb:?optimized-out; evidence; wrong gdb\n");
	assert_string_equal(first(*state)->group, "G1");
	assert_int_equal(first(*state)->kind, ORA_KIND_LOSS);
	assert_string_equal(
		first(*state)->reason, "gdb is wrong: gdb declines what the DWARF gives");
}

static void gdb_does_not_list(void **state)
{
	assert_string_equal(judge(*state, " x = 1\n y = 1", " y = 1", " x = 1\n y = 1"),
		"G1 loss gdb:?absent; evidence; wrong gdb\n");
	assert_string_equal(first(*state)->reason, "gdb is wrong: gdb does not list it");
}

static void lldb_shows_too_much(void **state)
{
	assert_string_equal(judge(*state, " x = <optimized-out>", " x = <optimized-out>", " x = 1"),
		"G2 extra lldb:?value; evidence; wrong lldb\n");
	assert_string_equal(first(*state)->reason,
		"lldb is wrong: lldb shows a value where the DWARF gives none");
}

static void lldb_declines_with_a_message(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = 1", " x = <error: bad byte 0x1f at 12>"),
		"G3 loss lldb:?error(bad_byte_N_at_N); evidence; wrong lldb\n");
}

static void gdb_shows_too_much(void **state)
{
	assert_string_equal(judge(*state, " x = <optimized-out>", " x = 5", " x = <optimized-out>"),
		"G4 extra gdb:?value; evidence; wrong gdb\n");
}

static void gdb_lists_what_is_not_in_scope(void **state)
{
	assert_string_equal(judge(*state, " y = 1", " x = <optimized-out>\n y = 1", " y = 1"),
		"G4 extra gdb:?optimized-out; evidence; wrong gdb\n");
	assert_string_equal(
		first(*state)->reason, "gdb is wrong: gdb lists it where it is not in scope");
}

static void values_differ(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = 2", " x = 1"),
		"G5 lie gdb:?value; evidence; wrong gdb\n");
	assert_string_equal(first(*state)->reason,
		"gdb is wrong: gdb shows another value than the DWARF gives");
}

static void lines_differ(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:4\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G6 lie line-table gdb:?; evidence; wrong gdb\n");
	assert_string_equal(
		first(fake)->reason, "gdb is wrong: gdb differs from what the line table says");
}

static void lines_are_explained_by_the_line_table(void **state)
{
	struct fake *fake = *state;
	fake->subject = FAKE_PROGRAM;
	ora_fake_trace(fake, "xstep", "401004 main+4 a.c:15\n");
	ora_fake_trace(fake, "gdb", "401004 main+4 a.c:14\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G6 lie line-table gdb:is-stmt-row; evidence; wrong gdb\n");
}

static void both_debuggers_may_be_wrong_in_their_own_ways(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = 2", " x = <optimized-out>"),
		"G3+G5 lie gdb:?value,lldb:?optimized-out; evidence; wrong gdb lldb\n");
	assert_string_equal(first(*state)->reason,
		"gdb and lldb are wrong: gdb shows another value than the DWARF gives; lldb "
		"declines what the DWARF gives");
}

/* Registers and stops are a matter of who is more. */
static void registers_are_no_evidence(void **state)
{
	assert_string_equal(judge(*state, " $rax = 1", " $rax = 2", " $rax = 1"),
		"G5 lie register gdb:?; majority; wrong gdb\n");
}

static void stops_are_no_evidence(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n1004 f a.c:4\n1008 f a.c:5\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n1008 f a.c:5 prev=1004\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G6 lie stops gdb:?; majority; wrong gdb\n");
}

/* --- xstep alone ---------------------------------------------------------------------------- */

static void alone_without_a_rule_xstep_is_wrong(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = 2", " x = 2"),
		"X lie xstep:?value; majority; wrong xstep\n");
	assert_string_equal(first(*state)->reason,
		"xstep stands alone, and nothing in the DWARF explains why the others would be "
		"wrong");
}

static void alone_xstep_may_have_declined(void **state)
{
	assert_string_equal(judge(*state, " x = <optimized-out>", " x = 2", " x = 2"),
		"X loss xstep:?optimized-out; majority; wrong xstep\n");
}

/* The other two must be of one mind. */
static void against_two_that_differ_xstep_is_not_alone(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = <optimized-out>", " y = 1"),
		"G1+G3 loss gdb:?optimized-out,lldb:?absent; evidence; wrong gdb lldb\n"
		"G2 extra lldb:?value; evidence; wrong lldb\n");
}

/* One debugger is no majority. */
static void against_one_debugger_xstep_is_believed(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = 2", NULL),
		"G5 lie gdb:?value; evidence; wrong gdb\n");
}

/* A rule for each of them: they share the bug. */
static void alone_with_a_rule_for_each_xstep_is_right(void **state)
{
	assert_string_equal(judge(*state, " $eflags = 582", " $eflags = 838", " $eflags = 838"),
		"G5 lie register gdb:trap-flag,lldb:trap-flag; majority; wrong gdb lldb\n");
}

/* A rule for one of them is not enough. */
static void alone_with_a_rule_for_one_xstep_is_wrong(void **state)
{
	assert_string_equal(
		judge_there(*state, " divided@31 = 1", " divided@31 = 2", " divided@31 = 2"),
		"X lie xstep:?value [div]; majority; wrong xstep\n");
}

/* Values of which no two agree: a time, a process number. */
static void three_values_are_undecided(void **state)
{
	assert_string_equal(judge(*state, " x = 1", " x = 2", " x = 3"),
		"G5 lie undecided; majority; wrong nobody\n");
	assert_non_null(strstr(first(*state)->reason, "undecided: everybody says something else"));
}

/* --- without xstep -------------------------------------------------------------------------- */

static void without_xstep_and_a_rule_it_is_undecided(void **state)
{
	assert_string_equal(judge(*state, NULL, " x = 1", " x = 2"),
		"G5 lie undecided; majority; wrong nobody\n");
	assert_string_equal(
		first(*state)->reason, "undecided: no rule explains it and xstep was not asked");
}

static void without_xstep_a_rule_decides(void **state)
{
	assert_string_equal(judge_there(*state, NULL, " divided@31 = 1", " divided@31 = 2"),
		"G5 lie lldb:div; evidence; wrong lldb\n");
}

static void without_xstep_the_kind_is_measured_by_the_other(void **state)
{
	assert_string_equal(
		judge_there(*state, NULL, " entered@30 = 1", " entered@30 = <error: no>"),
		"G3 loss lldb:entry-value; evidence; wrong lldb\n");
}

/* xstep is among the traces, but not at this stop. */
static void without_xstep_at_the_stop_the_rules_decide(void **state)
{
	struct fake *fake = *state;
	fake->subject = FAKE_PROGRAM;
	ora_fake_trace(
		fake, "gdb", "401101 vars+1 a.c:31\n401102 vars+2 a.c:32\n divided@31 = 1\n");
	ora_fake_trace(
		fake, "lldb", "401101 vars+1 a.c:31\n401102 vars+2 a.c:32\n divided@31 = 2\n");
	ora_fake_trace(fake, "xstep", "401101 vars+1 a.c:31\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G5 lie lldb:div; evidence; wrong lldb\n");
}

/* --- evidence from the DWARF ---------------------------------------------------------------- */

static void a_rule_explains(void **state)
{
	assert_string_equal(judge_there(*state, " entered@30 = 1", " entered@30 = 1",
				    " entered@30 = <error: no>"),
		"G3 loss lldb:entry-value; evidence; wrong lldb\n");
	assert_string_equal(first(*state)->reason, "lldb is wrong: lldb does not evaluate "
						   "DW_OP_entry_value by the call site (DWARF 5, "
						   "2.5.1.7)");
	assert_true(first(*state)->features.found);
	assert_string_equal(first(*state)->rules[2]->name, "entry-value");
}

/* Where it was called from matters for what it was entered with: main calls jump there, not
 * vars. */
static void the_call_site_is_looked_at(void **state)
{
	assert_string_equal(judge_there(*state, " < vars < main@401013\n entered@30 = 1",
				    " < vars < main@401013\n entered@30 = <optimized-out>",
				    " < vars < main@401013\n entered@30 = 1"),
		"G1 loss gdb:?optimized-out [entry-value,tail-called]; evidence; wrong gdb\n");
}

/* What no rule explains is signed with the features that may matter. */
static void features_are_part_of_the_signature(void **state)
{
	assert_string_equal(
		judge_there(*state, " divided@31 = 1", " divided@31 = 5", " divided@31 = 1"),
		"G5 lie gdb:?value [div]; evidence; wrong gdb\n");
}

/* Most variables have these, and they say nothing about a bug. */
static void common_features_are_no_part_of_the_signature(void **state)
{
	assert_string_equal(judge_there(*state, " p@30 = 1", " p@30 = 2", " p@30 = 1"),
		"G5 lie gdb:?value; evidence; wrong gdb\n");
	assert_true(DI_HAS(first(*state)->features.set, PARAMETER));
}

/* --- the producer --------------------------------------------------------------------------- */

static void entries_that_overlap_are_the_producers(void **state)
{
	assert_string_equal(
		judge_there(*state, " overlap@31 = 1", " overlap@31 = 2", " overlap@31 = 1"),
		"G5 lie gdb:?value,producer:overlapping-entries [overlapping-entries]; evidence; "
		"wrong gdb "
		"producer\n");
	assert_non_null(
		strstr(first(*state)->reason, "gdb and the producer of the DWARF are wrong: gdb "
					      "shows another value than the DWARF "
					      "gives; two entries of its location list that differ "
					      "cover this pc (DWARF 5, 2.6.2)"));
}

/* Then xstep may stand alone: nothing says that it is wrong. */
static void alone_where_the_producer_is_wrong_xstep_is_believed(void **state)
{
	assert_string_equal(
		judge_there(*state, " overlap@31 = 1", " overlap@31 = 2", " overlap@31 = 2"),
		"G5 lie gdb:?value,lldb:?value,producer:overlapping-entries [overlapping-entries]; "
		"evidence; "
		"wrong gdb lldb producer\n");
}

static void what_cannot_be_decoded_is_the_producers(void **state)
{
	assert_string_equal(judge_there(*state, " bad@31 = <error: 0xdf is no operator>",
				    " bad@31 = 2", " bad@31 = <error: no>"),
		"G4 extra gdb:?value,producer:malformed [malformed]; evidence; wrong gdb "
		"producer\n");
}

static void a_global_in_pieces_that_end_early_is_the_producers(void **state)
{
	assert_string_equal(judge_there(*state, " ::short_pieces@2 = <optimized-out>",
				    " ::short_pieces@2 = 1", " ::short_pieces@2 = <optimized-out>"),
		"G4 extra gdb:behind-pieces,producer:pieces-short; evidence; wrong gdb producer\n");
}

/* --- by xstep's own reason for an error ----------------------------------------------------- */

static const struct {
	const char *xstep, *gdb, *lldb, *found;
} errors[] = {
	/* What cannot be done is the producer's. */
	{" x = <error: division by zero> why=division-by-zero", " x = 2", " x = <error: no>",
		"G4 extra gdb:?value,producer:impossible; evidence; wrong gdb producer\n"},
	{" x = <error: operands are not of one type> why=types-differ", " x = 2",
		" x = <error: no>",
		"G4 extra gdb:?value,producer:incompatible-types; evidence; wrong gdb producer\n"},
	/* A pointer that the program has not set yet is nobody's mistake: nobody else is accused.
	 * */
	{" x = <error: cannot read memory at 0x10> why=memory-unreadable", " x = 2",
		" x = <error: no>",
		"X loss xstep:?error(cannot_read_memory_at_N); majority; wrong xstep\n"},
	/* What xstep cannot do is its own limit, whoever else says what. */
	{" x = <error: its type is not supported> why=type-wide-integer", " x = 2", " x = 3",
		"X loss xstep:?error(its_type_is_not_supported); majority; wrong xstep\n"},
	{" x = <error: such a float is not read> why=type-decimal-float", " x = 2",
		" x = <error: no>",
		"X loss xstep:?error(such_a_float_is_not_read); majority; wrong xstep\n"},
	/* Words decide nothing. */
	{" x = <error: operands are not of one type>", " x = 2", " x = <error: no>",
		"G4 extra gdb:?value,producer:impossible; evidence; wrong gdb producer\n"},
};

static void errors_of_xstep(void **state)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		void *fresh;
		assert_int_equal(ora_fake_setup(&fresh), 0);
		assert_string_equal(judge(fresh, errors[i].xstep, errors[i].gdb, errors[i].lldb),
			errors[i].found);
		ora_fake_teardown(&fresh);
	}
	(void)state;
}

/* --- presentation --------------------------------------------------------------------------- */

/* A debugger may leave out what the compiler made. */
static void artificial_variables_need_not_be_listed(void **state)
{
	struct fake *fake = *state;
	assert_string_equal(judge_there(fake, " made@31 = 1\n p@30 = 1", " made@31 = 1\n p@30 = 1",
				    " p@30 = 1"),
		"G3 loss lldb:?absent [artificial]; presentation; wrong lldb\n");
	assert_int_equal(fake->verdicts.presentation, 1);
	assert_int_equal(fake->verdicts.clusters.len, 0);
}

static void artificial_variables_must_not_have_wrong_values(void **state)
{
	struct fake *fake = *state;
	assert_string_equal(judge_there(fake, " made@31 = 1", " made@31 = 2", " made@31 = 1"),
		"G5 lie gdb:?value [artificial]; evidence; wrong gdb\n");
	assert_int_equal(fake->verdicts.clusters.len, 1);
}

/* By the lines of optimised code it is not declared yet: whoever lists it is right, and who does
 * not. */
static void what_is_not_declared_yet_is_presentation(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n x@9 = 1\n");
	ora_fake_trace(fake, "lldb", "1000 f a.c:3\n");
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n x@9 = 1 undeclared\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G5 loss undecided; presentation; wrong nobody\n");
	assert_int_equal(fake->verdicts.presentation, 1);
}

/* --- identity and clusters ------------------------------------------------------------------ */

static const char *id_of(struct fake *fake, const char *subject, const char *place, const char *gdb)
{
	char *text;
	fake->subject = subject;
	judge_at(fake, place, " x = 1", gdb, NULL);
	text = xs_strdup(first(fake)->id);
	xs_vec_push(&fake->texts, text);
	/* Ready for the next one. */
	ora_verdicts_deinit(&fake->verdicts);
	ora_comparison_deinit(&fake->comparison);
	ora_trace_list_deinit(&fake->list);
	ora_store_destroy(fake->store);
	unlink(fake->path);
	fake->verdicts = (struct ora_verdicts){0};
	fake->comparison = (struct ora_comparison){0};
	fake->list = (struct ora_trace_list){0};
	fake->count = 0;
	ora_fake_succeed(ora_store_open(fake->path, ORA_STORE_WRITE, &fake->store));
	return text;
}

/* People keep ids: they are the same tomorrow, wherever the program is. */
static void ids_are_the_same_tomorrow(void **state)
{
	const char *id = id_of(*state, "/nowhere/program", "1000 f a.c:3", " x = 2");
	assert_string_equal(id, "d5d9faef9004");
	assert_string_equal(id, id_of(*state, "/nowhere/program", "1000 f a.c:3", " x = 2"));
	assert_string_equal(id, id_of(*state, "program", "1000 f a.c:3", " x = 2"));
	/* Lines and values are no part of it. */
	assert_string_equal(id, id_of(*state, "program", "1000 f b.c:9", " x = 7"));
}

static void ids_tell_findings_apart(void **state)
{
	const char *id = id_of(*state, "program", "1000 f a.c:3", " x = 2");
	assert_string_not_equal(id, id_of(*state, "other", "1000 f a.c:3", " x = 2"));
	assert_string_not_equal(id, id_of(*state, "program", "1001 f a.c:3", " x = 2"));
	assert_string_not_equal(id, id_of(*state, "program", "1000 f a.c:3 n=2", " x = 2"));
	assert_string_not_equal(id, id_of(*state, "program", "1000 g a.c:3", " x = 2"));
	assert_string_not_equal(id, id_of(*state, "program", "1000 f a.c:3", " x = <error: no>"));
	assert_string_not_equal(id, id_of(*state, "program", "1000 f a.c:3 lib=l.so", " x = 2"));
}

static void findings_of_one_signature_are_a_cluster(void **state)
{
	struct fake *fake = *state;
	judge(fake, " a = 1\n b = <optimized-out>\n c = 3\n d = 4",
		" a = 2\n b = 1\n c = 5\n d = 4", " a = 1\n b = <optimized-out>\n c = 3\n d = 4");
	assert_string_equal(ora_fake_clusters(fake, &fake->verdicts), "2x 2 G5 lie gdb:?value\n"
								      "1x 1 G4 extra gdb:?value\n");
	assert_int_equal(fake->verdicts.clusters.data[0].first, 0);
	assert_int_equal(fake->verdicts.clusters.data[1].first, 1);
}

static void clusters_count_stops(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep",
		"1000 f a.c:3\n a = 1\n b = 1\n1004 f a.c:4\n1008 f a.c:5\n a = 3\n");
	ora_fake_trace(
		fake, "gdb", "1000 f a.c:3\n a = 2\n b = 9\n1004 f a.c:4\n1008 f a.c:5\n a = 3\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_clusters(fake, &fake->verdicts), "2x 5 G5 lie gdb:?value\n");
}

static void presentation_is_in_no_cluster(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < i~ < f\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < f\n");
	ora_fake_judge(fake);
	assert_int_equal(fake->verdicts.findings.len, 1);
	assert_true(first(fake)->presentation);
	assert_int_equal(fake->verdicts.presentation, 1);
	assert_string_equal(ora_fake_clusters(fake, &fake->verdicts), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(gdb_declines),
		TEST(gdb_does_not_list),
		TEST(lldb_shows_too_much),
		TEST(lldb_declines_with_a_message),
		TEST(gdb_shows_too_much),
		TEST(gdb_lists_what_is_not_in_scope),
		TEST(values_differ),
		TEST(lines_differ),
		TEST(lines_are_explained_by_the_line_table),
		TEST(both_debuggers_may_be_wrong_in_their_own_ways),
		TEST(registers_are_no_evidence),
		TEST(stops_are_no_evidence),
		TEST(alone_without_a_rule_xstep_is_wrong),
		TEST(alone_xstep_may_have_declined),
		TEST(against_two_that_differ_xstep_is_not_alone),
		TEST(against_one_debugger_xstep_is_believed),
		TEST(alone_with_a_rule_for_each_xstep_is_right),
		TEST(alone_with_a_rule_for_one_xstep_is_wrong),
		TEST(three_values_are_undecided),
		TEST(without_xstep_and_a_rule_it_is_undecided),
		TEST(without_xstep_a_rule_decides),
		TEST(without_xstep_the_kind_is_measured_by_the_other),
		TEST(without_xstep_at_the_stop_the_rules_decide),
		TEST(a_rule_explains),
		TEST(the_call_site_is_looked_at),
		TEST(features_are_part_of_the_signature),
		TEST(common_features_are_no_part_of_the_signature),
		TEST(entries_that_overlap_are_the_producers),
		TEST(alone_where_the_producer_is_wrong_xstep_is_believed),
		TEST(what_cannot_be_decoded_is_the_producers),
		TEST(a_global_in_pieces_that_end_early_is_the_producers),
		cmocka_unit_test(errors_of_xstep),
		TEST(artificial_variables_need_not_be_listed),
		TEST(artificial_variables_must_not_have_wrong_values),
		TEST(what_is_not_declared_yet_is_presentation),
		TEST(ids_are_the_same_tomorrow),
		TEST(ids_tell_findings_apart),
		TEST(findings_of_one_signature_are_a_cluster),
		TEST(clusters_count_stops),
		TEST(presentation_is_in_no_cluster),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
