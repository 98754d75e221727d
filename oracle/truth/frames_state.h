/* frames_state.h - a run under the shadow stack as its parts see it: frames_run.h runs the program,
 * frames_tell.h says what is wrong with frames, entries.h asks of call sites and entry values. */
#ifndef ORA_FRAMES_STATE_H
#define ORA_FRAMES_STATE_H

#include "dwarf/second.h"
#include "oracle/check/check.h"
#include "oracle/truth/codes.h"
#include "oracle/truth/frames.h"
#include "oracle/witness/own/record.h"
#include "oracle/witness/own/tell.h"

/* What the traces of `check` are: as in oracle/session/checking.h, which is further up. */
enum { ORA_FRAMES_TRUTH, ORA_FRAMES_XSTEP, ORA_FRAMES_OTHERS };

struct ora_entries;
struct ora_broken;
struct ora_frames_kept;

struct ora_frames_run {
	/* Set by the caller. */
	struct ora_recording recording; /* program, start, mode, sample, limit */
	struct ora_check *check;        /* what is found */
	/* Called every now and then: how many stops have been executed. NULL: nobody asks. */
	void (*on_progress)(void *context, uint64_t executed);
	void *context; /* passed to it */

	/* Results. */
	uint64_t looked; /* stops at which something was asked */

	/* Its own. */
	struct di_module *module; /* the program's */
	uint64_t bias;            /* of that: process address - link-time address */
	xs_addr called_at;        /* link time: the indirect call that was executed last; */
	xs_addr called;           /* where it led, in the process; XS_ADDR_NONE: unknown */
	struct ora_codes codes;
	struct ora_shadow shadow;
	struct ora_teller teller; /* of places */
	struct di_stack stack;    /* of the stop */
	struct ora_frames frames; /* what came of it */
	struct di_second *second; /* libunwind */
	struct di_opinion opinion;
	struct ora_broken *broken;    /* stretches of wrong rows: frames_tell.c */
	struct ora_entries *entries;  /* of entry values: entries.h */
	struct ora_frames_kept *kept; /* for debuggers: frames_others.h */
	struct xs_error *err;         /* why it was ended */
};

/* The stop as violations have it; lives until the next call. */
struct ora_told ora_frames_told(struct ora_frames_run *run, const struct ora_stop *stop);
/* `0x1139, push %rbx, f.S:12`; to be freed. */
char *ora_frames_instruction(struct ora_frames_run *run, xs_addr pc);

#endif
