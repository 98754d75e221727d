/* campaign_ask.c - what a campaign's file is asked: one statement for each question. */
#include "oracle/store/campaign_store.h"
#include "oracle/store/campaign_db.h"

#define BASES                                                                                      \
	"CASE f.basis WHEN 'replayed' THEN 0 WHEN 'evidence' THEN 1 WHEN 'contested' THEN 2 WHEN " \
	"'majority' THEN 3 WHEN 'suspected' THEN 4 ELSE 5 END"
/* Of the first by rank: a rank has no line break. */
#define FIRST(what)                                                                                \
	"substr(min(p.rank || char(10) || coalesce(" what                                          \
	", '')), 1 + instr(min(p.rank || char(10)), char(10)))"
#define FINDINGS "finding AS f JOIN job AS j ON j.id = f.job"

/* By question; ?1 is what it is about. */
static const char *const questions[] = {
	[ORA_ASK_OPTIONS] = "SELECT name, value FROM option ORDER BY name",
	[ORA_ASK_TOTALS] =
		"SELECT (SELECT count(*) FROM program), (SELECT count(*) FROM program WHERE reason "
		"IS NULL), (SELECT count(*) FROM build), (SELECT count(*) FROM job), (SELECT "
		"count(*) FROM job WHERE outcome IS NOT NULL), (SELECT count(*) FROM finding), "
		"(SELECT count(*) FROM signature), (SELECT coalesce(sum(seconds), 0) FROM program) "
		"+ (SELECT coalesce(sum(seconds), 0) FROM job)",
	/* `file x.c mutant 1`, `seed 7 probes 2`: a file itself ends in .c. */
	[ORA_ASK_MADE] =
		"SELECT count(*), coalesce(sum((origin GLOB '* mutant [0-9]*' OR origin GLOB '* "
		"probes [0-9]*') AND origin NOT GLOB '*.c'), 0) FROM program",
	[ORA_ASK_REASONS] = "SELECT p.reason, count(*), " FIRST(
		"p.detail") " FROM program AS p WHERE p.reason IS NOT NULL GROUP BY 1 ORDER BY 2 "
			    "DESC, 1",
	[ORA_ASK_BUILDS] =
		"SELECT compiler, level, count(*), sum(outcome = 'built'), sum(outcome = "
		"'refused'), sum(outcome = 'crashed'), sum(outcome = 'hung'), sum(seconds) FROM "
		"build GROUP BY compiler, level ORDER BY compiler, level",
	[ORA_ASK_ORACLES] =
		"SELECT oracle, count(*), sum(outcome IS 'clean'), sum(outcome IS 'found'), "
		"sum(outcome IS 'unasked'), sum(outcome IS NOT NULL AND outcome NOT IN ('clean', "
		"'found', 'unasked')), sum(outcome IS "
		"NULL), (SELECT count(*) FROM " FINDINGS
		" WHERE j.oracle = job.oracle), (SELECT count(*) FROM signature AS s WHERE "
		"s.oracle "
		"= job.oracle), sum(seconds) FROM job GROUP BY oracle ORDER BY oracle",
	[ORA_ASK_FAILED] = "SELECT j.oracle, j.outcome, j.detail, count(*), " FIRST(
		"p.origin") " FROM job AS j JOIN program AS p ON p.id = j.program WHERE j.outcome "
			    "NOT IN "
			    "('clean', 'found') GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3",
	[ORA_ASK_FIGURES] =
		"SELECT j.oracle, f.name, count(*), sum(f.value) FROM figure AS f JOIN job AS j ON "
		"j.id = f.job GROUP BY 1, 2 ORDER BY 1, 2",
	[ORA_ASK_SIGNATURES] =
		"WITH made AS (SELECT DISTINCT f.signature, j.compiler FROM " FINDINGS
		" ORDER BY 1, 2), makers AS (SELECT signature, group_concat(compiler, ',') AS "
		"names "
		/* Who is wrong is said by the finding that proves most, and by no other. */
		"FROM made GROUP BY signature), proofs AS (SELECT f.signature, " BASES
		" AS rank, f.basis, f.wrong, f.known, row_number() OVER (PARTITION BY f.signature "
		"ORDER BY " BASES
		", f.wrong = '', f.wrong, f.known IS NULL, f.known) AS place FROM finding AS f), "
		"counts AS (SELECT f.signature, count(*) AS n, count(DISTINCT j.program) AS "
		"programs, count(DISTINCT j.program || ' ' || j.compiler || ' ' || j.level) AS "
		"builds FROM " FINDINGS
		" GROUP BY f.signature) SELECT s.id, s.text, b.basis, b.wrong, s.oracle, c.n, "
		"c.programs, c.builds, makers.names, b.known, p.id, p.origin, p.size, j.compiler, "
		"j.level, e.finding, q.origin FROM "
		"signature AS "
		"s "
		"JOIN counts AS c ON c.signature = s.id JOIN proofs AS b ON b.signature = s.id AND "
		"b.place = 1 JOIN makers ON makers.signature = s.id "
		"JOIN "
		"exemplar AS e ON e.signature = s.id AND e.which = 'smallest' JOIN job AS j ON "
		"j.id "
		"= e.job JOIN program AS p ON p.id = j.program JOIN exemplar AS g ON g.signature = "
		"s.id AND g.which = 'first' JOIN job AS k ON k.id = g.job JOIN program AS q ON "
		"q.id = k.program ORDER BY b.rank, c.n DESC, s.id",
	[ORA_ASK_CELLS] =
		"SELECT j.compiler, j.level, count(*), count(DISTINCT j.program) FROM " FINDINGS
		" WHERE f.signature = ?1 GROUP BY 1, 2 ORDER BY 1, 2",
	[ORA_ASK_EXEMPLARS] =
		"SELECT e.which, p.id, p.origin, p.size, p.flags, j.compiler, j.level, j.oracle, "
		"f.id, f.function, f.line, f.variable, f.report FROM exemplar AS e JOIN job AS j "
		"ON "
		"j.id = e.job JOIN program AS p ON p.id = j.program JOIN finding AS f ON f.job = "
		"e.job AND f.id = e.finding WHERE e.signature = ?1 ORDER BY e.which",
	[ORA_ASK_LINKED] =
		"SELECT s.oracle, s.text, s.id, count(DISTINCT j.program || ' ' || f.line || ' ' "
		"|| "
		"f.variable) FROM " FINDINGS
		" JOIN job AS k ON k.program = j.program AND k.oracle <> j.oracle AND k.compiler = "
		"j.compiler AND k.level = j.level JOIN finding AS g ON g.job = k.id AND g.line = "
		"f.line AND g.variable = f.variable JOIN signature AS s ON s.id = g.signature "
		"WHERE "
		"f.signature = ?1 GROUP BY 3 ORDER BY 4 DESC, 3",
	[ORA_ASK_PROGRAM] = "SELECT id, reason FROM program WHERE origin = ?1",
	[ORA_ASK_UNFINISHED] = "SELECT count(*) FROM job WHERE program = ?1 AND outcome IS NULL",
	[ORA_ASK_CHOSEN] =
		"SELECT name, value FROM option WHERE name NOT LIKE 'version %' ORDER BY name",
	[ORA_ASK_VERSIONS] =
		"SELECT substr(name, 9), value FROM option WHERE name LIKE 'version %' ORDER BY "
		"name",
	[ORA_ASK_PROGRAMS] =
		"WITH made AS (SELECT program, count(*) AS n FROM build GROUP BY 1), asked AS "
		"(SELECT "
		"j.program, count(DISTINCT j.id) AS jobs, count(f.id) AS findings, count(DISTINCT "
		"f.signature) AS signatures FROM job AS j LEFT JOIN finding AS f ON f.job = j.id "
		"GROUP BY 1) SELECT p.id, p.origin, p.flags, p.size, p.steps, p.reason, p.detail, "
		"coalesce(made.n, 0), coalesce(asked.jobs, 0), coalesce(asked.findings, 0), "
		"coalesce(asked.signatures, 0), p.seconds FROM program AS p LEFT JOIN made ON "
		"made.program = p.id LEFT JOIN asked ON asked.program = p.id ORDER BY p.rank",
	[ORA_ASK_RESULTS] =
		"WITH told AS (SELECT j.oracle, j.compiler, j.level, count(*) AS n, count(DISTINCT "
		"f.signature) AS signatures FROM " FINDINGS
		" GROUP BY 1, 2, 3) SELECT oracle, compiler, level, count(*), sum(outcome IS "
		"'clean'), sum(outcome IS 'found'), sum(outcome IS 'unasked'), sum(outcome IS NOT "
		"NULL AND outcome NOT IN ('clean', 'found', 'unasked')), sum(outcome IS NULL), "
		"coalesce(max(told.n), 0), coalesce(max(told.signatures), 0), "
		"coalesce(sum(seconds), 0.0) FROM job LEFT JOIN told USING (oracle, compiler, "
		"level) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
	[ORA_ASK_STAGES] =
		"WITH built AS (SELECT program, sum(seconds) AS s FROM build GROUP BY 1) SELECT * "
		"FROM (SELECT 'making and filtering', count(*), coalesce(sum(x), 0.0), avg(x), "
		"max(x) FROM (SELECT p.seconds - coalesce(built.s, 0) AS x FROM program AS p LEFT "
		"JOIN built ON built.program = p.id)) UNION ALL SELECT 'building', count(*), "
		"coalesce(sum(seconds), 0.0), avg(seconds), max(seconds) FROM build UNION ALL "
		"SELECT "
		"* FROM (SELECT oracle, count(seconds), sum(seconds), avg(seconds), max(seconds) "
		"FROM job WHERE outcome IS NOT NULL AND oracle <> 'build' GROUP BY 1 ORDER BY 1)",
	[ORA_ASK_EVERY_CELL] =
		"SELECT s.id, s.text, s.oracle, j.compiler, j.level, count(*), count(DISTINCT "
		"j.program) "
		"FROM " FINDINGS
		" JOIN signature AS s ON s.id = f.signature GROUP BY 1, 4, 5 ORDER BY 2, 1, 4, 5",
	[ORA_ASK_CAUSES] = "SELECT * FROM cause ORDER BY signature, stage DESC",
	[ORA_ASK_CAUSE_TOTALS] =
		"SELECT stage, sum(outcome = 'done'), sum(outcome = 'unfinished'), sum(outcome = "
		"'failed'), count(DISTINCT culprit), sum(seconds) FROM cause GROUP BY 1 ORDER BY 1 "
		"DESC",
	[ORA_ASK_FILES] = "SELECT id FROM program WHERE hash IS NOT NULL ORDER BY rank",
};

