/* finding.h - how findings look: text for people, JSON for programs, SARIF and JUnit for continuous
 * integration. */
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

/* Whether a finding is to be told, by what was asked for. */
static inline bool cli_finding_is_listed(
	const struct cli_findings *print, const struct ora_finding *finding)
{
	return (print->presentation || finding->difference->aspect != ORA_ASPECT_PRESENTATION) &&
	       !(print->only_new && finding->known);
}

XS_MUST_CHECK struct xs_error *cli_findings_text(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_json(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_sarif(struct cli_findings *print);
XS_MUST_CHECK struct xs_error *cli_findings_junit(struct cli_findings *print);

#endif
