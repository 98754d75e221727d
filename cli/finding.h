/* finding.h - how findings look: text for people, JSON for programs. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include "oracle/verdict.h"

struct cli_findings {
	FILE *out;
	struct ora_store *store;
	const char *path;       /* of the store; NULL: it will be gone */
	const struct ora_trace_info *traces[ORA_COMPARE_MAX];
	size_t count;           /* of traces */
	bool only_new, presentation, all; /* what to list */
	const struct ora_verdicts *verdicts;

	uint64_t shown; /* its own: findings that were listed */
};

XS_MUST_CHECK struct xs_error *cli_findings_text(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_json(struct cli_findings *print);

#endif
