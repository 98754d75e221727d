/* probing.h - `xstep check probes` without its command line: runs the program to its probes
 * (oracle/truth/probes.h), and has debuggers look there, too. */
#ifndef ORA_PROBING_H
#define ORA_PROBING_H

#include "oracle/session/checking.h"

struct ora_probing {
	/* Set by the caller. */
	struct ora_checking *checking; /* its hearing says who is asked, of which program */
	char *const *argv;             /* the program and its arguments */
	uint64_t every, budget, seed;  /* which arrivals are looked at: see probe_run.h */

	/* Results. */
	uint64_t places;   /* where there are probes */
	uint64_t reached;  /* of these: arrived at */
	uint64_t arrivals; /* at them */
	uint64_t looked;   /* of these: looked at */
};

/* Asks, and notes in the check what is wrong. */
XS_MUST_CHECK struct xs_error *ora_probing_run(struct ora_probing *probing);

#endif
