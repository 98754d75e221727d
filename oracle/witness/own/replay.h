/* replay.h - the program is run once more, to stops that were judged, and the mistakes that
 * debuggers are accused of are made there on purpose.
 *
 * A verdict against a debugger is proven if xstep, with that one mistake switched on
 * (dwarf/mistake.h), comes to what the debugger says. That needs the machine state, so it happens
 * in the same run that finds the ways to the stops (route.h).
 * A second run looks at the calls of frames in which a debugger may have read what a callee left
 * behind. */
#ifndef ORA_REPLAY_H
#define ORA_REPLAY_H

#include "dwarf/mistake.h"
#include "dwarf/why.h"
#include "oracle/store/told.h"
#include "oracle/witness/own/route.h"

/* What is said of a leaf. */
struct ora_replayed {
	enum ora_state state; /* ABSENT: no such variable is listed */
	char *value;          /* canonical text; of a lookup `visible` or `hidden`; or NULL */
	enum di_why_code why; /* why there is none; NONE if nothing says */
};

/* The same with a mistake. */
struct ora_mistaken {
	enum di_mistake mistake;
	struct ora_replayed said;
};

/* A question about one leaf, or about what a name means, at one stop. */
struct ora_replay {
	/* Set by the caller: as in the difference. */
	uint64_t number;   /* of the stop, which is */
	xs_addr prev, pc;  /* link-time; prev is XS_ADDR_NONE at the first */
	uint64_t n;        /* how often prev -> pc had been taken */
	const char *scope; /* function, or path of functions, that has it; NULL, "": file scope */
	const char *var;   /* name; NULL: only the way to the stop is wanted */
	const char *path;  /* of the leaf */
	uint32_t decl_line;
	unsigned nth;   /* of those of that name and line in the frame, from 0: a debugger may list
			 * a second one that xstep knows nothing of */
	bool global;    /* at file scope */
	unsigned frame; /* number of its frame */
	unsigned rank;  /* how many frames, from the outermost up to it, are of its function */
	bool gdb, lldb; /* whose mistakes are made */
	bool lookup;    /* not the leaf is asked for, but whether the name means this variable */
	bool frames;    /* not a variable is asked for, but the backtrace: the functions that have
			 * debug information, inlined ones too, `f < g < main` */

	/* Found. */
	struct ora_route route;           /* the way to the stop; all 0 if it is not known */
	bool there;                       /* the stop was come to, and the frame is there */
	struct ora_replayed own;          /* without a mistake: what the trace must say */
	XS_VEC(struct ora_mistaken) made; /* mistakes that come to something else, in order */
	char *explained; /* where the location is described and how it reads, or NULL:
			  * `.debug_loclists+0x1a: 91 a8 7f: DW_OP_fbreg -88` */

	/* If the variable is in a call-clobbered register of a caller's frame: */
	bool leftover;           /* it is, and the next two hold */
	unsigned leftover_reg;   /* its DWARF number */
	bool leftover_known;     /* the call of that frame was seen, and the next two hold */
	bool leftover_written;   /* the register holds something else now than at the call */
	uint64_t leftover_value; /* what it held at the call */
	uint64_t leftover_now;   /* what it holds at the stop */
	xs_addr leftover_call;   /* the call, at link time; 0: not in the program */
	xs_addr leftover_sp;     /* the stack pointer there */
};

struct ora_rerun {
	/* Set by the caller. */
	struct ora_run *run;        /* as in the trace */
	const char *from;           /* likewise */
	const char *const *modules; /* likewise: shared objects that were looked into */
	size_t module_count;
	uint64_t max_leaves;     /* of a variable, as in the trace; 0: the default */
	struct ora_replay *list; /* in any order */
	size_t count;
};

/* Fills the list. That a stop is never come to is no error: its `there` is false. */
XS_MUST_CHECK struct xs_error *ora_rerun(struct ora_rerun *rerun);
/* Frees what was found. */
void ora_replay_deinit(struct ora_replay *replay);

/* Whether what was replayed is what a debugger says: the same value, or none by either of the
 * words for that (optimized-out, error), or neither lists it. */
bool ora_replayed_is(const struct ora_replayed *replayed, enum ora_state state, const char *value);

#endif
