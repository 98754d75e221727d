#include "oracle/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/private.h"
#include "oracle/store/store_db.h"

/* --- states by name -------------------------------------------------------------------------- */

static const char *const states[] = {
	[ORA_STATE_VALUE] = "value",
	[ORA_STATE_OPTIMIZED_OUT] = "optimized-out",
	[ORA_STATE_ERROR] = "error",
	[ORA_STATE_ABSENT] = "absent",
	[ORA_STATE_CUT] = "cut",
};

const char *ora_state_text(enum ora_state state)
{
	return states[state];
}

bool ora_state_parse(const char *text, enum ora_state *ret)
{
	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (!strcmp(states[i], text)) {
			*ret = (enum ora_state)i;
			return true;
		}
	return false;
}

/* --- what the rest of the store is made of ---------------------------------------------------- */

struct xs_error *ora_store_error(struct ora_store *store)
{
	int code = sqlite3_errcode(store->db);
	if (code == SQLITE_INTERRUPT && store->stopped == ORA_STOPPED_WISH)
		return xs_error_create("%s: interrupted", store->path);
	if (code == SQLITE_INTERRUPT || code == SQLITE_NOMEM || code == SQLITE_TOOBIG)
		return xs_error_corrupt("%s: damaged: takes more %s to read than a store of its "
					"size can",
			store->path, code == SQLITE_INTERRUPT ? "time" : "memory");
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return xs_error_busy("%s: somebody else has it locked", store->path);
	if (code == SQLITE_CANTOPEN && ora_store_guard_refused())
		return xs_error_corrupt(
			"%s: its journal names another file, which is left alone", store->path);
	if (code == SQLITE_NOTADB)
		return xs_error_corrupt(
			"%s: not a %s, nor any database", store->path, store->kind->name);
	if (code == SQLITE_CORRUPT)
		return xs_error_corrupt("%s: damaged: %s; xstep store check tells more",
			store->path, sqlite3_errmsg(store->db));
	if (code == SQLITE_IOERR && sqlite3_system_errno(store->db)) {
		errno = sqlite3_system_errno(store->db);
		return xs_error_sys("%s", store->path);
	}
	/* The statements are right: what they do not get along with is in the file. */
	if (code == SQLITE_ERROR)
		return xs_error_corrupt("%s: %s", store->path, sqlite3_errmsg(store->db));
	return xs_error_create("%s: %s", store->path, sqlite3_errmsg(store->db));
}

struct xs_error *ora_store_run(struct ora_store *store, const char *sql)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? ora_store_error(store) : NULL;
}

struct xs_error *ora_store_prepare(struct ora_store *store, const char *sql, sqlite3_stmt **ret)
{
	return sqlite3_prepare_v2(store->db, sql, -1, ret, NULL) ? ora_store_error(store) : NULL;
}

struct xs_error *ora_store_kept(struct ora_store *store, enum ora_store_statement which,
	const char *sql, sqlite3_stmt **ret)
{
	if (!store->kept[which] && sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
					   &store->kept[which], NULL))
		return ora_store_error(store);
	*ret = store->kept[which];
	sqlite3_reset(*ret);
	return NULL;
}

static struct xs_error *first_number(struct ora_store *store, sqlite3_stmt *statement, int64_t *ret)
{
	int code = sqlite3_step(statement);
	*ret = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
	return code == SQLITE_ROW || code == SQLITE_DONE ? NULL : ora_store_error(store);
}

struct xs_error *ora_store_number(struct ora_store *store, const char *sql, int64_t *ret)
{
	ORA_AUTO_STATEMENT statement = NULL;
	struct xs_error *err = ora_store_prepare(store, sql, &statement);
	return err ? err : first_number(store, statement, ret);
}

struct xs_error *ora_store_number_of(
	struct ora_store *store, const char *sql, int64_t parameter, int64_t *ret)
{
	ORA_AUTO_STATEMENT statement = NULL;
	struct xs_error *err = ora_store_prepare(store, sql, &statement);
	if (err)
		return err;
	sqlite3_bind_int64(statement, 1, parameter);
	return first_number(store, statement, ret);
}

/* --- opening ---------------------------------------------------------------------------------- */

const struct ora_store_kind ora_store_traces_kind = {
	.name = "trace store",
	.schema = ora_store_schema,
	.application = ORA_STORE_APPLICATION,
	.format = ORA_STORE_FORMAT,
};

/* Has the file to ourselves, as far as writers go. The lock is not SQLite's own, so that others can
 * read meanwhile; the file stays open until SQLite has closed it, for closing it earlier would let
 * go of SQLite's locks, too. */