struct xs_error *ora_campaign_ask(struct ora_campaign_store *store,
	enum ora_campaign_question question, const char *about, struct ora_campaign_answer *ret)
{
	ORA_AUTO_STATEMENT row = NULL;
	int code;
	_Static_assert(sizeof questions / sizeof *questions == ORA_CAMPAIGN_QUESTIONS,
		"each question has its statement");
	*ret = (struct ora_campaign_answer){0};
	ora_store_allow(store->file);
	struct xs_error *err = ora_store_prepare(store->file, questions[question], &row);
	if (err)
		return err;
	if (about)
		sqlite3_bind_text(row, 1, about, -1, SQLITE_STATIC);
	ret->columns = (size_t)sqlite3_column_count(row);
	while ((code = sqlite3_step(row)) == SQLITE_ROW)
		for (int i = 0; i < (int)ret->columns; i++) {
			const char *text = ora_column_text(row, i);
			xs_vec_push(&ret->cells, text ? xs_strdup(text) : NULL);
		}
	return code == SQLITE_DONE ? NULL : ora_store_error(store->file);
}

void ora_campaign_answer_deinit(struct ora_campaign_answer *answer)
{
	for (size_t i = 0; i < answer->cells.len; i++)
		free(answer->cells.data[i]);
	xs_vec_deinit(&answer->cells);
	answer->columns = 0;
}

