/* testimony.h - has a debugger run a program and tell what it says at each stop.
 *
 * A driver (oracle/witness/) runs inside the debugger's Python and writes JSON lines, which are
 * passed on one by one: nothing is kept, so that memory stays flat however long the trace is. What
 * lines there are is told in oracle/witness/drivers/walk.py.
 *
 * Rules:
 * 1. Whatever happens to the debugger is a result: `trouble` says it in a sentence. An error is
 *    what keeps xstep from doing its own part.
 * 2. No process is left behind (helper.h).
 * 3. The program's output goes through xstep to where ora_run says, and never into the lines. */
#ifndef ORA_TESTIMONY_H
#define ORA_TESTIMONY_H

#include <jansson.h>

#include "oracle/witness/own/run.h"
#include "oracle/witness/witness.h"

struct ora_testimony {
	/* Set by the caller. */
	const struct ora_witness *witness; /* who; not xstep, and without a problem */
	const struct ora_run *run;         /* the program, opened; its timeout is heeded */
	const char *from;                  /* function to begin at; NULL: main */
	const char *level;                 /* instruction, line or break */
	const char *sample;                /* none, all, unique or dtd */
	uint64_t seed;                     /* of dtd */
	uint64_t limit;                    /* stops at most, 0: no limit */
	const char *vars;                  /* none, locals or all */
	bool frames, regs;                 /* what else to tell */
	uint64_t max_leaves;               /* of a variable; 0: the default */
	json_t *plan; /* from ora_plan_make(), stays the caller's; NULL: step */
	bool shared;  /* it looks at xstep's process, see shared.h; it runs none */
	bool again;   /* a second run: AT_RANDOM has other bytes */
	const char
		*ask; /* for which texts: needed, all or text, see oracle/witness/drivers/job.py */
	double patience; /* seconds without a sign of life; 0: the default */
	/* Called with each line, which is an object; false ends the testimony. */
	bool (*on_line)(void *context, const char *kind, json_t *line);
	void *context; /* passed to it */

	/* Results. */
	char *trouble;      /* what became of the debugger, NULL if it ended well */
	uint64_t lines;     /* how many there were */
	int interrupted_by; /* the signal that ended it, SIGALRM being the timeout; 0: none */
};

XS_MUST_CHECK struct xs_error *ora_testify(struct ora_testimony *testimony);
void ora_testimony_deinit(struct ora_testimony *testimony);

/* The folder of the drivers: beside the installed program, or in the source tree. To be freed. */
XS_MUST_CHECK struct xs_error *ora_testimony_drivers(char **ret);

#endif
