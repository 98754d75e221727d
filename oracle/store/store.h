/* store.h - traces kept in one SQLite file: any number of subjects, witnesses and traces.
 *
 * A store is written by whoever records a witness (writer, below) and read by whoever shows,
 * compares or judges (reader, below). Nothing here knows which witness speaks: xstep, gdb and lldb
 * write through the same calls. What the file looks like is said in schema.sql; SQL is written
 * nowhere but in store_*.c.
 *
 * Rules:
 * 1. One writer at a time has a file; a second one is refused. Readers may read meanwhile.
 * 2. A trace is written in batches, a transaction each. Whatever happens, what a batch has stored
 *    stays, whole stops only, and the trace is marked incomplete until ora_writer_finish().
 * 3. Facts are stored where they differ from the last stored ones of the same leaf. A caller may
 *    tell the whole state at each stop, or the changes; both give the same file.
 * 4. Everything is copied: nothing that is passed need live longer than the call.
 * 5. A file is input, whoever made it (store_guard.c). What it says is checked where it is read.
 *    Reading it is bounded in time and memory by its size. What is out of place is an error. */
#ifndef ORA_STORE_H
#define ORA_STORE_H

#include "oracle/store/told.h"

struct ora_store;

enum ora_store_access {
	ORA_STORE_READ,     /* the file is there, and stays as it is */
	ORA_STORE_WRITE,    /* traces will be added; the file is made if it is not there */
	ORA_STORE_FLEETING, /* the same, and nobody waits for the disk: it will be gone soon */
};

/* A function that says whether the user wants everything to end: whatever is being read gives up
 * then. NULL: nobody asks. */
void ora_store_listen(bool (*wish)(void));

/* Opens a file, and refuses what is not a store of this version. A file that is made is for the
 * user alone. */
XS_MUST_CHECK struct xs_error *ora_store_open(
	const char *path, enum ora_store_access how, struct ora_store **ret);
/* Closes it; a file that was written becomes one file again, without a log beside it. */
void ora_store_destroy(struct ora_store *store);
XS_DEFINE_CLEANUP(ora_store);

/* Whether traces written to this path go into a store: it ends in .db or .sqlite, or there is one.
 */
bool ora_store_is_meant(const char *path);
/* How many bytes the file has, or will have when the log is gone. */
uint64_t ora_store_size(struct ora_store *store);

/* --- what a trace is -------------------------------------------------------------------------- */

/* The executable. Texts may be NULL where nothing is known, unless it says so. */
struct ora_store_subject {
	const char *path;     /* as it was given; never NULL */
	const char *build_id; /* in hex */
	const char *hash;     /* `sha256:` and that of the file, in hex; never NULL */
	const char *producer; /* DW_AT_producer of the unit that has main, or of the first */
	const char *flags;    /* what that says of the compiler's options */
	int dwarf_version;    /* of that unit; 0: it has no DWARF */
};

/* How a trace is made. */
struct ora_store_trace {
	const char *witness;   /* xstep, gdb, lldb; never NULL */
	const char *version;   /* in full, as the witness says it; never NULL */
	const char *mode;      /* how it advances: exact, single, native, shared, ... */
	const char *level;     /* what one stop is: instruction, line or break */
	const char *sample;    /* which stops are kept: none, all, unique, dtd; or the witness's own
				* word */
	uint64_t seed;         /* of the sampling */
	const char *arguments; /* the program's, a JSON array of texts; argv[0] is the path */
	const char *from;      /* the function that it begins at */
	const char *vars;      /* which variables are told: none, locals or all */
	bool frames, regs;     /* whether backtraces and registers are */
	uint64_t max_leaves;   /* of a variable; more are cut */
};

/* How it ended. */
struct ora_store_end {
	bool complete;       /* all that was to be traced was */
	const char *how;     /* in words: `main returned; exited with status 0` */
	const char *trouble; /* what went wrong, or NULL */
	uint64_t stops;      /* executed stops, sampled or not; 0: nobody counted */
	uint64_t cut;        /* of an older xstep: sources of transitions that it gave up on */
};

