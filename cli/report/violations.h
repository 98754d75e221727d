/* violations.h - how violations of a check are told: as findings, and as bundles whose script has
 * xstep check once more. */
#ifndef CLI_VIOLATIONS_H
#define CLI_VIOLATIONS_H

#include "cli/report/bundle.h"
#include "cli/report/finding.h"
#include "oracle/session/checking.h"

/* How to check once more, for a bundle: the words for xstep, and the files that they name. */
struct cli_again {
	char **argv;            /* of the program whose DWARF is the evidence; NULL: it is stored */
	char *other;            /* the program that it is compared with; NULL: none */
	const char *other_kept; /* that one's name in the folder */
	bool same_code;         /* that one has the same machine code */
	XS_VEC(char *) words;   /* owned */
	XS_VEC(struct cli_bundle_file) files; /* their names are owned */
};

/* Adds a word (NULL: nothing); or a file, which will be in `folder` (NULL: beside the report). */
void cli_again_word(struct cli_again *again, const char *word);
void cli_again_file(struct cli_again *again, const char *path, const char *folder);
/* Adds the program that the other one is compared with; it gets the same arguments. */
void cli_again_other(struct cli_again *again, char *path, const char *folder);
/* Ends with the program, argv[0], and its arguments. */
void cli_again_subject(struct cli_again *again, char **argv);
/* The same for a program and another file with its machine code, which stands behind it; it can be
 * run, unless it is a debug file. */
void cli_again_twin(struct cli_again *again, char *other, bool runs, char **argv);
void cli_again_deinit(struct cli_again *again);

struct cli_violations {
	FILE *out;                               /* where they go */
	const char *command;                     /* `check opt`, ... */
	const char *headline;                    /* what was looked at, a sentence */
	const struct cli_finding_wishes *wishes; /* what to list, and how */
	const char *report;                      /* folder for bundles; NULL: none */
	const char *build;                       /* how the program was built; NULL: unknown */
	struct ora_program *program;             /* its surroundings */
	const char *gdb, *lldb;                  /* paths; NULL: those on PATH */
	struct cli_again *again;                 /* for bundles */

	bool found; /* its own: there was something to tell */
};

/* Judges what was checked and prints it, and writes the bundles. */
XS_MUST_CHECK struct xs_error *cli_violations_print(
	struct cli_violations *print, struct ora_checking *checking);

#endif
