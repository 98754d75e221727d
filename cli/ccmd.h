/* ccmd.h - what the parts of xstep ccmd share: the question, the cases that it comes to, their
 * results.
 *
 * A unit is a source or one of its mutants; a case is a unit, a compiler and a level, built without
 * debug information and with each of the -g options. Cases run in processes of their own and answer
 * with one JSON object each (cmd_ccmd.c's help lists its keys), which is also what is kept between
 * runs. */
#ifndef CLI_CCMD_H
#define CLI_CCMD_H

#include <jansson.h>

#include "cli/compile.h"
#include "cli/report/finding.h"
#include "cli/progress.h"
#include "source/mutate.h"

struct cli_ccmd_words {
	XS_VEC(char *) vec; /* owned */
};

struct cli_ccmd_unit {
	const char *source;   /* as the user named it */
	uint64_t mutant;      /* its seed, from 1 on; 0: the source itself */
	char *path;           /* of what is compiled */
	bool pending, making; /* the mutant is still to be made; is being made */
};

struct cli_ccmd_case {
	size_t unit;
	const struct cli_compiler *compiler;
	const char *level;
	char id[33];
	json_t *result;     /* NULL: not run yet */
	bool started, kept; /* being run or run; from an earlier run */
};

struct cli_ccmd {
	/* What was asked. */
	XS_VEC(struct cli_compiler) compilers;
	struct cli_ccmd_words levels, gs, extra;
	struct xs_strings sources;
	uint64_t jobs, mutants;
	struct src_mutate how; /* they are made; its seed is that of the first */
	double timeout;
	bool no_compare_debug, quiet;
	const char *output; /* folder for state and failing cases; NULL: nothing is kept */

	/* What it comes to. */
	XS_VEC(struct cli_ccmd_unit) units;
	XS_VEC(struct cli_ccmd_case) cases;
	char *scratch; /* a temporary folder */
	int signal;    /* that ended it early; 0: none */
};

/* Splits text at any of the separators. */
void cli_ccmd_split(struct cli_ccmd_words *words, const char *text, const char *separators);

/* One case, in its own process, with `folder` to work in. The result is never NULL. */
json_t *cli_ccmd_check(
	const struct cli_ccmd *ccmd, const struct cli_ccmd_case *one, const char *folder);
/* All cases that have no result yet, several at a time. */
XS_MUST_CHECK struct xs_error *cli_ccmd_run(struct cli_ccmd *ccmd);
/* Removes a folder and what is in it. */
void cli_ccmd_remove(const char *folder);

/* How it is told. */
struct cli_ccmd_print {
	FILE *out;
	const struct cli_ccmd *ccmd;
	const struct cli_finding_wishes *wishes;

	/* Its own. */
	uint64_t shown; /* findings that were listed */
	bool trouble;   /* cases that could not be checked */
};
XS_MUST_CHECK struct xs_error *cli_ccmd_print(struct cli_ccmd_print *print);

#endif
