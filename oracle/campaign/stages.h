/* stages.h - what a campaign does after the finding: for each signature that names somebody, the
 * smallest case is reduced, and the culprit is looked for.
 *
 * Rules:
 * 1. A stage is this very xstep, run as a command with limits: `xstep reduce`, `xstep culprit`.
 *    What it came to is kept at once. Whatever kills it, the next run does it again, and a
 *    reduction goes on with the best so far.
 * 2. Signatures are looked into one after the other, the most certain first: those that nobody has
 *    looked into, and then those that were not finished.
 * 3. What is done or failed is not done again. A reduction that ran out of time goes on in the next
 *    run; a culprit that did is looked for again when there is more time.
 * 4. A reduced source that is there is taken, whoever had it made.
 * 5. The culprit is looked for in the reduced source, where there is one. */
#ifndef ORA_STAGES_H
#define ORA_STAGES_H

#include "oracle/campaign/campaign.h"

/* Does the stages that the campaign's settings ask for, as far as they are not done, of so many
 * signatures at most; 0: of all. A signal ends it, which is said in campaign->signal. */
XS_MUST_CHECK struct xs_error *ora_stages_run(struct ora_campaign *campaign, uint64_t most);

/* A text as it is compared: blanks are there only where words meet. To be freed. */
char *ora_stages_bare(const char *text);
/* Fills in what a report of `xstep culprit` comes to: outcome, culprit or the reason why there is
 * none, and vector. */
void ora_stages_read_culprit(const char *report, struct ora_campaign_cause *ret);

#endif
