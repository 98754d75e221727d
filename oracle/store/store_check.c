/* store_check.c - the invariants of schema.sql, executed. */
#include "oracle/store/store_reader.h"

struct check {
	struct ora_store *store;
	void (*on_problem)(void *arg, const char *problem);
	void *arg;
};

static void problem(struct check *check, char *text)
{
	check->on_problem(check->arg, text);
	free(text);
}

/* Invariants that a query counts the violations of; ?1 is the trace. */
static const struct {
	int number;
	const char *what, *sql;
} queries[] = {
	{3, "is complete without saying when and how it ended, or has other stops than it says",
		"SELECT count(*) FROM trace WHERE id = ?1 AND complete AND (ended IS NULL OR how "
		"IS NULL "
		"OR sampled IS NOT (SELECT count(*) FROM stop WHERE stop.trace = trace.id))"},
	{4, "has transitions twice",
		"SELECT count(*) FROM (SELECT 1 FROM transition WHERE trace = ?1 GROUP BY prev, "
		"place "
		"HAVING count(*) > 1)"},
	{4, "has places twice",
		"SELECT count(*) FROM (SELECT 1 FROM place WHERE trace = ?1 GROUP BY module, "
		"address "
		"HAVING count(*) > 1)"},
	{5, "has stops that come after the last of their transition, or before the first",
		"SELECT count(*) FROM stop JOIN transition ON transition.trace = stop.trace "
		"AND transition.id = stop.transition WHERE stop.trace = ?1 AND (stop.n > "
		"transition.count "
		"OR stop.n < (SELECT mode IS NULL OR mode NOT LIKE 'unique%' FROM trace WHERE id = "
		"?1))"},
	{5, "has stops twice",
		"SELECT count(*) FROM (SELECT 1 FROM stop WHERE trace = ?1 AND n > 0 "
		"GROUP BY transition, n HAVING count(*) > 1)"},
	{10, "has more evaluated than there is",
		"SELECT count(*) FROM coverage WHERE trace = ?1 AND evaluated > selected"},
};

/* Runs a pragma that lists what is wrong; `fine` is what it says if nothing is. */
static struct xs_error *run_pragma(struct check *check, const char *sql, const char *fine)
{
	ORA_AUTO_STATEMENT row = NULL;
	int code;
	struct xs_error *err = ora_store_prepare(check->store, sql, &row);
	if (err)
		return err;
	while ((code = sqlite3_step(row)) == SQLITE_ROW) {
		const char *text = ora_column_text(row, 0);
		if (!fine || !text || strcmp(text, fine) != 0)
			problem(check, xs_asprintf("invariant 1: %s%s", fine ? "" : "dangling in ",
					       text ? text : "?"));
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(check->store);
}

/* Compares tables and views, comments included, with those that a new store has. */
static struct xs_error *check_tables(struct check *check)
{
	static const char sql[] = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL "
				  "ORDER BY name";
	struct ora_store fresh = {
		.path = check->store->path, .kind = check->store->kind, .lock = -1};
	struct xs_error *err = NULL;
	ORA_AUTO_STATEMENT ours = NULL;
	if (sqlite3_open(":memory:", &fresh.db))
		err = ora_store_error(&fresh);
	if (!err && !(err = ora_store_run(&fresh, fresh.kind->schema)) &&
		!(err = ora_store_prepare(&fresh, sql, &ours))) {
		ORA_AUTO_STATEMENT theirs = NULL;
		err = ora_store_prepare(
			check->store, "SELECT sql FROM sqlite_schema WHERE name = ?", &theirs);
		while (!err && sqlite3_step(ours) == SQLITE_ROW) {
			const char *name = ora_column_text(ours, 0);
			sqlite3_bind_text(theirs, 1, name, -1, SQLITE_STATIC);
			int code = sqlite3_step(theirs);
			const char *text = code == SQLITE_ROW ? ora_column_text(theirs, 0) : NULL;
			if (!text || strcmp(text, ora_column_text(ours, 1)) != 0)
				problem(check, xs_asprintf("invariant 2: %s is %s", name,
						       text ? "not what it should be" : "missing"));
			sqlite3_reset(theirs);
		}
	}
	sqlite3_finalize(ours);
	ours = NULL;
	sqlite3_close_v2(fresh.db);
	return err;
}

/* An error that is about the content is a problem, and reported; any other is passed on. */
static struct xs_error *as_problem(struct check *check, int number, struct xs_error *err)
{
	if (err && err->code == XS_ERROR_CORRUPT)
		problem(check, xs_asprintf("invariant %d: %s", number, err->message));
	xs_error_catch(&err, XS_ERROR_CORRUPT);
	return err;
}

static void report(
	struct check *check, int number, uint64_t trace, const char *what, uint64_t times)
{
	if (times)
		problem(check, xs_asprintf("invariant %d: trace %" PRIu64 " %s (%" PRIu64 " times)",
				       number, trace, what, times));
}

/* Reads all of a trace: whoever reads notices what is out of place. */
static struct xs_error *read_through(struct check *check, uint64_t trace)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *stop = NULL;
	check->store->invariant = 1;
	struct xs_error *err = ora_reader_open(check->store, trace, &reader);
	if (err)
		return as_problem(check, check->store->invariant, err);
	reader->no_frames = true;
	while (!(err = ora_reader_next(reader, &stop)) && stop)
		continue;
	if ((err = as_problem(check, check->store->invariant, err)) ||
		(err = as_problem(check, 11, ora_reader_order(reader, NULL, NULL))))
		return err;
	const struct ora_flaws *flaws = &reader->flaws;
	report(check, 7, trace, "tells a leaf twice at one stop", flaws->twice);
	report(check, 7, trace, "repeats facts, or begins with absent ones", flaws->repeated);
	report(check, 8, trace, "repeats registers", flaws->regs);
	report(check, 9, trace, "has leaves of frames that are not there", flaws->frameless);
	return NULL;
}

static struct xs_error *check_trace(struct check *check, uint64_t trace)
{
	struct xs_error *err = read_through(check, trace);
	for (size_t i = 0; !err && i < sizeof queries / sizeof *queries; i++) {
		sqlite3_stmt *count;
		if ((err = ora_store_kept(check->store, (enum ora_store_statement)(ORA_CHECKS + i),
			     queries[i].sql, &count)))
			return err;
		sqlite3_bind_int64(count, 1, (int64_t)trace);
		if (sqlite3_step(count) == SQLITE_ROW)
			report(check, queries[i].number, trace, queries[i].what,
				(uint64_t)sqlite3_column_int64(count, 0));
		else
			err = as_problem(check, 1, ora_store_error(check->store));
		sqlite3_reset(count);
	}
	return err;
}

struct xs_error *ora_store_check(
	struct ora_store *store, void (*on_problem)(void *arg, const char *problem), void *arg)
{
	struct check check = {.store = store, .on_problem = on_problem, .arg = arg};
	struct ora_trace_list list = {0};
	struct xs_error *err;
	_Static_assert(ORA_CHECKS + sizeof queries / sizeof *queries <= ORA_STORE_STATEMENTS,
		"each query is kept");
	if ((err = run_pragma(&check, "PRAGMA integrity_check", "ok")) ||
		(err = run_pragma(&check, "PRAGMA foreign_key_check", NULL)) ||
		(err = check_tables(&check)))
		return err;
	err = as_problem(&check, 1, ora_store_traces(store, &list));
	ora_store_allow(store);
	for (size_t i = 0; !err && i < list.vec.len; i++)
		err = check_trace(&check, list.vec.data[i].id);
	ora_trace_list_deinit(&list);
	return err;
}
