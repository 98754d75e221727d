/* campaign_watch.h - a campaign, while it runs: a few lines on the terminal that say how far it is,
 * what each worker does, and when it will be done; and for programs a line of JSON for each thing
 * that happens.
 *
 * Rules:
 * 1. Nothing is drawn unless standard error is a terminal.
 * 2. What is drawn fits the terminal, whatever its size, and is wiped out in the end. Signatures
 *    that are new are lines that stay. */
#ifndef CLI_CAMPAIGN_WATCH_H
#define CLI_CAMPAIGN_WATCH_H

#include "oracle/campaign/campaign.h"
#include "oracle/judge/known.h"

struct cli_watch {
	bool on;                       /* standard error is a terminal, and nobody minds */
	bool json;                     /* lines of JSON on standard output */
	double began;                  /* when it was made */
	double last;                   /* when it was last drawn */
	size_t lines;                  /* that are drawn now */
	const struct ora_known *known; /* bugs that are reported already; NULL: as oracles say */
};

void cli_watch_init(struct cli_watch *watch, bool quiet, bool json, const struct ora_known *known);
/* Tells what has just happened. */
void cli_watch_event(struct cli_watch *watch, const struct ora_campaign_event *event);
/* Wipes out what is drawn. */
void cli_watch_end(struct cli_watch *watch);

#endif
