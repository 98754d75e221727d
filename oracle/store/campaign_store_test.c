/* campaign_store_test.c - what a campaign keeps: at once or not at all, once, and by content. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>

#include "base/scratch.h"
#include "oracle/store/campaign_store.h"
#include "oracle/store/store.h"

struct fixture {
	char *folder, *path, *other;
};

static void succeed(struct xs_error *err)
{
	if (err)
		fail_msg("%s", err->message);
}

static void refuse(struct xs_error *err, const char *words)
{
	if (!err)
		fail_msg("not refused: %s", words);
	if (!strstr(err->message, words))
		fail_msg("'%s' is not in '%s'", words, err->message);
	xs_error_destroy(err);
}

static int set_up(void **state)
{
	struct fixture *fixture = xs_calloc(1, sizeof *fixture);
	succeed(xs_scratch_create("campaign", &fixture->folder));
	fixture->path = xs_asprintf("%s/campaign.db", fixture->folder);
	fixture->other = xs_asprintf("%s/other.db", fixture->folder);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	xs_scratch_destroy(fixture->folder);
	free(fixture->path);
	free(fixture->other);
	free(fixture);
	return 0;
}

/* A program of so many bytes, with a job of diff to be done for gcc at -O2; with a reason, it is
 * left out, and a compiler was found to hang. */
static int64_t add_with(
	struct ora_campaign_store *store, unsigned seed, uint64_t size, const char *reason)
{
	struct ora_campaign_program program = {.origin = xs_asprintf("seed %u", seed),
		.rank = xs_asprintf("seed %020u", seed),
		.flags = xs_strdup(""),
		.hash = xs_strdup("x"),
		.reason = reason ? xs_strdup(reason) : NULL,
		.size = size};
	char id[ORA_CAMPAIGN_ID];
	ora_campaign_id(id, program.origin, "text", NULL);
	program.id = xs_strdup(id);
	struct ora_campaign_build build = {.compiler = xs_strdup("gcc"),
		.level = xs_strdup("-O2"),
		.outcome = xs_strdup(reason ? "hung" : "built")};
	struct ora_campaign_job job = {.oracle = xs_strdup(reason ? "build" : "diff"),
		.compiler = xs_strdup("gcc"),
		.level = xs_strdup("-O2"),
		.outcome = reason ? xs_strdup("found") : NULL};
	xs_vec_push(&program.builds, build);
	xs_vec_push(&program.jobs, job);
	succeed(ora_campaign_add_program(store, &program));
	int64_t ret = program.jobs.data[0].id;
	ora_campaign_program_deinit(&program);
	return ret;
}

static int64_t add(struct ora_campaign_store *store, unsigned seed, uint64_t size)
{
	return add_with(store, seed, size, NULL);
}

/* The job is done: a finding of each signature that is named, by blanks. Returns how many of these
 * nobody had seen. */
static uint64_t finish(struct ora_campaign_store *store, int64_t id, const char *signatures)
{
	struct ora_campaign_job job = {.id = id,
		.oracle = xs_strdup("diff"),
		.outcome = xs_strdup(*signatures ? "found" : "clean")};
	XS_AUTO_FREE char *words = xs_strdup(signatures);
	char *rest = NULL;
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		/* `suspected:NAME` names nobody. */
		bool proved = strncmp(word, "suspected:", 10) != 0;
		struct ora_campaign_finding one = {.id = xs_asprintf("id-%s", word),
			.signature = xs_strdup(proved ? word : word + 10),
			.basis = xs_strdup(proved ? "evidence" : "suspected"),
			.wrong = xs_strdup(proved ? "gdb" : ""),
			.report = xs_strdup("{}")};
		xs_vec_push(&job.findings, one);
	}
	struct ora_campaign_figure figure = {.name = xs_strdup("stops"), .value = 10};
	xs_vec_push(&job.figures, figure);
	succeed(ora_campaign_finish_job(store, &job));
	uint64_t fresh = ora_campaign_fresh(&job);
	ora_campaign_job_deinit(&job);
	return fresh;
}

