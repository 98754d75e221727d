/* store_db.h - the open file, for store*.c and nobody else. */
#ifndef ORA_STORE_DB_H
#define ORA_STORE_DB_H

#include <sqlite3.h>
#include <time.h>

#include "oracle/store/store.h"

#define ORA_STORE_APPLICATION 0x78737470
#define ORA_STORE_FORMAT      2

/* Bits of frame.inlined. */
enum { ORA_FRAME_INLINED = 1, ORA_FRAME_TAIL = 2 };

/* schema.sql, whole. */
extern const char ora_store_schema[];

struct ora_store {
	char *path;
	sqlite3 *db;
	int lock;     /* of a writer: an open file that holds the lock, -1 if there is none */
	bool writing; /* opened to be written */

	/* Of the writers, which share their batches. */
	bool in_batch;               /* a transaction is open */
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
