/* ccmd.h - is the machine code the same with debug information and without? The question, the cases
 * that it comes to, their results.
 *
 * A unit is a source or one of its mutants; a case is a unit, a compiler and a level, built without
 * debug information and with each of the -g options. Cases run in processes of their own and answer
 * with one JSON object each (the help of xstep ccmd lists its keys), which is also what is kept
 * between runs.
 *
 * The caller fills the first part, runs, reads `cases`, and calls ora_ccmd_deinit(). */
#ifndef ORA_CCMD_H
#define ORA_CCMD_H

#include <jansson.h>

#include "base/vec.h"
#include "oracle/session/compile.h"
#include "source/mutate.h"

struct ora_ccmd_words {
	XS_VEC(char *) vec; /* owned */
};

struct ora_ccmd_unit {
	const char *source;   /* as the user named it */
	uint64_t mutant;      /* its seed, from 1 on; 0: the source itself */
	char *path;           /* of what is compiled */
	bool pending, making; /* the mutant is still to be made; is being made */
};

struct ora_ccmd_case {
	size_t unit;                         /* index */
	const struct ora_compiler *compiler; /* one of the question's */
	const char *level;                   /* likewise: -O2, ... */
	char id[33];                         /* the same for the same case in another run */
	json_t *result;                      /* NULL: not run yet */
	bool started, kept;                  /* being run or run; from an earlier run */
};

struct ora_ccmd {
	/* What was asked. */
	XS_VEC(struct ora_compiler) compilers;
	struct ora_ccmd_words levels, gs, extra; /* of optimisation; -g options; for all builds */
	XS_VEC(const char *) sources;            /* paths, the caller's */
	uint64_t jobs, mutants;                  /* cases at a time; mutants of each source */
	struct src_mutate how;                   /* they are made; its seed is that of the first */
	double timeout;                          /* seconds; a compiler that needs more hangs */
	bool no_compare_debug;                   /* gcc's own check is not run */
	const char *output; /* folder for state and failing cases; NULL: nothing is kept */
	/* Called now and then: so many cases are done, with so many findings. Or NULL. */
	void (*on_progress)(void *context, size_t done, size_t findings);
	void *context;

	/* What it comes to. */
	XS_VEC(struct ora_ccmd_unit) units;
	XS_VEC(struct ora_ccmd_case) cases;
	char *scratch; /* a temporary folder */
	int signal;    /* that ended it early; 0: none */
};

/* Splits text at any of the separators. */
void ora_ccmd_split(struct ora_ccmd_words *words, const char *text, const char *separators);
void ora_ccmd_words_deinit(struct ora_ccmd_words *words);

/* All cases that have no result yet, several at a time. */
XS_MUST_CHECK struct xs_error *ora_ccmd_run(struct ora_ccmd *ccmd);
void ora_ccmd_deinit(struct ora_ccmd *ccmd);

/* --- for ccmd_jobs.c only --------------------------------------------------------------------- */

/* One case, in its own process, with `folder` to work in. The result is never NULL. */
json_t *ora_ccmd_check(
	const struct ora_ccmd *ccmd, const struct ora_ccmd_case *one, const char *folder);

#endif
