/* framing.h - `xstep check frames` without its command line: runs the program under the shadow
 * stack (oracle/truth/frames_run.h). */
#ifndef ORA_FRAMING_H
#define ORA_FRAMING_H

#include "oracle/session/checking.h"

struct ora_framing {
	/* Set by the caller. */
	struct ora_checking *checking; /* its hearing says who is asked, of which program */
	char *const *argv;             /* the program and its arguments */
	int sample, mode;              /* see question.h; the mode is not UNIQUE */
	uint64_t limit, seed;          /* of the trace */

	/* Results. */
	uint64_t executed; /* instructions of the program's own code */
	uint64_t looked;   /* stops at which something was asked */
};

/* Asks, and notes in the check what is wrong. */
XS_MUST_CHECK struct xs_error *ora_framing_run(struct ora_framing *framing);

#endif