/* A cell of an answer, as text. */
static void expect(struct ora_campaign_store *store, enum ora_campaign_question question,
	size_t row, size_t column, const char *text)
{
	struct ora_campaign_answer answer;
	succeed(ora_campaign_ask(store, question, NULL, &answer));
	assert_true(row < ora_campaign_rows(&answer));
	assert_string_equal(ora_campaign_cell(&answer, row, column), text);
	ora_campaign_answer_deinit(&answer);
}

static void what_is_done_is_done_once(void **state)
{
	struct fixture *fixture = *state;
	XS_AUTO(ora_campaign_store) store = NULL;
	struct ora_campaign_jobs jobs = {0};
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	int64_t one = add(store, 1, 100), two = add(store, 2, 50);
	add(store, 2, 50); /* it is there already */
	succeed(ora_campaign_pending(store, &jobs));
	assert_int_equal(jobs.vec.len, 2);
	assert_int_equal(jobs.vec.data[0].id, one);
	ora_campaign_jobs_deinit(&jobs);
	assert_int_equal(finish(store, one, "a b"), 2);
	assert_int_equal(finish(store, one, "a b c"), 0);
	assert_int_equal(finish(store, two, "b"), 0);
	expect(store, ORA_ASK_TOTALS, 0, 4, "2"); /* done */
	expect(store, ORA_ASK_TOTALS, 0, 5, "3"); /* findings */
	expect(store, ORA_ASK_TOTALS, 0, 6, "2"); /* signatures */
	expect(store, ORA_ASK_SIGNATURES, 0, 1, "b");
	expect(store, ORA_ASK_SIGNATURES, 0, 5, "2");
	expect(store, ORA_ASK_SIGNATURES, 0, 11, "seed 2"); /* the smaller one */
	expect(store, ORA_ASK_FIGURES, 0, 3, "20.0");
}

/* Basis and party are of one finding: the one that proves most. */
static void who_is_wrong_is_said_by_the_best_proof(void **state)
{
	struct fixture *fixture = *state;
	XS_AUTO(ora_campaign_store) store = NULL;
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	finish(store, add(store, 1, 100), "a suspected:b");
	finish(store, add(store, 2, 100), "suspected:a suspected:b");
	expect(store, ORA_ASK_SIGNATURES, 0, 1, "a");
	expect(store, ORA_ASK_SIGNATURES, 0, 2, "evidence");
	expect(store, ORA_ASK_SIGNATURES, 0, 3, "gdb");
	expect(store, ORA_ASK_SIGNATURES, 0, 5, "2");
	expect(store, ORA_ASK_SIGNATURES, 1, 2, "suspected");
	expect(store, ORA_ASK_SIGNATURES, 1, 3, "");
}

/* All that is asked of a campaign, in one text. */
static char *everything(const char *path)
{
	static const enum ora_campaign_question asked[] = {
		ORA_ASK_TOTALS, ORA_ASK_ORACLES, ORA_ASK_FIGURES, ORA_ASK_SIGNATURES};
	XS_AUTO(ora_campaign_store) store = NULL;
	char *text = xs_strdup("");
	succeed(ora_campaign_store_open(path, false, &store));
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct ora_campaign_answer answer;
		succeed(ora_campaign_ask(store, asked[i], NULL, &answer));
		for (size_t k = 0; k < answer.cells.len; k++) {
			char *more = xs_asprintf(
				"%s %s", text, answer.cells.data[k] ? answer.cells.data[k] : "-");
			free(text);
			text = more;
		}
		ora_campaign_answer_deinit(&answer);
	}
	return text;
}

