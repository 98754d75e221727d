/* campaign_print.h - how a campaign looks: how far it is, and what it found. */
#ifndef CLI_CAMPAIGN_PRINT_H
#define CLI_CAMPAIGN_PRINT_H

#include <stdio.h>

#include "oracle/campaign/campaign.h"

/* All figures; as text they fit a screen of 24 lines and 80 columns. */
XS_MUST_CHECK struct xs_error *cli_campaign_status(
	FILE *out, struct ora_campaign_store *store, const char *folder, bool json);
/* The signatures, the most certain first; with `old`, only those that the other campaign has not,
 * and then those that only that one has. most: as text, so many of them; 0: all. *count: how many
 * there are; out may be NULL if that is all that is wanted. */
XS_MUST_CHECK struct xs_error *cli_campaign_findings(FILE *out, struct ora_campaign_store *store,
	struct ora_campaign_store *old, bool json, size_t most, size_t *count);
/* All that is known of one signature. */
XS_MUST_CHECK struct xs_error *cli_campaign_show(
	FILE *out, struct ora_campaign_store *store, const char *signature, bool json);
/* Whether every job of an oracle failed, or no program was fit: an error that says so. */
XS_MUST_CHECK struct xs_error *cli_campaign_vain(
	struct ora_campaign_store *store, const char *folder);

#endif
