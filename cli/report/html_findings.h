/* html_findings.h - findings as a page to look at (docs/page.md). cli_findings_html() of finding.h
 * writes that of all that are listed. */
#ifndef CLI_HTML_FINDINGS_H
#define CLI_HTML_FINDINGS_H

#include "cli/report/finding.h"

/* The page of one finding, which stands for a cluster: with the report that is sent, and the line
 * for `git bisect`; NULL: there is none. */
XS_MUST_CHECK struct xs_error *cli_finding_html(FILE *out, struct cli_findings *print,
	const struct ora_finding *finding, const char *report, const char *bisect);

#endif