/* --- writing, first what is told: see also told.h --------------------------------------------- */

/* What the witness says of one leaf. */
struct ora_store_fact {
	uint32_t variable;    /* from ora_writer_variable() */
	unsigned depth;       /* of the frame it is seen from: the outermost has 1, frame 0 as many
			       * as there are frames; 0 at file scope */
	const char *path;     /* of the leaf: `s.f[2]` */
	const char *type;     /* of the leaf; or NULL */
	enum ora_state state; /* what follows is NULL where it makes no sense */
	const char *value;    /* canonical text (leaf.h) */
	const char *enumerator; /* of that value */
	const char *message;    /* why there is none, in the witness's words */
	const char *why;        /* the reason that these words are made of, by its name */
	bool shadowed;          /* another one of its name hides it */
	bool undeclared;        /* its declaration is further down */
};

/* --- writing ---------------------------------------------------------------------------------- */

/* Order of calls: create, then for each sampled stop
 *     stop_begin, frame* (innermost first), reg*, fact*, stop_end
 * with place() and variable() wherever an identity is needed, transition() and order() anywhere,
 * coverage() and finish() last. An error is kept and returned by the next call that can; all calls
 * in between do nothing. destroy() without finish() leaves an incomplete trace. */
struct ora_writer;

XS_MUST_CHECK struct xs_error *ora_writer_create(struct ora_store *store,
	const struct ora_store_subject *subject, const struct ora_store_trace *trace,
	struct ora_writer **ret);
void ora_writer_destroy(struct ora_writer *writer);
XS_DEFINE_CLEANUP(ora_writer);

/* The number that the trace has in this file. */
uint64_t ora_writer_trace(const struct ora_writer *writer);

/* The identity of a place; 0 if it was not told yet. Identities are small numbers from 1 on. */
uint32_t ora_writer_find_place(struct ora_writer *writer, const char *module, xs_addr address);
/* The identity of a place, whose facts are told if they are not known yet. */
uint32_t ora_writer_place(struct ora_writer *writer, const struct ora_store_place *place);
/* The identity of a variable. Two that look the same are told apart by `key`, whatever it is; 0 if
 * the witness cannot. */
uint32_t ora_writer_variable(
	struct ora_writer *writer, const struct ora_store_variable *variable, uint64_t key);

/* A sampled stop (prev, pc, n): prev is 0 at the first; number is the executed stop's, from 1, in
 * ascending order. */
void ora_writer_stop_begin(
	struct ora_writer *writer, uint64_t number, uint32_t prev, uint32_t place, uint64_t n);
void ora_writer_frame(struct ora_writer *writer, const struct ora_store_frame *frame);
/* How many frames there are, if they are not told but variables of them are. */
void ora_writer_frames(struct ora_writer *writer, unsigned count);
/* A remark about this stop: where two unwinders differ, say. */
void ora_writer_note(struct ora_writer *writer, const char *text);
void ora_writer_reg(struct ora_writer *writer, const char *name, uint64_t value);
/* One that does not fit or has no number: its text, or NULL if it is not available. */
void ora_writer_reg_text(struct ora_writer *writer, const char *name, const char *value);
void ora_writer_fact(struct ora_writer *writer, const struct ora_store_fact *fact);
/* After the facts: this was all; every leaf that was not told at this stop is absent now. */
void ora_writer_rest_absent(struct ora_writer *writer);
XS_MUST_CHECK struct xs_error *ora_writer_stop_end(struct ora_writer *writer);

/* How often a transition was taken (0: not known) and the number of the stop that took it first (0:
 * not known). Needed for those that were never sampled, and for counts. */
void ora_writer_transition(
	struct ora_writer *writer, uint32_t prev, uint32_t place, uint64_t count, uint64_t first);
