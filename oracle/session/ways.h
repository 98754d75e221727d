/* ways.h - how to get to what a check found, with a debugger's own commands.
 *
 * A trace by line or by breakpoints does not count arrivals: it passes over those within a line.
 * So its stops at the place are the fewest arrivals that there can be, and the program is run once
 * more, to the first arrival from there on at which xstep reads what is said of the finding. If
 * there is none (a debugger's own word, another input), the fewest it is.
 *
 * A check that ran the program itself knows the arrival, or the number of the executed stop. */
#ifndef ORA_WAYS_H
#define ORA_WAYS_H

#include "oracle/session/checking.h"
#include "oracle/session/program.h"
#include "oracle/witness/own/route.h"

struct ora_ways {
	struct ora_checking *checking;
	const struct ora_program *program; /* its surroundings */
	char *const *argv;                 /* the program and its arguments */
	const bool *wanted;                /* by finding: it is told, and its way is wanted */
	const struct ora_run *run;         /* the same, opened */
};

/* The ways, by finding: `ret` has room for all, zeroed. A way that nobody knows stays zero. */
XS_MUST_CHECK struct xs_error *ora_ways_find(const struct ora_ways *ways, struct ora_route *ret);

#endif
