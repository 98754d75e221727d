/* store_db.h - the open file, for store*.c and nobody else. */
#ifndef ORA_STORE_DB_H
#define ORA_STORE_DB_H

#include <sqlite3.h>
#include <time.h>

#include "oracle/store/store.h"

#define ORA_STORE_APPLICATION 0x78737470
#define ORA_STORE_FORMAT      2
#define ORA_STORE_TEXT_MAX    (1 << 20) /* bytes of a name, a path, a type, a message, a value */

/* Bits of frame.inlined. */
enum { ORA_FRAME_INLINED = 1, ORA_FRAME_TAIL = 2 };

/* schema.sql, whole. */
extern const char ora_store_schema[];

/* What a file is made to keep. */
struct ora_store_kind {
	const char *name;    /* in messages: `trace store` */
	const char *schema;  /* the statements that make its tables */
	int64_t application; /* by which SQLite's header tells it from others */
	int64_t format;      /* any other is refused, but for */
	int64_t older;       /* one that is the same without */
	const char *added;   /* this table; NULL: there is none */
};
extern const struct ora_store_kind ora_store_traces_kind;

/* Why a statement was ended. */
enum ora_stopped {
	ORA_STOPPED_NOT,
	ORA_STOPPED_WISH,  /* the user wants everything to end */
	ORA_STOPPED_STEPS, /* it took more than a file of that size can need */
};

/* Statements that are made once for a file, however many traces are read. */
enum ora_store_statement {
	ORA_LOAD_PLACES,
	ORA_LOAD_TRANSITIONS,
	ORA_LOAD_FRAMES,
	ORA_LOAD_STACKS,
	ORA_LOAD_VARIABLES,
	ORA_LOAD_LEAVES,
	ORA_LOAD_SAYINGS,
	ORA_LOAD_VALUES,
	ORA_LOAD_UNSTABLE,
	ORA_LOAD_EXECUTION,
	ORA_FIND_TRACE,
	ORA_FIND_TEXT,
	ORA_FIND_SPAN,
	ORA_SPLIT_REGS,
	ORA_CHECKS, /* those of store_check.c from here on */
	ORA_STORE_STATEMENTS = ORA_CHECKS + 8,
};

struct ora_store {
	char *path;
	const struct ora_store_kind *kind;
	sqlite3 *db;
	int lock;     /* of a writer: an open file that holds the lock, -1 if there is none */
	bool writing; /* opened to be written */
	sqlite3_stmt *kept[ORA_STORE_STATEMENTS]; /* NULL: not made yet */

	/* Of the guard. */
	bool bounded;               /* statements give up: what they read is somebody's */
	uint64_t size;              /* bytes of the file, its log included */
	uint64_t looks, looks_most; /* at the steps: spent, and allowed */
	enum ora_stopped stopped;   /* why the last statement ended early */
	int invariant;              /* of schema.sql, that the last damage is one of */

	/* Of the writers, which share their batches. */
	bool in_batch;               /* a transaction is open */
	const char *ended_by;        /* what went wrong in it first; NULL: nothing */
	unsigned batch_stops;        /* in it */
	struct timespec batch_began; /* when it was opened */
};

/* What SQLite says went wrong last, as an error about the file. */
XS_MUST_CHECK struct xs_error *ora_store_error(struct ora_store *store);
/* Runs statements that give no rows. */
XS_MUST_CHECK struct xs_error *ora_store_run(struct ora_store *store, const char *sql);
/* Prepares one. */
XS_MUST_CHECK struct xs_error *ora_store_prepare(
	struct ora_store *store, const char *sql, sqlite3_stmt **ret);
/* The number that a statement gives in its first row; 0 if that is NULL or there is no row. */
XS_MUST_CHECK struct xs_error *ora_store_number(
	struct ora_store *store, const char *sql, int64_t *ret);
/* The same with one number to fill in. */
XS_MUST_CHECK struct xs_error *ora_store_number_of(
	struct ora_store *store, const char *sql, int64_t parameter, int64_t *ret);

/* One that is kept, ready to be bound. */
XS_MUST_CHECK struct xs_error *ora_store_kept(struct ora_store *store,
	enum ora_store_statement which, const char *sql, sqlite3_stmt **ret);

/* ora_store_open() for files of any kind. */
XS_MUST_CHECK struct xs_error *ora_store_open_kind(const char *path, enum ora_store_access how,
	const struct ora_store_kind *kind, struct ora_store **ret);
/* Opens the file of store->path with SQLite's mode, as store_guard.c says. */
XS_MUST_CHECK struct xs_error *ora_store_guard_open(struct ora_store *store, int mode);
/* Whether a journal named a file that is none of the store's. */
bool ora_store_guard_refused(void);
/* Takes the size of a file (`main`, or one that is attached) as part of what is being read, and
 * sets all limits accordingly. */
XS_MUST_CHECK struct xs_error *ora_store_guard_size(struct ora_store *store, const char *schema);
/* Refuses a file whose tables are not ours. */
XS_MUST_CHECK struct xs_error *ora_store_guard_tables(struct ora_store *store, const char *schema);
/* Brings a file of the older format to this one, if it is open to be written; else the table that
 * it has not is there for this reader only, and empty. */
XS_MUST_CHECK struct xs_error *ora_store_add_table(struct ora_store *store);
/* A walk begins: it may take as many steps as the file's size allows. */
void ora_store_allow(struct ora_store *store);
/* Whether the user wants everything to end: for loops outside of SQLite. */
bool ora_store_is_unwanted(struct ora_store *store);
/* A path as SQLite opens it, to be freed. */
char *ora_store_file_name(const char *path);

/* A statement that is finalised at the end of its scope. */
static inline void ora_statement_cleanup(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}
#define ORA_AUTO_STATEMENT __attribute__((cleanup(ora_statement_cleanup))) sqlite3_stmt *

/* The text of a column, NULL if it is. */
static inline const char *ora_column_text(sqlite3_stmt *statement, int column)
{
	return (const char *)sqlite3_column_text(statement, column);
}

#endif
