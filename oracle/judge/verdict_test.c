/* verdict_test.c - who is wrong where witnesses differ, how certain that is, and how it is called:
 * bases, groups, kinds, signatures, ids, clusters. */
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
	ora_fake_prove(fake);
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

/* A table of what three say and what is made of it, everything being said again. */
struct saying {
	const char *name, *xstep, *gdb, *lldb, *found;
};

static void judge_all(const struct saying *sayings, size_t count, bool there)
{
	for (size_t i = 0; i < count; i++) {
		void *fresh;
		assert_int_equal(ora_fake_setup(&fresh), 0);
		const struct saying *one = &sayings[i];
		const char *found = there ? judge_there(fresh, one->xstep, one->gdb, one->lldb)
					  : judge(fresh, one->xstep, one->gdb, one->lldb);
		if (strcmp(found, one->found) != 0)
			fail_msg("%s: found\n%sand not\n%s", one->name, found, one->found);
		ora_fake_teardown(&fresh);
	}
}
#define JUDGE_ALL(sayings, there) judge_all(sayings, sizeof sayings / sizeof *sayings, there)

/* --- groups, kinds and bases ---------------------------------------------------------------- */

/* In a program whose DWARF is there. */
static const struct saying seconded[] = {
	{"gdb declines, lldb reads it as xstep does", " p@30 = 1", " p@30 = <optimized-out>",
		" p@30 = 1", "G1 loss gdb:?optimized-out; evidence; wrong gdb\n"},
	{"gdb does not list it", " p@30 = 1\n made@31 = 1", " made@31 = 1",
		" p@30 = 1\n made@31 = 1", "G1 loss gdb:?absent; evidence; wrong gdb\n"},
	{"lldb declines with a message", " p@30 = 1", " p@30 = 1",
		" p@30 = <error: bad byte 0x1f at 12>",
		"G3 loss lldb:?error(bad_byte_N_at_N); evidence; wrong lldb\n"},
	{"lldb names what it cannot do", " entered@30 = 1", " entered@30 = 1",
		" entered@30 = <error: Could not evaluate DW_OP_entry_value.>",
		"G3 loss lldb:entry-value; replayed; wrong lldb\n"},
	{"a feature alone is no reason", " entered@30 = 1", " entered@30 = 1",
		" entered@30 = <error: no>",
		"G3 loss lldb:?error(no) [entry-value]; evidence; wrong lldb\n"},
	{"a wrong value", " p@30 = 1", " p@30 = 2", " p@30 = 1",
		"G5 lie gdb:?value; evidence; wrong gdb\n"},
	{"what may be behind it is told", " divided@31 = 1", " divided@31 = 1", " divided@31 = 5",
		"G5 lie lldb:?value [div]; evidence; wrong lldb\n"},
};

static void what_another_reads_as_xstep_does_is_evidence(void **state)
{
	(void)state;
	JUDGE_ALL(seconded, true);
}

static const struct saying alone[] = {
	{"one debugger against xstep", " p@30 = 1", " p@30 = 2", NULL,
		"G5 lie gdb:?value; suspected; wrong nobody\n"},
	{"lldb has no value, which seconds nobody", " p@30 = 1", " p@30 = 2",
		" p@30 = <optimized-out>", "X lie xstep:?value; suspected; wrong xstep\n"},
	{"two of one mind", " p@30 = 1", " p@30 = 2", " p@30 = 2",
		"X lie xstep:?value; majority; wrong xstep\n"},
	{"two that decline", " p@30 = 1", " p@30 = <optimized-out>", " p@30 = <error: no>",
		"X loss xstep:?value; majority; wrong xstep\n"},
	{"two that differ", " p@30 = 1", " p@30 = 2", " p@30 = 3",
		"X lie xstep:?value; suspected; wrong xstep\n"},
	{"xstep has no value and two have", " p@30 = <optimized-out>", " p@30 = 2", " p@30 = 2",
		"X extra xstep:?optimized-out; majority; wrong xstep\n"},
	/* Only gdb shows one. That lldb has none either proves nothing: it may not be able to. */
	{"xstep has no value and one has", " p@30 = <optimized-out>", " p@30 = 2",
		" p@30 = <optimized-out>", "G4 extra gdb:?value; suspected; wrong nobody\n"},
};

static void nobody_is_named_on_the_word_of_xstep(void **state)
{
	(void)state;
	JUDGE_ALL(alone, true);
}