static char *copy(sqlite3_stmt *row, int column)
{
	const char *text = ora_column_text(row, column);
	return xs_strdup(text ? text : "");
}

struct xs_error *ora_campaign_pending(
	struct ora_campaign_store *store, struct ora_campaign_jobs *ret)
{
	ORA_AUTO_STATEMENT row = NULL;
	int code;
	struct xs_error *err = ora_store_prepare(store->file,
		"SELECT j.id, j.program, j.oracle, j.compiler, j.level, p.origin, p.flags FROM job "
		"AS j "
		"JOIN "
		"program "
		"AS "
		"p ON p.id = j.program WHERE j.outcome IS NULL ORDER BY p.rank, j.id",
		&row);
	if (err)
		return err;
	while ((code = sqlite3_step(row)) == SQLITE_ROW) {
		struct ora_campaign_job job = {.id = sqlite3_column_int64(row, 0),
			.program = copy(row, 1),
			.oracle = copy(row, 2),
			.compiler = copy(row, 3),
			.level = copy(row, 4),
			.origin = copy(row, 5),
			.flags = copy(row, 6)};
		xs_vec_push(&ret->vec, job);
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(store->file);
}

struct xs_error *ora_campaign_option(struct ora_campaign_store *store, const char *name, char **ret)
{
	ORA_AUTO_STATEMENT row = NULL;
	*ret = NULL;
	struct xs_error *err =
		ora_store_prepare(store->file, "SELECT value FROM option WHERE name = ?", &row);
	if (err)
		return err;
	sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
	int code = sqlite3_step(row);
	if (code == SQLITE_ROW)
		*ret = copy(row, 0);
	return code == SQLITE_ROW || code == SQLITE_DONE ? NULL : ora_store_error(store->file);
}
