/* cmd_campaign_shard.h - what other commands do with campaigns that are cut into shards. */
#ifndef CLI_CMD_CAMPAIGN_SHARD_H
#define CLI_CMD_CAMPAIGN_SHARD_H

#include "oracle/campaign/shards.h"

/* xstep campaign run --slurm, --shards: plans, and has Slurm do what is missing if `slurm`. given
 * is taken. */
XS_MUST_CHECK struct xs_error *cli_shards_run(const char *folder, struct ora_settings *given,
	const struct ora_cut *cut, bool slurm, bool json);
/* xstep campaign merge DIR. */
XS_MUST_CHECK struct xs_error *cli_shards_merge(const char *folder);

#endif
