/* compare.h - walks the traces of several witnesses in lockstep and finds where they disagree.
 *
 * Rules:
 * 1. Stops are the same if (prev, pc, n) is. The first trace leads: a stop that another one does
 *    not have is missed by it, one that the leader does not have is extra; both are counted, and
 *    the walk goes on where both are again.
 * 2. A variable is the same if function, name, declaration (line; at file scope file name, too) and
 *    rank are. The rank of a leader's frame is how many frames, from the outermost up to it, are of
 *    its function. Frames of the others are matched with the leader's, in order, by pc, function
 *    and being inlined, and have their ranks: frames that only one witness shows do not shift them.
 *    Of recursive calls that only one shows it may be open which they are: variables of those that
 *    are another frame when looked for from the innermost than from the outermost are nobody's. A
 *    frame that a witness made up for a tail call is never one of the leader's, whatever its name.
 *    A function of a header is in many units: a variable is of the unit that is said, and of the
 *    leader's frame's where a witness says none.
 * 3. What is said of a whole (`s`, `s.f`) holds for each of its leaves. Two witnesses that both
 *    have no value agree on that, whatever they call it: such cases are set aside and counted.
 *    What a debugger could not be asked is nothing that it said: it is not compared.
 * 4. Not yet declared, and not listed by the other: they agree.
 * 5. A difference begins where what is said first differs, and lasts until that changes.
 *    Differences of one leaf that begin at one pc with the same states are one, which counts its
 *    times and stops: memory depends on the code, not on the length of the trace (but for one
 *    number a stop, and two for each stretch of stops that a difference lasts).
 * 6. A symboliser is asked about the code at a pc and nothing else: that it knows no variables,
 *    registers and callers is no difference. What it said and nobody can read is not compared.
 * 7. A variable of a frame that a witness does not show is no difference of its own: the frame is.
 *    Frames of libraries are not compared.
 * 8. Of a language that is not read in full (dwarf/language.h), variables are compared only where
 *    the leader reads them and the others list them. What the leader says that it does not read is
 *    compared nowhere.
 *
 * Nothing in here says who is right: verdict.h does. */
#ifndef ORA_COMPARE_H
#define ORA_COMPARE_H

#include "dwarf/module.h"
#include "dwarf/why.h"
#include "oracle/store/store.h"

#define ORA_COMPARE_MAX 12 /* traces at once */

/* What a difference is about. */
enum ora_aspect {
	ORA_ASPECT_VARIABLE,     /* state or value of a leaf */
	ORA_ASPECT_LOOKUP,       /* which of several variables a name means */
	ORA_ASPECT_REGISTER,     /* contents of a general register */
	ORA_ASPECT_LINE,         /* the row of the line table that a pc is looked up to */
	ORA_ASPECT_FUNCTIONS,    /* the functions that the code at a pc belongs to (symbolisers) */
	ORA_ASPECT_CALLS,        /* where the inlined ones of these are called (likewise) */
	ORA_ASPECT_COLUMN,       /* of the row (likewise) */
	ORA_ASPECT_PRESENTATION, /* what is shown at the border of an inlined call, tail calls */
	ORA_ASPECT_FRAMES,       /* the functions of the backtrace */
	ORA_ASPECT_STOPS,        /* where a witness stopped */
	ORA_ASPECT_CRASH,        /* a witness that did not survive */
	ORA_ASPECT_BUILDS,       /* what another build of the source says (against.h) */
	ORA_ASPECT_CHECK,        /* no difference between witnesses: a violation (check.h) */
};
/* How impossible a value is by an unoptimised build. */
enum ora_misfit {
	ORA_MISFIT_NEVER, /* that never gives it to the variable */
	ORA_MISFIT_LINE,  /* it does, but not on this line */
	ORA_MISFIT_HIT,   /* on this line, but not at this arrival */
};
/* Whether an aspect is of the file alone: it takes no process to look again. */
static inline bool ora_aspect_is_static(enum ora_aspect aspect)
{
	return aspect == ORA_ASPECT_LINE || aspect == ORA_ASPECT_FUNCTIONS ||
	       aspect == ORA_ASPECT_CALLS || aspect == ORA_ASPECT_COLUMN;
}
/* `variable`, `lookup`, ..., for people and JSON. */
const char *ora_aspect_text(enum ora_aspect aspect);

