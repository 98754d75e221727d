/* discrepancies.h - how it is told what a comparison of witnesses found, and written into
 * bundles. */
#ifndef CLI_DISCREPANCIES_H
#define CLI_DISCREPANCIES_H

#include "cli/report/bundle.h"
#include "cli/report/finding.h"
#include "oracle/session/comparing.h"

struct cli_discrepancies {
	FILE *out;                               /* where they go */
	const struct cli_finding_wishes *wishes; /* what to list, and how */
	bool no_reproduce;                       /* debuggers are not asked again */
	const char *report;                      /* folder for bundles; NULL: none */
	const char *build;                       /* how the program was built; NULL: unknown */
	struct ora_program *program;             /* its surroundings */
	const char *gdb, *lldb;                  /* paths; NULL: those on PATH */
	const struct ora_lost *absent;           /* who could not be asked */

	bool hurried;               /* its own: it was interrupted before */
	bool found;                 /* likewise: there was something to tell that counts */
	struct ora_proving proving; /* likewise: what was looked at again */
};

/* Looks once more. argv: of the program that was run for it; NULL: traces were stored. */
XS_MUST_CHECK struct xs_error *cli_discrepancies_prove(
	struct cli_discrepancies *print, struct ora_comparing *comparing, char *const *argv);
/* Prints, and writes the bundles. */
XS_MUST_CHECK struct xs_error *cli_discrepancies_print(
	struct cli_discrepancies *print, struct ora_comparing *comparing);
void cli_discrepancies_deinit(struct cli_discrepancies *print);

#endif