/* Two parts that overlap, in any order, come to what one campaign comes to. */
static void parts_come_to_the_whole(void **state)
{
	struct fixture *fixture = *state;
	XS_AUTO_FREE char *third = xs_asprintf("%s/third.db", fixture->folder);
	XS_AUTO_FREE char *whole = xs_asprintf("%s/whole.db", fixture->folder);
	const struct {
		const char *path;
		unsigned from, to, done;
	} parts[] = {{fixture->path, 1, 4, 2}, {fixture->other, 2, 6, 6}, {third, 1, 1, 1},
		{whole, 1, 6, 6}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		XS_AUTO(ora_campaign_store) store = NULL;
		succeed(ora_campaign_store_open(parts[i].path, true, &store));
		for (unsigned k = parts[i].from; k <= parts[i].to; k++) {
			int64_t job = add(store, k, 100 - k % 4);
			if (k <= parts[i].done)
				finish(store, job, k % 2 ? "odd all" : "all even");
		}
	}
	for (unsigned i = 0; i < 2; i++) {
		XS_AUTO(ora_campaign_store) store = NULL;
		succeed(ora_campaign_store_open(i ? third : fixture->path, true, &store));
		succeed(ora_campaign_merge(store, fixture->other));
		succeed(ora_campaign_merge(store, fixture->other)); /* nothing more */
		refuse(ora_campaign_merge(store, i ? third : fixture->path), "into itself");
	}
	XS_AUTO_FREE char *one = everything(fixture->path);
	XS_AUTO_FREE char *two = everything(third);
	XS_AUTO_FREE char *all = everything(whole);
	assert_string_equal(one, all);
	assert_string_equal(two, all);
}

static void change(const char *path, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void other_files_are_refused(void **state)
{
	struct fixture *fixture = *state;
	struct ora_campaign_store *store = NULL, *second = NULL;
	struct ora_store *traces = NULL;
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	refuse(ora_campaign_store_open(fixture->path, true, &second), "another xstep");
	succeed(ora_campaign_store_open(fixture->path, false, &second)); /* to be read */
	ora_campaign_store_destroy(second);
	ora_campaign_store_destroy(store);
	refuse(ora_store_open(fixture->path, ORA_STORE_READ, &traces), "another application");
	succeed(ora_store_open(fixture->other, ORA_STORE_WRITE, &traces));
	ora_store_destroy(traces);
	refuse(ora_campaign_store_open(fixture->other, true, &store), "not a campaign");
	change(fixture->path, "PRAGMA user_version = 99");
	refuse(ora_campaign_store_open(fixture->path, true, &store), "a campaign of format 99");
	change(fixture->path, "PRAGMA user_version = 2; CREATE TRIGGER t AFTER INSERT ON job BEGIN "
			      "DELETE FROM finding; END");
	refuse(ora_campaign_store_open(fixture->path, true, &store), "that no campaign has");
}

/* Parts whose exemplars are chosen in the end come to the same as parts that are merged one by
 * one; before that the check says what is missing. */
static void many_parts_are_merged_at_once(void **state)
{
	struct fixture *fixture = *state;
	XS_AUTO_FREE char *whole = xs_asprintf("%s/whole.db", fixture->folder);
	struct ora_campaign_store *store = NULL;
	for (unsigned part = 0; part < 2; part++) {
		const char *const paths[] = {fixture->other, whole};
		succeed(ora_campaign_store_open(paths[part], true, &store));
		for (unsigned k = 1; k <= 3; k++)
			finish(store, add(store, k, 100 - k), "all");
		ora_campaign_store_destroy(store);
	}
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	succeed(ora_campaign_merge_part(store, fixture->other));
	refuse(ora_campaign_check(store, true), "invariant 6");
	succeed(ora_campaign_merged(store));
	succeed(ora_campaign_check(store, true));
	add(store, 9, 100);
	succeed(ora_campaign_check(store, false));
	refuse(ora_campaign_check(store, true), "not complete: 1 jobs are still to be done");
	ora_campaign_store_destroy(store);
	change(fixture->path,
		"DELETE FROM job WHERE outcome IS NULL; DELETE FROM build WHERE program IN (SELECT "
		"id FROM program WHERE rank LIKE '%9'); DELETE FROM program WHERE "
		"rank LIKE '%9'");
	XS_AUTO_FREE char *one = everything(fixture->path);
	XS_AUTO_FREE char *all = everything(whole);
	assert_string_equal(one, all);
}

/* What is damaged is noticed, by invariant. */
static void damage_is_noticed(void **state)
{
	static const struct {
		const char *sql, *says;
	} damages[] = {
		{"DELETE FROM exemplar WHERE which = 'first'", "invariant 6"},
		{"DELETE FROM signature", "references lead nowhere (invariant 1"},
		{"UPDATE job SET outcome = NULL", "invariant 4"},
		{"UPDATE job SET outcome = NULL; DELETE FROM exemplar; DELETE FROM finding; DELETE "
		 "FROM figure; UPDATE "
		 "program SET reason = 'why'",
			"invariant 5"},
		{"UPDATE program SET reason = 'why'", "programs that were left out have jobs"},
		{"INSERT INTO cause (signature, stage, outcome, seconds) SELECT id, 'reduce', "
		 "'done', 1 FROM signature",
			"invariant 7"},
		{"INSERT INTO cause (signature, stage, outcome, file, lines, bytes, seconds) "
		 "SELECT id, 'reduce', 'done', '../' || id, 1, 1, 1 FROM signature",
			"invariant 7"},
		{"INSERT INTO cause (signature, stage, outcome, seconds) VALUES ('x', 'culprit', "
		 "'done', 1)",
			"references lead nowhere (invariant 1"},
	};
	struct fixture *fixture = *state;
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		struct ora_campaign_store *store = NULL;
		XS_AUTO_FREE char *path = xs_asprintf("%s/%zu.db", fixture->folder, i);
		succeed(ora_campaign_store_open(path, true, &store));
		finish(store, add(store, 1, 100), "all");
		succeed(ora_campaign_check(store, true));
		ora_campaign_store_destroy(store);
		change(path, damages[i].sql);
		succeed(ora_campaign_store_open(path, false, &store));
		refuse(ora_campaign_check(store, true), damages[i].says);
		ora_campaign_store_destroy(store);
	}
}

