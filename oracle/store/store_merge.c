/* store_merge.c - adds the traces of one store to another, and marks in it. */
#include <sys/stat.h>

#include "oracle/store/store_db.h"

/* Traces are renumbered to come behind those that are there, texts and subjects looked up or added;
 * all other ids are a trace's own and stay. ?1 is what traces move by. */
static const char *const steps[] = {
	"INSERT OR IGNORE INTO text (text) SELECT text FROM other.text ORDER BY id",
	"CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)",
	"INSERT INTO moved SELECT old.id, new.id FROM other.text AS old "
	"JOIN text AS new ON new.text = old.text",
	"INSERT OR IGNORE INTO subject (path, build_id, hash, producer, flags, dwarf_version) "
	"SELECT path, build_id, hash, producer, flags, dwarf_version FROM other.subject ORDER BY "
	"id",
	"INSERT INTO trace SELECT trace.id + ?1, (SELECT new.id FROM main.subject AS new "
	"JOIN other.subject AS old ON old.path = new.path AND old.hash = new.hash "
	"WHERE old.id = trace.subject), witness, version, mode, level, sample, seed, arguments, "
	"begin_at, vars, frames, regs, max_leaves, host, began, ended, how, complete, trouble, "
	"executed, sampled, cut FROM other.trace",
	"INSERT INTO loaded SELECT trace + ?1, name, bias FROM other.loaded",
#define MOVED(column) "(SELECT new FROM moved WHERE old = " column ")"
	"INSERT INTO site SELECT trace + ?1, id, " MOVED("function") ", entry, " MOVED(
		"file") ", line, \"column\", " MOVED("inlined") " FROM other.site",
	"INSERT INTO place SELECT trace + ?1, id, " MOVED("module") ", address, site "
								    "FROM other.place",
	"INSERT INTO transition SELECT trace + ?1, id, prev, place, count, first "
	"FROM other.transition",
	"INSERT INTO frame SELECT trace + ?1, id, " MOVED("function") ", " MOVED(
		"file") ", line, \"column\", inlined, " MOVED("module") ", address FROM "
									"other.frame",
	"INSERT INTO stack SELECT trace + ?1, id, frame, outer, depth FROM other.stack",
	"INSERT INTO stop SELECT trace + ?1, number, transition, n, shown, stack, frames, " MOVED(
		"note") ", regs, facts FROM other.stop",
	"INSERT INTO variable SELECT trace + ?1, id, " MOVED("unit") ", " MOVED("scope") ", " MOVED(
		"name") ", " MOVED("file") ", line, ordinal FROM other.variable",
	"INSERT INTO leaf SELECT trace + ?1, id, variable, depth, " MOVED("path") ", " MOVED(
		"type") " FROM other.leaf",
	"INSERT INTO saying SELECT trace + ?1, id, state, form, " MOVED("enumerator") ", " MOVED(
		"message") ", shadowed, declared, why FROM other.saying",
#undef MOVED
	"INSERT INTO value SELECT trace + ?1, id, text FROM other.value",
	"INSERT INTO unstable SELECT trace + ?1, leaf, element, first, last FROM other.unstable",
	"INSERT INTO execution SELECT trace + ?1, first, count, data FROM other.execution",
	"INSERT INTO coverage SELECT trace + ?1, kind, name, selected, evaluated "
	"FROM other.coverage",
	"DROP TABLE moved",
};

static struct xs_error *step(struct ora_store *store, const char *sql, int64_t by)
{
	ORA_AUTO_STATEMENT statement = NULL;
	struct xs_error *err = ora_store_prepare(store, sql, &statement);
	if (err)
		return err;
	if (sqlite3_bind_parameter_count(statement))
		sqlite3_bind_int64(statement, 1, by);
	return sqlite3_step(statement) == SQLITE_DONE ? NULL : ora_store_error(store);
}

/* Everything of the attached file, at once or not at all. */
static struct xs_error *add_all(struct ora_store *store)
{
	int64_t by;
	struct xs_error *err = ora_store_run(store, "BEGIN IMMEDIATE");
	if (err)
		return err;
	err = ora_store_number(store, "SELECT max(id) FROM main.trace", &by);
	for (size_t i = 0; !err && i < sizeof steps / sizeof *steps; i++)
		err = step(store, steps[i], by);
	if (!err)
		err = ora_store_run(store, "COMMIT");
	if (err && !sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

static void on_problem(void *arg, const char *problem)
{
	char **first = arg;
	if (!*first)
		*first = xs_strdup(problem);
}

/* That it is a store of this format, and a sound one: what is added stays. */
static struct xs_error *check_other(const char *from)
{
	XS_AUTO(ora_store) other = NULL;
	XS_AUTO_FREE char *first = NULL;
	struct xs_error *err;
	if ((err = ora_store_open(from, ORA_STORE_READ, &other)) ||
		(err = ora_store_check(other, on_problem, &first)))
		return err;
	return first ? xs_error_corrupt("%s: is not sound: %s", from, first) : NULL;
}

static struct xs_error *attach(struct ora_store *store, const char *from)
{
	ORA_AUTO_STATEMENT statement = NULL;
	XS_AUTO_FREE char *name = ora_store_file_name(from);
	struct xs_error *err = ora_store_prepare(store, "ATTACH ? AS other", &statement);
	if (err)
		return err;
	sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	return sqlite3_step(statement) == SQLITE_DONE ? NULL : ora_store_error(store);
}

struct xs_error *ora_store_merge(struct ora_store *store, const char *from)
{
	struct stat here, there;
	struct xs_error *err;
	if (!stat(store->path, &here) && !stat(from, &there) && here.st_dev == there.st_dev &&
		here.st_ino == there.st_ino)
		return xs_error_create("%s: cannot be merged into itself", from);
	if ((err = check_other(from)) || (err = attach(store, from)))
		return err;
	/* What is read now is somebody's; and the file may be another one by now. */
	uint64_t size = store->size;
	store->bounded = true;
	if (!(err = ora_store_guard_size(store, "other")) &&
		!(err = ora_store_guard_tables(store, "other")))
		err = add_all(store);
	err = xs_error_context(err, "%s", from);
	store->bounded = false;
	store->size = size;
	sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
	return err;
}

struct xs_error *ora_store_mark_unstable(struct ora_store *store, uint64_t trace, uint32_t leaf,
	uint64_t element, uint64_t first, uint64_t last)
{
	ORA_AUTO_STATEMENT mark = NULL;
	struct xs_error *err = ora_store_prepare(
		store, "INSERT OR REPLACE INTO unstable VALUES (?, ?, ?, ?, ?)", &mark);
	if (err)
		return err;
	sqlite3_bind_int64(mark, 1, (int64_t)trace);
	sqlite3_bind_int64(mark, 2, leaf);
	sqlite3_bind_int64(mark, 3, (int64_t)element);
	sqlite3_bind_int64(mark, 4, (int64_t)first);
	sqlite3_bind_int64(mark, 5, (int64_t)last);
	return sqlite3_step(mark) == SQLITE_DONE ? NULL : ora_store_error(store);
}
