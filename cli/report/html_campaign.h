/* html_campaign.h - campaigns as a page to look at (docs/page.md): a heat map of signatures by
 * build, what is new, known and gone, and how it went from campaign to campaign. */
#ifndef CLI_HTML_CAMPAIGN_H
#define CLI_HTML_CAMPAIGN_H

#include <jansson.h>
#include <stdio.h>

#include "cli/report/campaign_compare.h"

/* campaigns: what `campaign export --format json` has of each, the oldest first, the one that it is
 * about last; without their programs. comparison: of the last two; NULL: there is only one. */
void cli_html_campaign(FILE *out, const json_t *campaigns, const struct cli_comparison *comparison);

#endif
