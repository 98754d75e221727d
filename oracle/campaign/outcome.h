/* outcome.h - what an oracle reported, as a campaign keeps it: its findings and figures, out of the
 * JSON that `xstep diff`, `xstep check` and `xstep ccmd` print.
 *
 * Rules:
 * 1. What is listed in a report is a finding: these commands leave out what nobody is wrong in, and
 *    what was not reproduced.
 * 2. A report that cannot be read is an outcome (`unreadable`), not an error.
 * 3. A job is passed from the process that did it to the one that keeps it as JSON, too. */
#ifndef ORA_OUTCOME_H
#define ORA_OUTCOME_H

#include <jansson.h>

#include "oracle/campaign/box.h"
#include "oracle/store/campaign_store.h"

/* Fills in outcome, detail, seconds, findings and figures of a job, by how its oracle ended and
 * what it printed. */
void ora_outcome_read(struct ora_campaign_job *job, const struct ora_boxed *boxed);
/* The words of an outcome that is no more than how a command ended: crashed, hung, ... NULL if it
 * exited by itself. */
const char *ora_outcome_of_end(enum ora_box_end end);

/* A job, or a program with its builds and jobs, as JSON and back. False: it makes no sense. */
json_t *ora_outcome_pack_job(const struct ora_campaign_job *job);
bool ora_outcome_unpack_job(const json_t *packed, struct ora_campaign_job *job);
json_t *ora_outcome_pack_program(const struct ora_campaign_program *program);
bool ora_outcome_unpack_program(const json_t *packed, struct ora_campaign_program *program);

#endif