/* What one part left out and the other keeps is kept, in whichever order; its jobs are done, or to
 * be done. */
static void what_one_part_keeps_is_kept(void **state)
{
	struct fixture *fixture = *state;
	for (unsigned i = 0; i < 4; i++) {
		bool done = i & 1, kept_first = i & 2;
		struct ora_campaign_store *store = NULL;
		XS_AUTO_FREE char *kept = xs_asprintf("%s/kept-%u.db", fixture->folder, i);
		XS_AUTO_FREE char *left = xs_asprintf("%s/left-%u.db", fixture->folder, i);
		succeed(ora_campaign_store_open(kept, true, &store));
		int64_t job = add(store, 1, 100);
		if (done)
			finish(store, job, "all");
		ora_campaign_store_destroy(store);
		succeed(ora_campaign_store_open(left, true, &store));
		add_with(store, 1, 100, "a compiler hangs");
		succeed(ora_campaign_check(store, true));
		ora_campaign_store_destroy(store);
		succeed(ora_campaign_store_open(kept_first ? kept : left, true, &store));
		succeed(ora_campaign_merge(store, kept_first ? left : kept));
		succeed(ora_campaign_check(store, done));
		expect(store, ORA_ASK_TOTALS, 0, 1, "1"); /* kept */
		expect(store, ORA_ASK_TOTALS, 0, 3, "2"); /* jobs: of diff and of build */
		expect(store, ORA_ASK_TOTALS, 0, 4, done ? "2" : "1");
		expect(store, ORA_ASK_BUILDS, 0, 3, "1"); /* built */
		ora_campaign_store_destroy(store);
	}
}

/* A stage of the signature `all` was tried. */
static void try(struct ora_campaign_store *store, const char *stage, const char *outcome,
	uint64_t lines, const char *culprit, double seconds)
{
	char id[ORA_CAMPAIGN_ID];
	ora_campaign_id(id, "diff", "all", NULL);
	struct ora_campaign_cause cause = {.signature = xs_strdup(id),
		.stage = xs_strdup(stage),
		.outcome = xs_strdup(outcome),
		.file = lines ? xs_asprintf("signatures/%s/reduced.c", id) : NULL,
		.lines = lines,
		.bytes = 10 * lines,
		.culprit = culprit ? xs_strdup(culprit) : NULL,
		.seconds = seconds};
	succeed(ora_campaign_keep_cause(store, &cause));
	ora_campaign_cause_deinit(&cause);
}

