/* store_write.h - the writer's inside, for store_write.c and store_facts.c. */
#ifndef ORA_STORE_WRITE_H
#define ORA_STORE_WRITE_H

#include <time.h>

#include "oracle/store/buffer.h"
#include "oracle/store/intern.h"
#include "oracle/store/store_db.h"

/* The insertions, in the order of this list. */
enum insertion {
	INSERT_TEXT,
	INSERT_LOADED,
	INSERT_SITE,
	INSERT_PLACE,
	INSERT_TRANSITION,
	INSERT_FRAME,
	INSERT_STACK,
	INSERT_STOP,
	INSERT_VARIABLE,
	INSERT_LEAF,
	INSERT_SAYING,
	INSERT_VALUE,
	INSERT_EXECUTION,
	INSERT_COVERAGE,
	UPDATE_TRANSITION,
	FIND_TEXT,
	STATEMENTS,
};

/* What identifies things; compared byte by byte, so that padding must be zero. */
struct site_key {
	uint64_t function, entry, file, line, column, inlined, has_row;
};
struct frame_key {
	uint64_t function, file, line, column, inlined, module, address;
};
struct variable_key {
	uint64_t unit, scope, name, file, line;
};
struct leaf_key {
	uint64_t variable, depth, path, type;
};
struct saying_key {
	uint64_t state, form, enumerator, message, shadowed, undeclared, why;
};
/* Of a fact's value: none, a number itself, the number of a value. */
enum form { FORM_NONE, FORM_NUMBER, FORM_TEXT };

/* What was said of an element of a leaf. */
struct known {
	uint32_t leaf;
	uint64_t element;
	uint32_t saying; /* as it was stored last; 0: never */
	int64_t value;   /* likewise, by the saying's form */
	uint64_t told;   /* serial number of the last stop at which it was told */
	size_t pending;  /* its entry in `pending`, if that is this stop */
};

/* What is said of it at this stop. */
struct pending {
	size_t known;
	uint32_t saying;
	int64_t value;
};

struct transition {
	uint32_t prev, place;  /* 0: none */
	uint64_t count, first; /* 0: not known */
	bool changed;          /* since it was stored */
};

struct reg {
	char *name;
	bool told, available; /* whether there is a last time; whether it had a value then */
	char *text;           /* its value then, if it was no number */
	uint64_t value;
	uint64_t serial; /* of that stop */
};

struct ora_writer {
	struct ora_store *store;
	int64_t trace; /* its number in the file */
	sqlite3_stmt *statement[STATEMENTS];
	struct xs_error *err; /* what went wrong, until somebody is told */
	bool failed;          /* somebody was; nothing is done from then on */

	struct ora_intern texts;  /* all that were used */
	XS_VEC(int64_t) text_ids; /* their ids in the file, by number */
	struct ora_intern sites, frames, variables, leaves, sayings, values;
	struct ora_intern whys;              /* names of reasons */
	struct xs_map places;                /* (module's text id, address) -> number */
	XS_VEC(uint64_t) addresses;          /* of places, by number */
	XS_VEC(uint64_t) modules;            /* of places: number of the name, 0: the executable */
	XS_VEC(struct site_key) place_sites; /* of places */
	struct xs_map stacks;                /* (frame, outer) -> number */
	XS_VEC(uint32_t) depths;             /* of stacks, by number */
	struct xs_map transition_index;      /* (prev, place) -> index, plus 1 */
	XS_VEC(struct transition) transitions;
	struct xs_map variable_keys;     /* (identity, caller's key) -> number */
	XS_VEC(uint32_t) variable_names; /* number of the name, by number */
	struct xs_map biases;            /* (number of module's name, 0) -> bias, plus 1 */
	struct xs_map known_index;       /* (leaf, element) -> index, plus 1 */
	XS_VEC(struct known) known;
	XS_VEC(struct reg) regs;
	uint64_t sampled; /* stops that were stored */

	/* The stop that has begun. */
	uint64_t serial; /* counts them */
	uint64_t number, n;
	uint32_t prev, place;
	unsigned frame_count;         /* as told by ora_writer_frames() */
	XS_VEC(uint32_t) stop_frames; /* innermost first */
	struct frame_key shown;       /* the first of them */
	int64_t note;                 /* id of the text, 0: none */
	XS_VEC(struct pending) pending;
	struct ora_buffer facts, reg_text;

	/* The piece of the execution that is not stored yet. */
	XS_VEC(unsigned char) piece;
	uint64_t piece_first, piece_count, steps;
};

/* Whether something went wrong: nothing is done any more. */
bool ora_writer_stuck(const struct ora_writer *writer);
/* A statement with the trace as its first parameter, in a transaction; NULL if the writer is stuck.
 */
sqlite3_stmt *ora_writer_start(struct ora_writer *writer, enum insertion which);
/* Runs it. */
void ora_writer_done(struct ora_writer *writer, sqlite3_stmt *statement);
/* The writer fails if a text is longer than a reader takes. */
void ora_writer_limit(struct ora_writer *writer, const char *text);
/* The number of a text in this writer, and its id in the file; 0 for NULL. */
uint32_t ora_writer_text(struct ora_writer *writer, const char *text);
uint64_t ora_writer_text_id(struct ora_writer *writer, const char *text);

/* The number of a way of saying something. */
uint32_t ora_writer_saying(struct ora_writer *writer, const struct saying_key *key);
/* The facts of the stop become the JSON in writer->facts, empty if nothing changed. */
void ora_writer_make_facts(struct ora_writer *writer);

static inline void ora_bind(sqlite3_stmt *statement, int at, uint64_t number)
{
	sqlite3_bind_int64(statement, at, (int64_t)number);
}

/* 0 is NULL: for references. */
static inline void ora_bind_reference(sqlite3_stmt *statement, int at, uint64_t id)
{
	if (id)
		ora_bind(statement, at, id);
}

static inline void ora_bind_text(sqlite3_stmt *statement, int at, const char *text)
{
	sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

#endif
