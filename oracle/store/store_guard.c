/* store_guard.c - a store is input: what is done before anything in it is believed.
 *
 * Whoever made the file may have wanted something. So that it cannot act:
 * - SQLite touches no file but the store and those beside it, which have its name: a journal that
 *   names another one (`super-journal`, which would be read and deleted) is refused;
 * - its tables are to the letter those of its schema. Triggers, indices of its own, virtual tables
 *   and statistics (which choose plans) are refused. Views are never asked;
 * - statements give up after so many steps as a file of its size can need, or when the user wants
 *   everything to end; SQLite gets so much memory and no more. */
#include <ctype.h>

#include "oracle/store/store_db.h"

enum {
	STEPS_A_LOOK = 10000, /* of SQLite's machine, between two looks at what was spent */
	LOOKS_LEAST = 4000,   /* of any file: a second or two */
	BYTES_A_LOOK = 500,   /* of a file, that pay for one look more: 20 steps a byte */
	HEAP_LEAST = 192 << 20,
	HEAP_FACTOR = 4,
	HEAP_WRITER = 1 << 30,
	OTHER_TEXTS = 1 << 20, /* what SQLite may make beyond what stands in the file */
};

/* --- files ------------------------------------------------------------------------------------ */

static sqlite3_vfs guarded;        /* the system's, but for what is opened */
static sqlite3_vfs *plain;         /* the system's */
static _Thread_local bool refused; /* to open one */

bool ora_store_guard_refused(void)
{
	return refused;
}

static int open_own(
	sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret_flags)
{
	(void)vfs;
	file->pMethods = NULL;
	/* No store of ours has one, for no transaction is one of two files. */
	if (flags & SQLITE_OPEN_SUPER_JOURNAL) {
		refused = true;
		return SQLITE_CANTOPEN;
	}
	return plain->xOpen(plain, name, file, flags, ret_flags);
}

/* Its name; NULL: there are no files here. */
static const char *guarded_files(void)
{
	static const char name[] = "xstep";
	sqlite3_vfs *system = sqlite3_vfs_find(NULL);
	if (system && system != plain) {
		if (plain)
			sqlite3_vfs_unregister(&guarded);
		plain = system;
		guarded = *system;
		guarded.pNext = NULL;
		guarded.zName = name;
		guarded.xOpen = open_own;
		sqlite3_vfs_register(&guarded, 0);
	}
	return system ? name : NULL;
}

/* --- limits ----------------------------------------------------------------------------------- */

static bool (*is_unwanted)(void);

void ora_store_listen(bool (*wish)(void))
{
	is_unwanted = wish;
}

/* Called by SQLite every so many steps; anything but 0 ends the statement. */
static int on_look(void *arg)
{
	struct ora_store *store = arg;
	if (!store->bounded)
		return 0;
	if (is_unwanted && is_unwanted()) {
		store->stopped = ORA_STOPPED_WISH;
		return 1;
	}
	if (store->looks++ < store->looks_most)
		return 0;
	store->stopped = ORA_STOPPED_STEPS;
	return 1;
}

bool ora_store_is_unwanted(struct ora_store *store)
{
	if (store->bounded && is_unwanted && is_unwanted())
		store->stopped = ORA_STOPPED_WISH;
	return store->stopped == ORA_STOPPED_WISH;
}

/* Sets all limits by the size that is known. */
static void set_bounds(struct ora_store *store)
{
	/* One limit serves all files of the process. Whoever writes may have more to say than there
	 * is yet. */
	uint64_t heap = HEAP_LEAST + HEAP_FACTOR * store->size;
	if (store->lock >= 0 && heap < HEAP_WRITER)
		heap = HEAP_WRITER;
	if (heap > (uint64_t)sqlite3_hard_heap_limit64(-1))
		sqlite3_hard_heap_limit64((int64_t)heap);
	if (store->lock < 0 && store->size < INT32_MAX - OTHER_TEXTS)
		sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, (int)store->size + OTHER_TEXTS);
	store->looks = 0;
	store->looks_most = LOOKS_LEAST + store->size / BYTES_A_LOOK;
}

void ora_store_allow(struct ora_store *store)
{
	/* Somebody may be writing to it meanwhile. */
	uint64_t size = ora_store_size(store);
	if (size > store->size)
		store->size = size;
	set_bounds(store);
}

struct xs_error *ora_store_guard_size(struct ora_store *store, const char *schema)
{
	XS_AUTO_FREE char *count = xs_asprintf("PRAGMA %s.page_count", schema);
	XS_AUTO_FREE char *each = xs_asprintf("PRAGMA %s.page_size", schema);
	int64_t pages = 0, size = 0;
	struct xs_error *err;
	if ((err = ora_store_number(store, count, &pages)) ||
		(err = ora_store_number(store, each, &size)))
		return err;
	store->size += (uint64_t)pages * (uint64_t)size;
	set_bounds(store);
	return NULL;
}

/* --- opening ---------------------------------------------------------------------------------- */

