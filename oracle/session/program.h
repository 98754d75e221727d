/* program.h - a program and its surroundings as a user names them, and made ready to be run. */
#ifndef ORA_PROGRAM_H
#define ORA_PROGRAM_H

#include "base/vec.h"
#include "oracle/witness/own/run.h"

/* Zero-initialised but for what is given. */
struct ora_program {
	const char *in, *out;          /* files that it reads and writes; NULL: standard input, and
					* standard error */
	const char *debug_file;        /* its separate debug file; NULL: found if need be */
	const char *debug_root;        /* where such files are looked for; NULL: DI_DEBUG_ROOT */
	struct xs_strings environment; /* NAME=VALUE: what is added to the fixed one */
	const char *name;              /* argv[0] instead of its path; or NULL */
	unsigned moved;                /* a run at other addresses: see run.h */
	bool again;                    /* a second one, likewise */
	unsigned rounding;             /* one that rounds otherwise, likewise */
	double timeout;                /* seconds; 0: no limit */
	bool steady;                   /* it gets the same answers in every run */
	bool unsteady;                 /* it does not, where that is the default */
	struct ora_seen seen;          /* the only file that may be run; zero: whatever is there */

	/* What ora_program_prepare() holds for the run. */
	char *path, *called;
	char **argv, **variables;
	int in_fd, out_fd; /* plus 1, so that 0 is none */
};

/* Fills *run for the program argv[0] and its arguments, opens it and the files that it reads and
 * writes. The run's argv[0] is the absolute path. */
XS_MUST_CHECK struct xs_error *ora_program_prepare(
	struct ora_program *program, char *const *argv, struct ora_run *run);
/* The program as it was given, for one more run: nothing is prepared. What it was given stays the
 * other's. */
struct ora_program ora_program_another(const struct ora_program *program);
/* The same for a run that is heard by nobody; it reads its file from the beginning, or nothing. */
struct ora_program ora_program_unheard(const struct ora_program *program);
/* Lets go of what was prepared, so that it can be prepared again. */
void ora_program_release(struct ora_program *program);
void ora_program_deinit(struct ora_program *program);

#endif