/* What is done stays; what was not finished may be gone on with, and takes longer then. */
static void a_stage_is_done_once(void **state)
{
	struct fixture *fixture = *state;
	XS_AUTO(ora_campaign_store) store = NULL;
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	finish(store, add(store, 1, 100), "all");
	try(store, "reduce", "unfinished", 40, NULL, 60);
	try(store, "culprit", "unfinished", 0, NULL, 60);
	expect(store, ORA_ASK_CAUSES, 0, 2, "unfinished");
	expect(store, ORA_ASK_CAUSES, 0, 5, "40");
	try(store, "reduce", "done", 8, NULL, 30);
	try(store, "culprit", "done", 0, "pass Sink", 30);
	try(store, "reduce", "failed", 0, NULL, 1);
	try(store, "culprit", "done", 0, "pass Other", 1);
	expect(store, ORA_ASK_CAUSES, 0, 1, "reduce");
	expect(store, ORA_ASK_CAUSES, 0, 2, "done");
	expect(store, ORA_ASK_CAUSES, 0, 5, "8");
	expect(store, ORA_ASK_CAUSES, 0, 6, "80");
	expect(store, ORA_ASK_CAUSES, 0, 10, "90.0"); /* both runs of it */
	expect(store, ORA_ASK_CAUSES, 1, 8, "pass Sink");
	expect(store, ORA_ASK_CAUSES, 1, 10, "30.0"); /* the last one */
	expect(store, ORA_ASK_CAUSE_TOTALS, 0, 1, "1");
	expect(store, ORA_ASK_CAUSE_TOTALS, 1, 4, "1");
	succeed(ora_campaign_check(store, true));
}

/* Of two parts that have looked into the same signature, the one that is done counts. */
static void causes_are_merged(void **state)
{
	struct fixture *fixture = *state;
	struct ora_campaign_store *store = NULL;
	for (unsigned part = 0; part < 2; part++) {
		succeed(ora_campaign_store_open(
			part ? fixture->other : fixture->path, true, &store));
		finish(store, add(store, 1 + part, 100), "all");
		try(store, "reduce", part ? "done" : "unfinished", part ? 8 : 40, NULL, 60);
		try(store, "culprit", part ? "unfinished" : "done", 0, part ? NULL : "pass Sink",
			60);
		ora_campaign_store_destroy(store);
	}
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	succeed(ora_campaign_merge(store, fixture->other));
	expect(store, ORA_ASK_CAUSES, 0, 5, "8");
	expect(store, ORA_ASK_CAUSES, 1, 8, "pass Sink");
	succeed(ora_campaign_check(store, true));
	ora_campaign_store_destroy(store);
}

/* A file of format 1 has no causes: it is read as it is, merged, and gone on with. */
static void the_format_before_is_taken(void **state)
{
	struct fixture *fixture = *state;
	struct ora_campaign_store *store = NULL;
	struct ora_campaign_answer none;
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	finish(store, add(store, 1, 100), "all");
	ora_campaign_store_destroy(store);
	change(fixture->path, "DROP TABLE cause; PRAGMA user_version = 1");
	succeed(ora_campaign_store_open(fixture->path, false, &store));
	expect(store, ORA_ASK_TOTALS, 0, 5, "1");
	succeed(ora_campaign_ask(store, ORA_ASK_CAUSES, NULL, &none));
	assert_int_equal(ora_campaign_rows(&none), 0);
	ora_campaign_answer_deinit(&none);
	ora_campaign_store_destroy(store);
	succeed(ora_campaign_store_open(fixture->other, true, &store));
	succeed(ora_campaign_merge(store, fixture->path));
	expect(store, ORA_ASK_TOTALS, 0, 5, "1");
	ora_campaign_store_destroy(store);
	succeed(ora_campaign_store_open(fixture->path, true, &store));
	try(store, "reduce", "done", 8, NULL, 60);
	ora_campaign_store_destroy(store);
	succeed(ora_campaign_store_open(fixture->path, false, &store));
	expect(store, ORA_ASK_CAUSES, 0, 2, "done");
	succeed(ora_campaign_check(store, true));
	ora_campaign_store_destroy(store);
	/* One that says so and has more in it was not made by xstep. */
	change(fixture->path, "PRAGMA user_version = 1");
	refuse(ora_campaign_store_open(fixture->path, false, &store), "missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_done_is_done_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			who_is_wrong_is_said_by_the_best_proof, set_up, tear_down),
		cmocka_unit_test_setup_teardown(parts_come_to_the_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_files_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_parts_are_merged_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_noticed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_one_part_keeps_is_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_stage_is_done_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(causes_are_merged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_format_before_is_taken, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