/* An error of xstep's is no answer. */
static const struct saying errors[] = {
	{"what xstep does not read", " p@30 = <error: no such type> why=type-wide-integer",
		" p@30 = 2", " p@30 = 2", ""},
	{"and one debugger has a value", " p@30 = <error: division by zero> why=division-by-zero",
		" p@30 = 2", " p@30 = <error: no>",
		"G4 extra gdb:?value; suspected; wrong nobody\n"},
	{"even one that names what it cannot do",
		" entered@30 = <error: division by zero> why=division-by-zero", " entered@30 = 2",
		" entered@30 = 2",
		"X extra xstep:?error(division_by_zero) [entry-value]; majority; wrong xstep\n"},
	/* What the DWARF itself gets wrong is there to be seen. */
	{"what cannot be decoded", " bad@31 = <error: 0xdf is no operator>", " bad@31 = 2",
		" bad@31 = <error: no>", "G5 extra producer:malformed; evidence; wrong producer\n"},
	{"entries that overlap", " overlap@31 = 1", " overlap@31 = 2", " overlap@31 = 2",
		"G5 lie producer:overlapping-entries; evidence; wrong producer\n"},
};

static void who_has_no_answer_accuses_nobody(void **state)
{
	(void)state;
	JUDGE_ALL(errors, true);
}

static const struct saying unread[] = {
	{"without the program", " x = 1", " x = 2", " x = 1",
		"G5 lie gdb:?value; suspected; wrong nobody\n"},
	{"without xstep", NULL, " x = 1", " x = 2",
		"G5 lie gdb:?value,lldb:?value; suspected; wrong nobody\n"},
	/* Registers and stops are a matter of who is more. */
	{"registers", " $rax = 1", " $rax = 2", " $rax = 1",
		"G5 lie register gdb:?; majority; wrong gdb\n"},
	{"registers of which nobody else knows", " $rax = 1", " $rax = 2", NULL,
		"G5 lie register gdb:?; suspected; wrong nobody\n"},
};

static void without_the_dwarf_there_is_no_evidence(void **state)
{
	(void)state;
	JUDGE_ALL(unread, false);
}

static void stops_are_no_evidence(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n1004 f a.c:4\n1008 f a.c:5\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n1008 f a.c:5 prev=1004\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G6 lie stops gdb:?; suspected; wrong nobody\n");
}

/* --- proofs --------------------------------------------------------------------------------- */

/* What the model of a mistake says of the first finding. */
static void model(struct fake *fake, enum di_mistake mistake, const char *value)
{
	struct ora_model one = {mistake, value ? ORA_STATE_VALUE : ORA_STATE_ERROR,
		value ? xs_strdup(value) : NULL};
	xs_vec_push(&fake->verdicts.findings.data[0].proof.models, one);
}

/* Though nobody seconds xstep. */
static void a_model_that_gives_the_words_convicts(void **state)
{
	struct fake *fake = *state;
	judge_there(fake, " divided@31 = 1", " divided@31 = <optimized-out>", " divided@31 = 5");
	model(fake, DI_MISTAKE_LLDB_DIV, "5");
	ora_fake_prove(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G5 lie lldb:div; replayed; wrong lldb\n");
	assert_string_equal(first(fake)->reason,
		"lldb divides unsigned where DW_OP_div divides signed (DWARF 5, 2.5.1.4)");
}

/* Two mistakes at one place are two findings. */
static void one_for_each_convicts_both(void **state)
{
	struct fake *fake = *state;
	judge_there(fake, " divided@31 = 1", " divided@31 = <optimized-out>", " divided@31 = 5");
	model(fake, DI_MISTAKE_LLDB_DIV, "5");
	model(fake, DI_MISTAKE_GDB_TYPED, NULL);
	ora_fake_prove(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G1 loss gdb:typed; replayed; wrong gdb\n"
		"G5 lie lldb:div; replayed; wrong lldb\n");
}

static void a_model_that_gives_other_words_convicts_nobody(void **state)
{
	struct fake *fake = *state;
	judge_there(fake, " divided@31 = 1", " divided@31 = 5", " divided@31 = 5");
	model(fake, DI_MISTAKE_LLDB_DIV, "5");
	ora_fake_prove(fake);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"X lie xstep:?value [div]; majority; wrong xstep\n");
}

/* xstep says something else when it looks again: whatever was wrong, it was not the debugger. */
static void xstep_must_say_the_same_again(void **state)
{
	struct fake *fake = *state;
	judge_there(fake, " divided@31 = 1", " divided@31 = 1", " divided@31 = 5");
	model(fake, DI_MISTAKE_LLDB_DIV, "5");
	fake->verdicts.findings.data[0].proof.own = false;
	ora_judge_again(&fake->verdicts);
	ora_judge_conclude(&fake->verdicts);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"X lie xstep:?value [div]; suspected; wrong xstep\n");
}

