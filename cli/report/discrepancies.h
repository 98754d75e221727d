/* discrepancies.h - what a comparison of witnesses found: how it is told and bundled. */
#ifndef CLI_DISCREPANCIES_H
#define CLI_DISCREPANCIES_H

#include "cli/report/bundle.h"
#include "cli/report/finding.h"
#include "oracle/session/comparing.h"

struct cli_discrepancies {
	FILE *out;                               /* where they go */
	const struct cli_finding_wishes *wishes; /* what to list, and how */
	bool presentation;                       /* list what is only presentation, too */
	const char *report;                      /* folder for bundles; NULL: none */
	const char *build;                       /* how the program was built; NULL: unknown */
	struct ora_program *program;             /* its surroundings */
	const char *gdb, *lldb;                  /* paths; NULL: those on PATH */

	bool found; /* its own: there was something to tell */
};

/* Prints, and writes the bundles. argv: of the program that was run for it; NULL: traces were
 * stored, and their program is run only if bundles are asked for. */
XS_MUST_CHECK struct xs_error *cli_discrepancies_print(
	struct cli_discrepancies *print, struct ora_comparing *comparing, char **argv);

#endif