static void set_limits(struct ora_store *store)
{
	static const struct {
		int which, most;
	} limits[] = {
		{SQLITE_LIMIT_SQL_LENGTH, 200000},
		{SQLITE_LIMIT_COLUMN, 100},
		{SQLITE_LIMIT_EXPR_DEPTH, 100},
		{SQLITE_LIMIT_COMPOUND_SELECT, 10},
		{SQLITE_LIMIT_VDBE_OP, 25000},
		{SQLITE_LIMIT_FUNCTION_ARG, 16},
		{SQLITE_LIMIT_ATTACHED, 1},
		{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
		{SQLITE_LIMIT_VARIABLE_NUMBER, 50},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	static const struct {
		int which, on;
	} settings[] = {
		{SQLITE_DBCONFIG_DEFENSIVE, 1},
		{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
		{SQLITE_DBCONFIG_ENABLE_VIEW, 0},
		{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
		{SQLITE_DBCONFIG_DQS_DDL, 0},
		{SQLITE_DBCONFIG_DQS_DML, 0},
	};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		sqlite3_limit(store->db, limits[i].which, limits[i].most);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		sqlite3_db_config(store->db, settings[i].which, settings[i].on, NULL);
}

struct xs_error *ora_store_guard_open(struct ora_store *store, int mode)
{
	/* `file:` would be read as an address, with options in it. */
	XS_AUTO_FREE char *path = ora_store_file_name(store->path);
	refused = false;
	if (sqlite3_open_v2(path, &store->db, mode, guarded_files()))
		return ora_store_error(store);
	set_limits(store);
	store->bounded = true;
	store->looks_most = LOOKS_LEAST;
	sqlite3_progress_handler(store->db, STEPS_A_LOOK, on_look, store);
	return ora_store_run(store, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

char *ora_store_file_name(const char *path)
{
	return xs_asprintf("%s%s", strncmp(path, "file:", 5) ? "" : "./", path);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* A statement without comments, and with blanks only where words meet; up to its ';'. To be
 * freed. */
static char *bare_statement(const char *sql)
{
	char *bare = xs_calloc(strlen(sql) + 1, 1);
	size_t length = 0;
	bool gap = false;
	for (; *sql && *sql != ';'; sql++) {
		if (!strncmp(sql, "--", 2))
			sql += strcspn(sql, "\n");
		if (!*sql)
			break;
		if (isspace((unsigned char)*sql)) {
			gap = true;
			continue;
		}
		bool word = isalnum((unsigned char)*sql) || *sql == '_';
		if (gap && word && length &&
			(isalnum((unsigned char)bare[length - 1]) || bare[length - 1] == '_'))
			bare[length++] = ' ';
		gap = false;
		bare[length++] = *sql;
	}
	return bare;
}

static const char create_table[] = "CREATE TABLE ";

/* What the schema says of a table, from CREATE on; NULL: it has none of that name. */
static const char *own_table(const struct ora_store_kind *kind, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = kind->schema; (at = strstr(at, create_table)); at++) {
		const char *its = at + strlen(create_table);
		if (!strncmp(its, name, length) && its[length] == ' ')
			return at;
	}
	return NULL;
}

static size_t own_table_count(const struct ora_store_kind *kind)
{
	size_t count = 0;
	for (const char *at = kind->schema; (at = strstr(at, create_table)); at++)
		count++;
	return count;
}

/* Whether an entry of the schema may be there; *table: it is one of the tables. */
static bool is_own(const struct ora_store_kind *kind, sqlite3_stmt *row, bool *table)
{
	const char *what = ora_column_text(row, 0), *name = ora_column_text(row, 1),
		   *sql = ora_column_text(row, 2);
	*table = false;
	if (!what || !name)
		return false;
	if (!strcmp(what, "view")) /* never asked: whatever it says, it says to others */
		return !own_table(kind, name);
	if (!strcmp(what, "index")) /* those that a UNIQUE makes have no text */
		return !sql;
	const char *own = own_table(kind, name);
	if (strcmp(what, "table") != 0 || !own || !sql)
		return false;
	XS_AUTO_FREE char *theirs = bare_statement(sql);
	XS_AUTO_FREE char *ours = bare_statement(own);
	*table = true;
	return !strcmp(theirs, ours);
}

struct xs_error *ora_store_guard_tables(struct ora_store *store, const char *schema)
{
	ORA_AUTO_STATEMENT row = NULL;
	XS_AUTO_FREE char *sql =
		xs_asprintf("SELECT type, name, sql FROM %s.sqlite_schema", schema);
	XS_AUTO_FREE char *version = xs_asprintf("PRAGMA %s.user_version", schema);
	size_t tables = 0;
	int64_t format;
	int code;
	struct xs_error *err = ora_store_number(store, version, &format);
	if (err || (err = ora_store_prepare(store, sql, &row)))
		return err;
	bool older = store->kind->added && format == store->kind->older;
	while ((code = sqlite3_step(row)) == SQLITE_ROW) {
		bool table;
		if (!is_own(store->kind, row, &table)) {
			const char *kind = ora_column_text(row, 0), *name = ora_column_text(row, 1);
			return xs_error_corrupt("%s: has a%s %.40s '%.80s' that no %s has",
				store->path, kind && *kind == 'i' ? "n" : "", kind ? kind : "?",
				name ? name : "?", store->kind->name);
		}
		tables += table;
	}
	if (code != SQLITE_DONE)
		return ora_store_error(store);
	if (tables + older != own_table_count(store->kind))
		return xs_error_corrupt(
			"%s: tables of a %s are missing", store->path, store->kind->name);
	return NULL;
}

struct xs_error *ora_store_add_table(struct ora_store *store)
{
	const char *table = own_table(store->kind, store->kind->added);
	bool write = store->lock >= 0;
	XS_AUTO_FREE char *make =
		xs_asprintf("%s%s", write ? "CREATE " : "CREATE TEMP ", table + strlen("CREATE "));
	XS_AUTO_FREE char *mark =
		xs_asprintf("PRAGMA user_version = %" PRId64 "; COMMIT", store->kind->format);
	ORA_AUTO_STATEMENT statement = NULL;
	struct xs_error *err = write ? ora_store_run(store, "BEGIN EXCLUSIVE") : NULL;
	/* Of all tables from there on, SQLite takes the first statement. */
	if (err || (err = ora_store_prepare(store, make, &statement)))
		return err;
	if (sqlite3_step(statement) != SQLITE_DONE)
		return ora_store_error(store);
	return write ? ora_store_run(store, mark) : NULL;
}
