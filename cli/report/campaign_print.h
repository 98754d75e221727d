/* campaign_print.h - how a campaign looks: how far it is, and what it found. */
#ifndef CLI_CAMPAIGN_PRINT_H
#define CLI_CAMPAIGN_PRINT_H

#include <stdio.h>

#include "oracle/campaign/campaign.h"
#include "oracle/judge/known.h"

/* All figures; as text they fit a screen of 24 lines and 80 columns. */
XS_MUST_CHECK struct xs_error *cli_campaign_status(
	FILE *out, struct ora_campaign_store *store, const char *folder, bool json);

/* Which signatures are told, and how. */
struct cli_campaign_wishes {
	struct ora_campaign_store *older; /* only those that this one has not, and then those that
	                                     only this one has; NULL: all */
	const struct ora_known *known;    /* bugs that are reported already */
	bool no_known;                    /* without those */
	bool by_signature;                /* as text, an entry is a signature and not a bug */
	bool json;                        /* one object */
	size_t most;                      /* as text, so many of them; 0: all */
};

/* The signatures or bugs, the most certain first. *count: how many there are; out may be NULL if
 * that is all that is wanted. */
XS_MUST_CHECK struct xs_error *cli_campaign_findings(FILE *out, struct ora_campaign_store *store,
	const struct cli_campaign_wishes *wishes, size_t *count);
/* All that there is about one signature. */
XS_MUST_CHECK struct xs_error *cli_campaign_show(FILE *out, struct ora_campaign_store *store,
	const char *signature, const struct cli_campaign_wishes *wishes);
/* Whether every job of an oracle failed, or no program was fit: an error that says so. */
XS_MUST_CHECK struct xs_error *cli_campaign_vain(
	struct ora_campaign_store *store, const char *folder);

#endif