static void what_is_not_said_again_is_an_artefact(void **state)
{
	struct fake *fake = *state;
	judge_there(fake, " p@30 = 1", " p@30 = 2", " p@30 = 1");
	fake->verdicts.findings.data[0].proof.again = 0;
	ora_judge_again(&fake->verdicts);
	ora_judge_conclude(&fake->verdicts);
	assert_true(first(fake)->artefact);
}

/* Without the plain debuggers a model is the only proof. */
static void what_was_not_asked_again_is_suspected(void **state)
{
	struct fake *fake = *state;
	judge_there(fake, " p@30 = 1\n divided@31 = 1", " p@30 = 2\n divided@31 = 1",
		" p@30 = 1\n divided@31 = 5");
	struct ora_model div = {DI_MISTAKE_LLDB_DIV, ORA_STATE_VALUE, xs_strdup("5")};
	xs_vec_push(&fake->verdicts.findings.data[1].proof.models, div);
	for (size_t i = 0; i < 2; i++)
		fake->verdicts.findings.data[i].proof.asked = 0;
	ora_judge_again(&fake->verdicts);
	fake->verdicts.trusting = true;
	ora_judge_conclude(&fake->verdicts);
	assert_string_equal(ora_fake_findings(fake, &fake->verdicts),
		"G5 lie gdb:?value; suspected; wrong nobody\n"
		"G5 lie lldb:div; replayed; wrong lldb\n");
	ora_judge_again(&fake->verdicts);
	fake->verdicts.trusting = false;
	ora_judge_conclude(&fake->verdicts);
	assert_int_equal(fake->verdicts.findings.data[1].basis, ORA_BASIS_SUSPECTED);
}

/* The file at the path is another one now. */
static void another_file_is_no_evidence(void **state)
{
	struct fake *fake = *state;
	fake->verdicts.hash = "sha256:0";
	assert_string_equal(judge_there(fake, " p@30 = 1", " p@30 = 2", " p@30 = 1"),
		"G5 lie gdb:?value; suspected; wrong nobody\n");
	assert_true(fake->verdicts.changed);
}

/* --- lines ---------------------------------------------------------------------------------- */

static const char *judge_lines(
	struct fake *fake, const char *xstep, const char *gdb, const char *lldb)
{
	fake->subject = FAKE_PROGRAM;
	ora_fake_trace(fake, "xstep", xstep);
	ora_fake_trace(fake, "gdb", gdb);
	ora_fake_trace(fake, "lldb", lldb);
	ora_fake_judge(fake);
	for (size_t i = 0; i < fake->verdicts.findings.len; i++)
		fake->verdicts.findings.data[i].proof.asked =
			fake->verdicts.findings.data[i].proof.again = 7;
	ora_judge_conclude(&fake->verdicts);
	return ora_fake_findings(fake, &fake->verdicts);
}

static void which_row_of_an_address_is_contested(void **state)
{
	assert_string_equal(judge_lines(*state, "401004 main+4 a.c:15\n", "401004 main+4 a.c:14\n",
				    "401004 main+4 a.c:15\n"),
		"G6 lie line-table gdb:? contested; which row of an address; wrong nobody\n");
}

static void a_line_of_no_row_there_is_not(void **state)
{
	assert_string_equal(judge_lines(*state, "401004 main+4 a.c:15\n", "401004 main+4 a.c:99\n",
				    "401004 main+4 a.c:15\n"),
		"G6 lie line-table gdb:?; evidence; wrong gdb\n");
}

/* The table itself says that xstep's own line is wrong. */
static void lines_of_xstep_are_looked_up_again(void **state)
{
	assert_string_equal(judge_lines(*state, "401004 main+4 a.c:16\n", "401004 main+4 a.c:99\n",
				    "401004 main+4 a.c:16\n"),
		"X lie line-table xstep:?; suspected; wrong xstep\n");
}

/* --- what is contested ---------------------------------------------------------------------- */

static const struct saying contested[] = {
	{"whether a variable without a value is listed", " p@30 = 1\n divided@31 = <optimized-out>",
		" p@30 = 1\n divided@31 = <optimized-out>", " p@30 = 1",
		"G3 loss lldb:?absent contested; variables without a value, listed or not; wrong "
		"nobody\n"},
	{"what the compiler made", " made@31 = 1\n p@30 = 1", " made@31 = 1\n p@30 = 1",
		" p@30 = 1",
		"G3 loss lldb:?absent contested; what the compiler made, not listed; wrong "
		"nobody\n"},
	{"but its value is not", " made@31 = 1", " made@31 = 2", " made@31 = 1",
		"G5 lie gdb:?value [artificial]; evidence; wrong gdb\n"},
};