static struct xs_error *lock(struct ora_store *store)
{
	store->lock = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, XS_PRIVATE_FILE);
	if (store->lock < 0)
		return xs_error_sys("%s", store->path);
	struct stat about;
	if (fstat(store->lock, &about))
		return xs_error_sys("%s", store->path);
	if (!S_ISREG(about.st_mode))
		return xs_error_create("%s: not a file", store->path);
	if (flock(store->lock, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK
			       ? xs_error_busy("%s: another xstep is writing to it", store->path)
			       : xs_error_sys("%s: flock", store->path);
	return NULL;
}

/* Whether it is one of ours. */
static struct xs_error *recognise(struct ora_store *store)
{
	int64_t application, format;
	struct xs_error *err;
	if ((err = ora_store_number(store, "PRAGMA application_id", &application)) ||
		(err = ora_store_number(store, "PRAGMA user_version", &format)))
		return err;
	if (application != store->kind->application)
		return xs_error_create("%s: a database of another application (id 0x%" PRIx64
				       "), not a %s",
			store->path, (uint64_t)application & UINT32_MAX, store->kind->name);
	bool older = store->kind->added && format == store->kind->older;
	if (format != store->kind->format && !older)
		return xs_error_create("%s: a %s of format %" PRId64
				       ", and this is an xstep for format %" PRId64
				       "; use one of its time",
			store->path, store->kind->name, format, store->kind->format);
	if ((err = ora_store_guard_tables(store, "main")) || !older)
		return err;
	return ora_store_add_table(store);
}

/* Makes the tables, at once or not at all. The log comes later: what identifies the file must be in
 * the file itself. */
static struct xs_error *create_tables(struct ora_store *store)
{
	struct xs_error *err;
	/* Small pages: a store of one trace has some twenty tables, each with a page at least. */
	if ((err = ora_store_run(store, "PRAGMA page_size = 1024")) ||
		(err = ora_store_run(store, "BEGIN EXCLUSIVE")) ||
		(err = ora_store_run(store, store->kind->schema)) ||
		(err = ora_store_run(store, "COMMIT")))
		return err;
	return NULL;
}

static struct xs_error *open_writing(struct ora_store *store, bool fleeting)
{
	struct xs_error *err;
	int64_t pages;
	if ((fleeting && (err = ora_store_run(store, "PRAGMA synchronous = OFF;"
						     "PRAGMA cache_size = -65536"))) ||
		(err = ora_store_number(store, "PRAGMA page_count", &pages)))
		return err;
	if ((err = pages ? recognise(store) : create_tables(store)))
		return err;
	if (!fleeting && (err = ora_store_run(store, "PRAGMA synchronous = NORMAL")))
		return err;
	/* References are looked up at every insert; what nobody will read again need not pay. */
	return ora_store_run(store, fleeting ? "PRAGMA journal_mode = WAL"
					     : "PRAGMA journal_mode = WAL;"
					       "PRAGMA foreign_keys = ON");
}

struct xs_error *ora_store_open_kind(const char *path, enum ora_store_access how,
	const struct ora_store_kind *kind, struct ora_store **ret)
{
	XS_AUTO(ora_store) store = xs_calloc(1, sizeof *store);
	struct xs_error *err;
	store->path = xs_strdup(path);
	store->kind = kind;
	store->lock = -1;
	bool write = how != ORA_STORE_READ;
	if (write && (err = lock(store)))
		return err;
	struct stat about;
	if (!write && stat(path, &about))
		return xs_error_sys("%s", path);
	if (!write && !S_ISREG(about.st_mode))
		return xs_error_create("%s: not a file", path);
	/* A file that a dead writer left may have to be rolled back first, even to be read. */
	int mode = write                ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
		   : access(path, W_OK) ? SQLITE_OPEN_READONLY
					: SQLITE_OPEN_READWRITE;
	if ((err = ora_store_guard_open(store, mode)))
		return err;
	sqlite3_busy_timeout(store->db, 10000);
	if ((err = ora_store_guard_size(store, "main")) ||
		(err = write ? open_writing(store, how == ORA_STORE_FLEETING) : recognise(store)))
		return err;
	if (!write && (err = ora_store_run(store, "PRAGMA query_only = ON")))
		return err;
	store->writing = write;
	store->bounded = !write; /* what is written is ours, and must not end half-way */
	*ret = xs_take(&store);
	return NULL;
}

struct xs_error *ora_store_open(const char *path, enum ora_store_access how, struct ora_store **ret)
{
	return ora_store_open_kind(path, how, &ora_store_traces_kind, ret);
}

void ora_store_destroy(struct ora_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < ORA_STORE_STATEMENTS; i++)
		sqlite3_finalize(store->kept[i]);
	store->bounded = false;
	/* Without a log the file can be read from where nothing can be written. Should that fail,
	 * for want of room or because somebody reads, file and log are as good. */
	if (store->writing)
		sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	sqlite3_close_v2(store->db);
	if (store->lock >= 0)
		close(store->lock);
	free(store->path);
	free(store);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);
	return length > size && !strcmp(text + length - size, end);
}

bool ora_store_is_meant(const char *path)
{
	if (ends_with(path, ".db") || ends_with(path, ".sqlite"))
		return true;
	/* The application's id is where SQLite's format has it. */
	unsigned char header[72] = {0};
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd >= 0 && pread(fd, header, sizeof header, 0) == (ssize_t)sizeof header &&
	       !memcmp(header, "SQLite format 3", 16) && !memcmp(header + 68, "xstp", 4);
}

uint64_t ora_store_size(struct ora_store *store)
{
	int64_t pages = 0, size = 0;
	/* For a line of progress: what cannot be told is 0. */
	xs_error_destroy(ora_store_number(store, "PRAGMA page_count", &pages));
	xs_error_destroy(ora_store_number(store, "PRAGMA page_size", &size));
	return (uint64_t)pages * (uint64_t)size;
}
