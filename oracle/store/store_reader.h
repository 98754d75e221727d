/* store_reader.h - what a reader of a trace is made of, for store_load.c, store_read.c and
 * store_check.c. */
#ifndef ORA_STORE_READER_H
#define ORA_STORE_READER_H

#include "base/map.h"
#include "oracle/store/checked.h"

struct stack {
	uint32_t frame, outer, depth;
};

struct leaf {
	uint32_t variable, depth;
	const char *path, *type;
};

struct saying {
	enum ora_state state;
	bool number, text; /* the form */
	const char *enumerator, *message, *why;
	bool shadowed, undeclared;
};

struct transition {
	uint32_t prev, place;
	uint64_t count, first;
};

/* An element of a leaf as it stands. */
struct known {
	uint32_t leaf;
	uint64_t element;
	uint32_t saying; /* 0: nothing was said yet */
	int64_t value;
	char *path;
	unsigned frame; /* that it was told from */
	uint64_t told;  /* number of the stop that told it last */
};

struct span {
	uint64_t first, last;
};

struct reg {
	char *name, *text;
	bool told, known;
	bool listed; /* told by the file, and not implied by the pc */
	uint64_t value;
};

/* What breaks an invariant and can be read all the same; see schema.sql. */
struct ora_flaws {
	uint64_t twice;     /* 7: facts of a leaf that was told at the same stop before */
	uint64_t repeated;  /* 7: facts that say what was known, or begin with `absent` */
	uint64_t regs;      /* 8: registers that repeat what they were */
	uint64_t frameless; /* 9: leaves of frames that are not there */
};

struct ora_reader {
	struct ora_store *store;
	int64_t trace;
	bool has_frames, has_regs;
	struct xs_map texts; /* id -> index into strings, plus 1 */
	XS_VEC(char *) strings;
	XS_VEC(struct ora_store_place) places;
	XS_VEC(struct transition) transitions;
	XS_VEC(struct ora_store_frame) frames;
	XS_VEC(struct stack) stacks;
	XS_VEC(struct ora_store_variable) variables;
	XS_VEC(uint32_t) ordinals;
	XS_VEC(struct leaf) leaves;
	XS_VEC(struct saying) sayings;
	XS_VEC(const char *) values;
	struct xs_map biases;   /* by number of a place: bias, plus 1, of its module */
	struct xs_map unstable; /* (leaf, element) -> 1 */
	sqlite3_stmt *stops;
	bool no_frames;         /* only how many frames there are is wanted */
	uint64_t spare;         /* bytes that copies of texts may still take */
	uint64_t breath;        /* bytes of long texts that may still be told */
	bool has_long;          /* there are some */
	struct ora_flaws flaws; /* seen so far */

	struct xs_map known_index; /* (leaf, element) -> index, plus 1 */
	XS_VEC(struct known) known;
	XS_VEC(struct reg) reg_list;
	struct ora_told told;   /* the stop it is at */
	XS_VEC(char *) scratch; /* texts of that stop */
	bool ended;
};

/* An error: what is out of place in the trace, and which invariant that breaks. */
XS_MUST_CHECK struct xs_error *ora_reader_damaged(
	struct ora_reader *reader, int invariant, const char *what);
/* Takes so many bytes from what texts may take. */
bool ora_reader_spend(struct ora_reader *reader, size_t bytes);
/* The text that a column refers to; NULL if it is NULL. */
const char *ora_reader_text(struct ora_reader *reader, struct ora_checked *row, int column);
/* Makes a reader, as ora_reader_create() does, without allowing a new walk. */
XS_MUST_CHECK struct xs_error *ora_reader_open(
	struct ora_store *store, uint64_t trace, struct ora_reader **ret);
/* The order of execution, if it was kept. */
XS_MUST_CHECK struct xs_error *ora_reader_order(struct ora_reader *reader,
	void (*on_step)(void *arg, const struct ora_store_place *place), void *arg);

#endif