/* Why a difference is none. */
enum ora_aside {
	ORA_ASIDE_UNSTABLE, /* another run of the same witness says something else */
	ORA_ASIDE_NAN,      /* NaNs of different sign or payload */
	ORA_ASIDE_DECLINED, /* no value, in different words: optimized-out and error */
	ORA_ASIDE_SPELLING, /* one function under two spellings of its name */
	ORA_ASIDE_FRAME,    /* of a frame that a witness does not show */
	ORA_ASIDE_CUT,      /* a witness told only the first leaves */
	ORA_ASIDE_LIBRARY,  /* of functions that are not the program's own */
	ORA_ASIDE_TWINS,    /* two of one name, declared on one line of one function, at once */
	ORA_ASIDE_UNASKED,  /* xstep's driver could not ask the debugger */
	ORA_ASIDE_LANGUAGE, /* of a language that is not read in full, and no plain base type */
	ORA_ASIDE_UNREAD,   /* of a construct that xstep does not read */
	ORA_ASIDE_COUNT,
};
const char *ora_aside_text(enum ora_aside aside);

/* What one witness says. */
struct ora_said {
	bool heard; /* whether it was at this stop */
	enum ora_state state;
	char *value, *message; /* or NULL; value is also a line, a list of frames, ... */
	bool undeclared, shadowed;
	enum di_why_code why; /* the reason that xstep's message words; NONE: none is known */
};

/* A frame that the leader shows. */
struct ora_frame_shown {
	char *function; /* bare name; NULL: unknown */
	bool inlined;
	xs_addr pc;    /* link-time: where it is, or returns to; XS_ADDR_NONE: unknown or library */
	unsigned lack; /* mask of the traces that are here and do not show it */
};
/* One that another witness shows, and the leader does not. */
struct ora_frame_added {
	char *function;
	size_t trace;   /* who */
	size_t outside; /* number of the leader's frame that is next to it further out */
	bool tail;      /* the witness says that it made it up for a tail call */
	xs_addr pc;     /* as in ora_frame_shown: behind the jump, if it is a tail call's */
};

/* Stops of the leader, by count. */
struct ora_span {
	uint64_t from, to; /* from is in it, to is not */
};

struct ora_difference {
	enum ora_aspect aspect;
	/* Where it first begins. Texts may be NULL. */
	size_t trace;          /* whose stop it is: the leader's, 0, but for violations */
	uint64_t number, n;    /* of the stop, in that trace */
	uint64_t arrival;      /* which arrival at pc it is, from 1; 0: by `number` */
	xs_addr prev, pc;      /* link-time; XS_ADDR_NONE: none */
	char *module;          /* of the pc; NULL: the executable */
	char *function, *file; /* of the pc, as the leader says */
	uint32_t line;         /* likewise */
	/* Variables: */
	char *scope, *var, *path; /* function, name, leaf */
	char *decl_file, *type;
	uint32_t decl_line;
	bool global;        /* at file scope */
	unsigned frame;     /* the leader's number of its frame, or of who has it */
	unsigned rank;      /* that frame's, see rule 2; 0 at file scope */
	unsigned nth;       /* of those that look the same in its unit, from 0 */
	char *frame_module; /* as module, for frame_pc */
	xs_addr frame_pc;   /* where that frame is, for lookups; XS_ADDR_NONE: unknown */
	unsigned level;     /* of that frame among those of its physical frame, 0 the innermost */
	xs_addr caller_pc;  /* what that frame returns to, in the program; XS_ADDR_NONE: unknown */
	struct ora_said said[ORA_COMPARE_MAX]; /* by trace */
	XS_VEC(struct ora_frame_shown) frames; /* FRAMES, PRESENTATION: the innermost first */
	XS_VEC(struct ora_frame_added) added;  /* likewise, the outermost first */
	enum ora_misfit misfit;                /* BUILDS */
	char *other;                   /* BUILDS: the values that it has there in the other build */
	uint64_t times;                /* how often it began */
	uint64_t stops;                /* at how many stops there was such a difference */
	XS_VEC(struct ora_span) spans; /* these stops, as they came */
};

struct ora_comparison {
	/* Set by the caller. */
	struct ora_store *store;
	uint64_t traces[ORA_COMPARE_MAX]; /* the leader first */
	size_t count;                     /* how many */
	struct di_module *module;         /* of the program, for rule 6; NULL: not known */
	/* Called now and then: at which of the leader's stops it is; false ends it there. NULL:
	 * nobody asks. */
	bool (*go_on)(void *context, uint64_t done, uint64_t total);
	void *context; /* passed to it */

	/* Found. */
	XS_VEC(struct ora_difference *) differences; /* in the order of their stops */
	uint64_t stops;                   /* of the leader; as far as it got, if it was ended */
	bool cut;                         /* it was */
	uint64_t compared;                /* comparisons of facts */
	uint64_t missed[ORA_COMPARE_MAX]; /* stops of the leader that it does not have */
	uint64_t extra[ORA_COMPARE_MAX];  /* its stops that the leader does not have */
	uint64_t aside[ORA_ASIDE_COUNT];  /* stops at which something was set aside */
};

/* Compares; traces of different subjects, levels or samplings are refused. */
XS_MUST_CHECK struct xs_error *ora_compare(struct ora_comparison *comparison);
void ora_comparison_deinit(struct ora_comparison *comparison);

#endif
