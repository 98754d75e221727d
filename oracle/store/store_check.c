/* store_check.c - the invariants of schema.sql, executed. */
#include "oracle/store/store_db.h"

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
		"OR stop.n < (SELECT mode IS NOT 'unique' FROM trace WHERE id = ?1))"},
	{5, "has stops twice",
		"SELECT count(*) FROM (SELECT 1 FROM stop WHERE trace = ?1 AND n > 0 "
		"GROUP BY transition, n HAVING count(*) > 1)"},
	{7, "tells a leaf twice at one stop",
		"SELECT count(*) FROM (SELECT 1 FROM changes WHERE trace = ?1 "
		"GROUP BY stop, leaf, element HAVING count(*) > 1)"},
	{7, "repeats facts, or begins with absent ones",
		"SELECT count(*) FROM (SELECT saying, value, lag(saying) OVER w AS said, "
		"lag(value) OVER w AS was FROM changes WHERE trace = ?1 "
		"WINDOW w AS (PARTITION BY leaf, element ORDER BY stop)) AS one "
		"CROSS JOIN saying ON saying.trace = ?1 AND saying.id = one.saying "
		"WHERE (one.saying IS said AND value IS was) OR (said IS NULL AND state = "
		"'absent')"},
	{8, "repeats registers, or has some that are no object",
		"SELECT count(*) FROM (SELECT key, reg.type, value, lag(key) OVER w AS before, "
		"lag(value) OVER w AS was FROM stop, json_each(regs) AS reg WHERE trace = ?1 "
		"WINDOW w AS (PARTITION BY key ORDER BY number)) WHERE (before IS key AND value IS "
		"was "
		"AND key <> 'rip') OR type NOT IN ('integer', 'text', 'null') OR typeof(key) <> "
		"'text'"},
	{9, "has stacks of a wrong depth",
		"SELECT count(*) FROM stack LEFT JOIN stack AS out ON out.trace = stack.trace "
		"AND out.id = stack.outer WHERE stack.trace = ?1 "
		"AND stack.depth <> 1 + coalesce(out.depth, 0)"},
	{9, "has leaves of frames that are not there",
		"SELECT count(*) FROM changes CROSS JOIN leaf ON leaf.trace = ?1 AND leaf.id = "
		"changes.leaf "
		"CROSS JOIN stop ON stop.trace = ?1 AND stop.number = changes.stop "
		"CROSS JOIN saying ON saying.trace = ?1 AND saying.id = changes.saying "
		"LEFT JOIN stack ON stack.trace = ?1 AND stack.id = stop.stack "
		"WHERE changes.trace = ?1 AND state <> 'absent' "
		"AND leaf.depth > coalesce(stop.frames, 1 + coalesce(stack.depth, 0))"},
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

/* Compares the tables with those that a new store has. */
static struct xs_error *check_tables(struct check *check)
{
	static const char sql[] = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL "
				  "ORDER BY name";
	struct ora_store fresh = {.path = check->store->path, .lock = -1};
	struct xs_error *err = NULL;
	ORA_AUTO_STATEMENT ours = NULL;
	if (sqlite3_open(":memory:", &fresh.db))
		err = ora_store_error(&fresh);
	if (!err && !(err = ora_store_run(&fresh, ora_store_schema)) &&
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

/* Reads all of a trace: whoever reads notices what is out of place. */
static struct xs_error *read_through(struct check *check, uint64_t trace)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *stop = NULL;
	struct xs_error *err = ora_reader_create(check->store, trace, &reader);
	while (!err && !(err = ora_reader_next(reader, &stop)) && stop)
		continue;
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

static struct xs_error *check_trace(struct check *check, uint64_t trace)
{
	struct xs_error *err;
	if ((err = as_problem(check, 6, read_through(check, trace))) ||
		(err = as_problem(check, 11, ora_store_order(check->store, trace, NULL, NULL))))
		return err;
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		int64_t count;
		if ((err = ora_store_number_of(
			     check->store, queries[i].sql, (int64_t)trace, &count)))
			return err;
		if (count)
			problem(check, xs_asprintf("invariant %d: trace %" PRIu64 " %s (%" PRId64
						   " times)",
					       queries[i].number, trace, queries[i].what, count));
	}
	return NULL;
}

struct xs_error *ora_store_check(
	struct ora_store *store, void (*on_problem)(void *arg, const char *problem), void *arg)
{
	struct check check = {.store = store, .on_problem = on_problem, .arg = arg};
	struct ora_trace_list list = {0};
	struct xs_error *err;
	if ((err = run_pragma(&check, "PRAGMA integrity_check", "ok")) ||
		(err = run_pragma(&check, "PRAGMA foreign_key_check", NULL)) ||
		(err = check_tables(&check)))
		return err;
	err = ora_store_traces(store, &list);
	for (size_t i = 0; !err && i < list.vec.len; i++)
		err = check_trace(&check, list.vec.data[i].id);
	ora_trace_list_deinit(&list);
	return err;
}