static void some_things_are_contested(void **state)
{
	(void)state;
	JUDGE_ALL(contested, true);
}

/* By the lines of optimised code it is not declared yet: whoever lists it is right, and who does
 * not. */
static void what_is_not_declared_yet_is_contested(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n x@9 = 1\n");
	ora_fake_trace(fake, "lldb", "1000 f a.c:3\n");
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n x@9 = 1 undeclared\n");
	ora_fake_judge(fake);
	assert_int_equal(fake->verdicts.contested[ORA_CONTEST_UNDECLARED], 1);
	assert_int_equal(fake->verdicts.clusters.len, 0);
}

static void presentation_is_in_no_cluster(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep", "1000 f a.c:3\n < i~ < f\n");
	ora_fake_trace(fake, "gdb", "1000 f a.c:3\n < f\n");
	ora_fake_judge(fake);
	assert_int_equal(fake->verdicts.findings.len, 1);
	assert_int_equal(first(fake)->contest, ORA_CONTEST_INLINED);
	assert_string_equal(ora_fake_clusters(fake, &fake->verdicts), "");
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
	assert_string_equal(id, "8bb5e42a73da");
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
	assert_string_equal(ora_fake_clusters(fake, &fake->verdicts), "2x 1 G5 lie gdb:?value\n"
								      "1x 1 G4 extra gdb:?value\n");
	assert_int_equal(fake->verdicts.clusters.data[0].first, 0);
	assert_int_equal(fake->verdicts.clusters.data[1].first, 1);
	assert_int_equal(fake->verdicts.clusters.data[0].leaves, 2);
	assert_int_equal(fake->verdicts.clusters.data[0].places, 1);
	assert_int_equal(fake->verdicts.findings.data[2].cluster, 1);
}

/* Wrong values come before lost ones, whatever was found first. */
static void clusters_come_by_weight(void **state)
{
	struct fake *fake = *state;
	judge(fake, " a = <optimized-out>\n b = 1\n c = 3", " a = 1\n b = <optimized-out>\n c = 5",
		" a = <optimized-out>\n b = 1\n c = 3");
	assert_string_equal(ora_fake_clusters(fake, &fake->verdicts),
		"1x 1 G5 lie gdb:?value\n1x 1 G1 loss gdb:?optimized-out\n"
		"1x 1 G4 extra gdb:?value\n");
}

/* A stop at which two leaves differ is one stop. */
static void clusters_count_stops_once(void **state)
{
	struct fake *fake = *state;
	ora_fake_trace(fake, "xstep",
		"1000 f a.c:3\n a = 1\n b = 1\n1004 f a.c:4\n1008 f a.c:5\n a = 3\n");
	ora_fake_trace(
		fake, "gdb", "1000 f a.c:3\n a = 2\n b = 9\n1004 f a.c:4\n1008 f a.c:5\n a = 3\n");
	ora_fake_judge(fake);
	assert_string_equal(ora_fake_clusters(fake, &fake->verdicts), "2x 3 G5 lie gdb:?value\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_another_reads_as_xstep_does_is_evidence),
		TEST(nobody_is_named_on_the_word_of_xstep),
		TEST(who_has_no_answer_accuses_nobody),
		TEST(without_the_dwarf_there_is_no_evidence),
		TEST(stops_are_no_evidence),
		TEST(a_model_that_gives_the_words_convicts),
		TEST(one_for_each_convicts_both),
		TEST(a_model_that_gives_other_words_convicts_nobody),
		TEST(xstep_must_say_the_same_again),
		TEST(what_is_not_said_again_is_an_artefact),
		TEST(what_was_not_asked_again_is_suspected),
		TEST(another_file_is_no_evidence),
		TEST(which_row_of_an_address_is_contested),
		TEST(a_line_of_no_row_there_is_not),
		TEST(lines_of_xstep_are_looked_up_again),
		TEST(some_things_are_contested),
		TEST(what_is_not_declared_yet_is_contested),
		TEST(presentation_is_in_no_cluster),
		TEST(ids_are_the_same_tomorrow),
		TEST(ids_tell_findings_apart),
		TEST(findings_of_one_signature_are_a_cluster),
		TEST(clusters_come_by_weight),
		TEST(clusters_count_stops_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
