/* reproduce.h - asks a plain debugger again what its witness is said to have said.
 *
 * A difference is found by drivers: Python in the debugger, one process that several look at, our
 * own reading of its values. Any of these may be wrong. So nobody is accused before the debugger
 * has said it again to a person's own commands (by_hand.h).
 *
 * Rules:
 * 1. All questions to one debugger go through one session of it: without init files, without
 *    Python, in a folder of its own. The program begins anew for each stop; questions at one stop
 *    share a run.
 * 2. An answer counts only at the right stop: pc is asked first.
 * 3. What is compared is the canonical state and value (reply.h), not words.
 * 4. The program reads `in` and what it writes is thrown away.
 * 5. A debugger that says nothing for `patience` seconds is ended. What it was asked then is lost;
 *    the rest is asked of a new one. A crash likewise, and it is noted.
 * 6. An interruption ends it within a second; what was not asked yet stays NOT_ASKED. */
#ifndef ORA_REPRODUCE_H
#define ORA_REPRODUCE_H

#include "oracle/session/by_hand.h"

enum ora_again {
	ORA_AGAIN_NOT_ASKED, /* there is no way to the stop, or nothing to ask, or it cannot be said
			      * (by_hand.h, rule 4); or it was interrupted */
	ORA_AGAIN_SAME,      /* it said the same: reproduced */
	ORA_AGAIN_OTHER,     /* it said something else */
	ORA_AGAIN_LOST,      /* it never came there, or hung */
	ORA_AGAIN_CRASHED,   /* the debugger died, or reported an internal error */
};
/* `reproduced`, `not reproduced`, ..., for people and JSON. */
const char *ora_again_text(enum ora_again again);

/* One thing to ask of one debugger. */
struct ora_reproduction {
	/* Set by the caller. */
	const struct ora_difference *difference;
	size_t w;                      /* whose words: difference->said[w] */
	const struct ora_route *route; /* the way to its stop; a zeroed one is not known */
	bool by_name;                  /* by the debugger's other voice: ora_witness_is_by_name */

	/* Found. */
	enum ora_again again;
	bool unsayable; /* there is no command that asks it */
	char *words;    /* what it said this time, the lines that matter, to be freed; or NULL */
	struct ora_by_hand_question question; /* as it was asked at last: how to ask it by hand. Its
					       * texts are the difference's */
	bool cleared; /* it says so only with the dead stack cleared, as xstep does: the value comes
		       * from memory that nobody wrote */
};

/* Zero-initialised but for what is given. */
struct ora_reproducing {
	/* Set by the caller. */
	struct ora_run *run;                /* the program and its surroundings; it is opened */
	const struct ora_witness *debugger; /* who is asked: gdb or lldb */
	const char *in;                     /* what the program reads; NULL: nothing */
	double patience;                    /* seconds of silence; 0: 30 */
	XS_VEC(struct ora_reproduction) asked;

	/* Found. */
	double seconds;     /* it took */
	size_t runs;        /* of the program */
	int interrupted_by; /* signal; 0: none */
	char *trouble;      /* what became of the debugger, a sentence; NULL: nothing */
};

/* Asks everything. Whatever becomes of the debugger is a result; an error is what keeps xstep from
 * asking. */
XS_MUST_CHECK struct xs_error *ora_reproduce(struct ora_reproducing *reproducing);
void ora_reproducing_deinit(struct ora_reproducing *reproducing);

#endif
