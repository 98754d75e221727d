/* shards_print.h - how a campaign looks that is cut into shards. */
#ifndef CLI_SHARDS_PRINT_H
#define CLI_SHARDS_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "oracle/campaign/slurm.h"

/* Which shards are done, missing, waiting and running: a line or two, nothing for a campaign that
 * is not cut. */
XS_MUST_CHECK struct xs_error *cli_shards_status(FILE *out, const char *folder);
/* The same under the key `shards`. */
XS_MUST_CHECK struct xs_error *cli_shards_json(json_t *object, const char *folder);
/* What was planned, and, unless submitted is NULL, what was submitted. */
void cli_shards_planned(FILE *out, const struct ora_shards *shards,
	const struct ora_shards_state *state, double minutes,
	const struct ora_slurm_submitted *submitted, bool json);
/* What came of a shard. */
void cli_shard_done(FILE *out, const struct ora_shard_task *task, bool json);

#endif
