/* proving.h - looks once more before anybody is named.
 *
 * Rules:
 * 1. xstep runs the very program again, to the stops that were judged. It says once more what it
 *    reads there, and then what it would read with each of the known mistakes of debuggers
 *    (oracle/witness/own/replay.h). Whatever can be told by that is told to the judge, who judges
 *    again.
 * 2. Then each debugger is asked in a plain session of its own about the finding that stands for a
 *    cluster (reproduce.h), and the judge concludes. Of a cluster that is the one that is come to
 *    with the fewest arrivals.
 * 3. That something cannot be looked at again is no error: `silence` says why, and nothing is
 *    proven then. */
#ifndef ORA_PROVING_H
#define ORA_PROVING_H

#include "oracle/session/comparing.h"
#include "oracle/session/reproduce.h"
#include "oracle/session/witnesses.h"

struct ora_proving {
	/* Set by the caller. */
	struct ora_comparing *comparing; /* compared and judged */
	struct ora_program *program;     /* surroundings of the program */
	char *const *argv;               /* it and its arguments; NULL: as the trace has them */
	bool no_reproduce;               /* debuggers are not asked again */
	bool ways;                       /* the ways to what is contested are wanted, too */

	/* Found. */
	struct ora_run run;       /* the program; valid if routes are there */
	struct ora_route *routes; /* by finding: the way to its stop, zeroed if unknown; NULL: it
				   * was not run */
	char *silence;            /* why it was not looked at again; NULL: it was */
	double seconds[2];        /* that looking again took, and asking again */
	int signal;               /* that interrupted it; 0: none */

	/* Its own. */
	char **words;                   /* of a stored trace's program */
	struct ora_witnesses witnesses; /* by trace: who was asked; those of xstep are empty */
	XS_VEC(struct ora_reproducing *) sessions; /* by trace; NULL: none */
};

XS_MUST_CHECK struct xs_error *ora_prove(struct ora_proving *proving);
/* How a debugger was asked about a finding, NULL if it was not. */
const struct ora_reproduction *ora_proving_asked(
	const struct ora_proving *proving, size_t finding, size_t w);
/* The debugger of a trace; NULL if it is not known. */
const struct ora_witness *ora_proving_debugger(const struct ora_proving *proving, size_t w);
void ora_proving_deinit(struct ora_proving *proving);

#endif