/* The next executed transition, if all are to be kept in order (--keep-order). */
void ora_writer_order(struct ora_writer *writer, uint32_t prev, uint32_t place);
/* One coverage figure: of `selected` things of that kind, `evaluated` were. name tells operators
 * apart, "" elsewhere. */
void ora_writer_coverage(struct ora_writer *writer, const char *kind, const char *name,
	uint64_t selected, uint64_t evaluated);

/* Stores what is left and how the trace ended. */
XS_MUST_CHECK struct xs_error *ora_writer_finish(
	struct ora_writer *writer, const struct ora_store_end *end);

/* --- reading ---------------------------------------------------------------------------------- */

/* A trace as it stands in the file. Texts live as long as the list. */
struct ora_trace_info {
	uint64_t id;                      /* number in this file */
	struct ora_store_subject subject; /* the executable */
	struct ora_store_trace trace;     /* how it was made */
	struct ora_store_end end;         /* how it ended */
	const char *host;                 /* where: name, kernel, processor */
	const char *began, *ended;        /* UTC, `2026-01-31T12:00:00.000Z`; ended may be NULL */
	uint64_t sampled;                 /* stops in the file */
	uint64_t transitions;             /* different ones */
};

struct ora_trace_list {
	XS_VEC(struct ora_trace_info) vec; /* by id */
	XS_VEC(char *) texts;              /* what they point to */
};

XS_MUST_CHECK struct xs_error *ora_store_traces(
	struct ora_store *store, struct ora_trace_list *ret);
void ora_trace_list_deinit(struct ora_trace_list *list);

/* Walks one trace from its first stop on, and knows the whole state at the stop it is at. */
struct ora_reader;

XS_MUST_CHECK struct xs_error *ora_reader_create(
	struct ora_store *store, uint64_t trace, struct ora_reader **ret);
void ora_reader_destroy(struct ora_reader *reader);
XS_DEFINE_CLEANUP(ora_reader);

/* The next sampled stop; NULL at the end. */
XS_MUST_CHECK struct xs_error *ora_reader_next(
	struct ora_reader *reader, const struct ora_told **ret);
/* The whole state at the stop it is at: every leaf that is not absent, in the order of first
 * telling, and every register. */
void ora_reader_state(struct ora_reader *reader,
	void (*on_fact)(void *arg, const struct ora_told_fact *fact),
	void (*on_reg)(void *arg, const struct ora_told_reg *reg), void *arg);

/* The order of all executed transitions, if it was kept: places by link-time address. */
XS_MUST_CHECK struct xs_error *ora_store_order(struct ora_store *store, uint64_t trace,
	void (*on_step)(void *arg, const struct ora_store_place *place), void *arg);
/* The different transitions, by address. count 0: not known. */
XS_MUST_CHECK struct xs_error *ora_store_transitions(struct ora_store *store, uint64_t trace,
	void (*on_transition)(void *arg, const struct ora_store_place *prev,
		const struct ora_store_place *place, uint64_t count, uint64_t first),
	void *arg);
XS_MUST_CHECK struct xs_error *ora_store_coverage(struct ora_store *store, uint64_t trace,
	void (*on_figure)(void *arg, const char *kind, const char *name, uint64_t selected,
		uint64_t evaluated),
	void *arg);

/* --- more that is done to a file -------------------------------------------------------------- */

/* Marks a leaf (both numbers from an ora_told_fact) as unstable at the stops number first to last:
 * another run of the same witness said something else there. */
XS_MUST_CHECK struct xs_error *ora_store_mark_unstable(struct ora_store *store, uint64_t trace,
	uint32_t leaf, uint64_t element, uint64_t first, uint64_t last);
/* Adds all traces of another file. */
XS_MUST_CHECK struct xs_error *ora_store_merge(struct ora_store *store, const char *from);
/* Checks the file and the invariants that schema.sql numbers; calls on_problem for each that does
 * not hold. */
XS_MUST_CHECK struct xs_error *ora_store_check(
	struct ora_store *store, void (*on_problem)(void *arg, const char *problem), void *arg);

#endif
