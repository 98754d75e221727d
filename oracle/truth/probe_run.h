/* probe_run.h - a program at full speed, but for stops at its probes.
 *
 * A probe is a nop of one byte. A trap takes its place: when it was hit there is nothing to step
 * over, so that an arrival costs one stop. What is asked at an arrival sees a machine state whose
 * pc is the nop's.
 *
 * Rules:
 * 1. The first arrival at each pc is looked at. Of the later ones it is one in C, if C were before,
 *    by the hash of engine/sample.h; or each n-th, if `every` says so.
 * 2. After `budget` arrivals the trap is taken out: the program runs on at full speed. When all
 *    probes together have been arrived at TOTAL times, one arrival must do for those that are new.
 * 3. While a second thread lives, and from then on, there are no traps (engine/traps.h). What is
 *    arrived at then is not seen, nor counted: `blind` says that there was such a time. */
#ifndef ORA_PROBE_RUN_H
#define ORA_PROBE_RUN_H

#include "dwarf/probe.h"
#include "oracle/witness/own/machine.h"
#include "oracle/witness/own/run.h"

#define ORA_PROBE_BUDGET 100   /* arrivals at a probe, unless told otherwise */
#define ORA_PROBE_TOTAL  10000 /* of all together: rule 2 */

/* Where one or several probes are. */
struct ora_probe_place {
	xs_addr pc;          /* link-time */
	size_t first, count; /* of di_probes.list */
	uint64_t arrivals;   /* seen so far */
	uint64_t looked;     /* and looked at */
	bool skipped;        /* not trapped at all: `why` */
	const char *why;     /* a literal that reads behind a number */
	bool spent;          /* its trap was taken out */
};

struct ora_probe_run {
	/* Set by the caller. */
	struct ora_run *run;            /* opened */
	const char *from;               /* where to begin (own/start.h); NULL: main */
	const struct di_probes *probes; /* of the program */
	uint64_t every, budget, seed;   /* rules 1 and 2; 0: not given */
	/* An arrival. */
	struct xs_error *(*on_arrival)(
		void *context, const struct ora_probe_place *place, struct ora_machine *machine);
	void *context; /* passed to it */

	/* Found. */
	XS_VEC(struct ora_probe_place) places; /* by pc */
	bool blind;                            /* rule 3 */
	int interrupted_by;                    /* the signal that ended it; SIGALRM: the timeout */
};

/* Finds the places of the probes; ora_probe_run() does it, too. */
void ora_probe_run_group(struct ora_probe_run *run);
/* Runs the program to its end. */
XS_MUST_CHECK struct xs_error *ora_probe_run(struct ora_probe_run *run);
void ora_probe_run_deinit(struct ora_probe_run *run);

#endif
