/* ccmd_print.h - how it is told what xstep ccmd found: text, JSON, SARIF, JUnit, Markdown, HTML. */
#ifndef CLI_CCMD_PRINT_H
#define CLI_CCMD_PRINT_H

#include "cli/report/finding.h"
#include "oracle/session/ccmd.h"

struct cli_ccmd_print {
	FILE *out;                               /* where it goes */
	const struct ora_ccmd *ccmd;             /* what was run */
	const struct cli_finding_wishes *wishes; /* what to list, and how */

	/* Its own. */
	uint64_t shown; /* findings that were listed */
	bool trouble;   /* cases that could not be checked */
};
XS_MUST_CHECK struct xs_error *cli_ccmd_print(struct cli_ccmd_print *print);

#endif
