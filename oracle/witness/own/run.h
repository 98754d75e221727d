/* run.h - a program and its surroundings, and how to bring it to a place at full speed. */
#ifndef ORA_RUN_H
#define ORA_RUN_H

#include "engine/process.h"
#include "oracle/store/identity.h"
#include "oracle/witness/own/subject.h"

struct ora_run {
	/* Set by the caller. */
	const char *path;         /* of the program, absolute */
	char *const *argv;        /* its arguments, argv[0] being path */
	char *const *environment; /* all of it; NULL: ora_environment */
	int in, out, err;         /* its standard descriptors */
	unsigned moved;         /* not 0: stack, heap and shared objects are elsewhere, and what was
				   * never written holds something else: for a second run, whose
				   * facts tell what depends on that */
	bool again;             /* to be told from the first one, by its mode */
	unsigned rounding;      /* not 0: results are rounded down (1), up (2) or towards zero (3),
				 * as MXCSR has it, unless the program asks for something else */
	double timeout;         /* seconds, 0: no limit */
	bool steady;            /* it gets the same answers in every run (engine/steady_run.h) */
	const char *debug_file; /* the program's separate debug file; NULL: found if need be */
	const char *debug_root; /* where such files are looked for; NULL: DI_DEBUG_ROOT */
	struct ora_seen seen;   /* the only file that may be run; zero: whatever is there */

	/* Made by ora_run_open(). */
	struct ora_subject *subject;
	/* Made by ora_run_launch(), of a run that is moved: the memory that its stack had then. */
	xs_addr stack_lo, stack_hi;
};

/* The fixed environment that every witness gives a program unless told otherwise. */
extern char *const ora_environment[];

/* Opens the subject alone, so that a caller can prepare its output. Does nothing the second time.
 */
XS_MUST_CHECK struct xs_error *ora_run_open(struct ora_run *run);
void ora_run_deinit(struct ora_run *run);

/* Launches the program, learns where it was loaded and lets the loader do its work: it is then
 * about to execute its first own instruction. */
XS_MUST_CHECK struct xs_error *ora_run_launch(struct ora_run *run, struct eng_process **ret);
/* Of a run that is moved: the program is at the first instruction of a function that was called.
 * What is below its stack pointer belongs to nobody, and calls before have left their values there:
 * they become others, for variables that are not written would show them in each run. */
XS_MUST_CHECK struct xs_error *ora_run_forget(
	const struct ora_run *run, struct eng_process *process);
/* Runs until the program is about to execute one of the addresses (of the process). `what` names
 * the place in the error if it never gets there. */
XS_MUST_CHECK struct xs_error *ora_run_to(const struct ora_run *run, struct eng_process *process,
	const struct xs_ranges *addresses, const char *what);
/* Runs to the first instruction of a function; NULL: main, found even in a stripped program. */
XS_MUST_CHECK struct xs_error *ora_run_to_function(
	const struct ora_run *run, struct eng_process *process, const char *name);

#endif
