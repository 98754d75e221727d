/* campaign_compare.h - what an older campaign found and a newer one, build by build.
 *
 * Rules:
 * 1. Builds are the same by the compiler's name and the level. What such a name stood for is said
 *    where it was another version.
 * 2. Where a campaign has not asked an oracle about a build, its count is not 0, but unknown.
 * 3. Counts depend on how many programs there are: both numbers are said. */
#ifndef CLI_CAMPAIGN_COMPARE_H
#define CLI_CAMPAIGN_COMPARE_H

#include <jansson.h>

#include "oracle/store/campaign_store.h"

/* All that differs between two campaigns. Zero-initialised is empty. */
struct cli_comparison {
	json_t *versions; /* [{tool, before, now}], those that differ; null: not there */
	json_t *programs; /* {before, now}: how many were kept */
	json_t *changes;  /* [{change, id, signature, oracle, compiler, level, before, now}], those
	                     that differ; null: nobody asked; change: came, gone, more, fewer,
	                     unasked in one of them */
};

/* omit: ids of signatures that are left out; NULL: none. */
XS_MUST_CHECK struct xs_error *cli_compare(struct ora_campaign_store *older,
	struct ora_campaign_store *newer, const json_t *omit, struct cli_comparison *ret);
void cli_comparison_deinit(struct cli_comparison *comparison);
/* As a table to read. */
void cli_comparison_print(FILE *out, const struct cli_comparison *comparison);

#endif
