/* replayed.h - what xstep says of one leaf at a stop, with a mistake made on purpose (mistake.h).
 *
 * With DI_MISTAKE_NONE it is what xstep says anyway. Nothing is kept from one call to the next. */
#ifndef DI_REPLAYED_H
#define DI_REPLAYED_H

#include "dwarf/leaf.h"
#include "dwarf/mistake.h"
#include "dwarf/target.h"
#include "dwarf/view.h"

struct di_replay {
	/* Set by the caller. */
	enum di_mistake mistake;
	const char *scope;   /* function, or path of functions; NULL, "": at file scope */
	const char *name;    /* of the variable */
	const char *path;    /* of the leaf */
	uint32_t line;       /* of the declaration; 0: any */
	unsigned nth;        /* of those of that name and line in the frame, from 0 */
	bool global;         /* at file scope */
	unsigned frame;      /* number of the frame that it is seen from */
	unsigned rank;       /* how many frames, from the outermost up to it, are of its function;
			      * 0: unknown */
	uint64_t max_leaves; /* 0: DI_LEAF_MAX */
	/* Told every operator of its location, and where entry values come from; or NULL. */
	di_expr_trace *trace;
	void (*note)(void *arg, const char *text);
	void *trace_arg; /* first argument of both */

	/* Found. */
	bool there;  /* the frame is */
	bool listed; /* the variable is, and all that follows holds */
	bool shadowed;
	bool told; /* the leaf is, by itself or by what is around it, and what follows holds */
	enum di_leaf_state state;
	char *text;           /* of a value; owned */
	enum di_why_code why; /* why it is none; NONE if nothing says */
	/* If that is a caller's register that was not saved: */
	bool leftover;
	unsigned reg;   /* which, by its DWARF number */
	uint64_t now;   /* what it holds in the machine */
	xs_addr behind; /* what the frame's call returns to: link-time, in */
	const struct di_module *module;
	xs_addr sp;   /* the stack pointer at the call */
	char *quoted; /* where the location is described, its bytes and operators; owned,
			    * NULL: there is none */
};

/* Whether a mistake finds other frames: all others look at those that there are. */
bool di_replay_moves(enum di_mistake mistake);
/* Whether it matters for the functions of a backtrace. */
bool di_replay_frames_differ(enum di_mistake mistake);
/* The frames of a machine state, as a mistake has them; to be deinitialised. */
XS_MUST_CHECK struct xs_error *di_replay_open(
	struct di_view *view, const struct di_target *target, enum di_mistake mistake);
/* Whether two views of one machine state have the same frames. */
bool di_replay_is_same(const struct di_view *a, const struct di_view *b);
/* In a view that was opened with the same mistake, or, if that finds the same frames, without. */
XS_MUST_CHECK struct xs_error *di_replay(struct di_replay *replay, struct di_view *view);
/* The functions of the backtrace that have debug information, the innermost first, inlined ones
 * too: `f < g < main`, to be freed. */
XS_MUST_CHECK struct xs_error *di_replay_frames(
	const struct di_target *target, enum di_mistake mistake, char **ret);
void di_replay_deinit(struct di_replay *replay);

#endif
