/* told.h - what a witness tells at one stop, whoever it is and wherever it comes from: xstep itself
 * (own/tell.h), a debugger (debugger/transcript.h) or a trace store (store.h). Printed, stored and
 * compared in this form: see sink.h. */
#ifndef ORA_TOLD_H
#define ORA_TOLD_H

#include "base/addr.h"
#include "base/error.h"

/* The control facts of a pc: what the line table says. */
struct ora_store_place {
	const char *module;   /* NULL: the executable; else the shared object's name */
	xs_addr address;      /* link-time */
	const char *function; /* out-of-line, or NULL */
	int64_t offset;       /* from that function's entry */
	bool has_row;         /* whether a row of the line table covers it */
	const char *file;     /* of the row; NULL: unknown */
	uint32_t line, column;
	const char *inlined; /* the inlined calls it is in, innermost first, a JSON array of
			      * {"function","file","line","column"}: where each was called; or NULL
			      */
};
/* `inlined` of a place of which the witness's words cannot be read: nothing was said there. */
#define ORA_INLINED_UNREAD "\"not read\""

/* One frame of a backtrace, as the witness shows it. */
struct ora_store_frame {
	const char *function; /* or NULL */
	const char *file;     /* or NULL */
	uint32_t line, column;
	bool inlined;       /* shares its physical frame with its caller */
	bool tail;          /* has none: made up for a function that ended with a tail call */
	const char *module; /* of the pc; NULL: the executable */
	xs_addr address;    /* link-time pc; XS_ADDR_NONE: not told (frame 0 need not) */
};

enum ora_state {
	ORA_STATE_VALUE,
	ORA_STATE_OPTIMIZED_OUT,
	ORA_STATE_ERROR,
	ORA_STATE_ABSENT, /* the witness does not list it */
	ORA_STATE_CUT,    /* not a leaf: says that there are more than are told */
};
/* Why there is an error that is not the witness's: its driver could not ask it. A debugger said
 * nothing then, and there is nothing to compare. */
#define ORA_WHY_NOT_ASKED "not-asked"
const char *ora_state_text(enum ora_state state);
/* The state of that word; false if there is none. */
bool ora_state_parse(const char *text, enum ora_state *ret);

/* What identifies a variable in every run and every witness. Texts may be NULL: not known. */
struct ora_store_variable {
	const char *unit;  /* its unit's name */
	const char *scope; /* function, with the path of inlined calls; at file scope "" if it is
			    * external, else the unit */
	const char *name;  /* never NULL */
	const char *file;  /* of the declaration */
	uint32_t line;     /* likewise, 0: not known */
};

struct ora_told_fact {
	uint32_t leaf;    /* from a store: with `element` its identity in the trace; else 0 */
	uint64_t element; /* likewise */
	uint64_t key;     /* tells variables apart that look the same */
	unsigned nth;     /* of several that look the same to the witness; 0: the first */
	const struct ora_store_variable *variable;
	unsigned depth;   /* of its frame, the outermost having 1; 0 at file scope */
	unsigned frame;   /* the same as a number from the innermost, when it was told */
	const char *path; /* of the leaf */
	const char *type; /* of the leaf, or NULL */
	enum ora_state state;
	const char *value, *enumerator, *message; /* or NULL */
	const char *why; /* the reason that the message words, by its name (dwarf/why_list.h, or
			  * ORA_WHY_NOT_ASKED); NULL: none, or the witness has words only */
	bool shadowed, undeclared;
	bool unstable; /* another run of the same witness says something else here */
};

struct ora_told_reg {
	const char *name;
	bool known;       /* false: not available */
	const char *text; /* NULL: a number */
	uint64_t value;   /* if it is a number */
};

/* A whole variable in the witness's own words, where these are asked for and not its leaves. */
struct ora_told_text {
	const char *name, *text;
};

/* A stop with what changed there since the last one that was told. */
struct ora_told {
	uint64_t number, n;                    /* of the stop */
	const struct ora_store_place *prev;    /* NULL at the first */
	const struct ora_store_place *place;   /* by the line table */
	size_t prev_index, place_index;        /* of both: small numbers, to keep things by */
	bool has_frames;                       /* whether the backtrace is told */
	XS_VEC(struct ora_store_frame) frames; /* innermost first: [0] is what the frame shows */
	unsigned frame_count;                  /* how many there are, told or not */
	const char *note;                      /* a remark, or NULL */
	XS_VEC(struct ora_told_fact) facts;    /* what changed, in the order told */
	XS_VEC(struct ora_told_reg) regs;      /* registers that changed */
	XS_VEC(struct ora_told_text) texts;    /* instead of facts, see above */
	/* Whether anybody still wants this stop: asked now and then while it is kept, which takes
	 * its time if there are millions of facts. False: it is not kept at all. NULL: yes. */
	bool (*is_wanted)(void);
};

/* One of the different transitions, told when all stops have been. */
struct ora_told_transition {
	const struct ora_store_place *prev;  /* NULL at the first */
	const struct ora_store_place *place; /* where it leads */
	size_t prev_index, place_index;      /* as in ora_told */
	uint64_t count;                      /* how often it was taken; 0: nobody counted */
	bool foreign; /* counted by xstep, and not by the witness that tells it */
};

#endif
