/* commands.h - the subcommands, one file each: cmd_<name>.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/help.h"
#include "cli/option.h"
#include "cli/report/screen.h"

extern const struct cli_command cli_xstep;    /* the program itself: all of these are below it */
extern const struct cli_command cli_campaign; /* with, below it: */
extern const struct cli_command cli_campaign_export_command;
extern const struct cli_command cli_campaign_findings_command;
extern const struct cli_command cli_campaign_merge;
extern const struct cli_command cli_campaign_rerun;
extern const struct cli_command cli_campaign_run;
extern const struct cli_command cli_campaign_shard;
extern const struct cli_command cli_campaign_show_command;
extern const struct cli_command cli_campaign_status_command;
extern const struct cli_command cli_ccmd;
extern const struct cli_command cli_check; /* with, below it: */
extern const struct cli_command cli_check_avail;
extern const struct cli_command cli_check_frames;
extern const struct cli_command cli_check_levels;
extern const struct cli_command cli_check_metrics;
extern const struct cli_command cli_check_opt;
extern const struct cli_command cli_check_probes;
extern const struct cli_command cli_check_twins;
extern const struct cli_command cli_culprit;
extern const struct cli_command cli_diff;
extern const struct cli_command cli_doctor;
extern const struct cli_command cli_explain;
extern const struct cli_command cli_help;
extern const struct cli_command cli_mutate;
extern const struct cli_command cli_reduce;
extern const struct cli_command cli_serve;
extern const struct cli_command cli_show;
extern const struct cli_command cli_store;
extern const struct cli_command cli_trace;
extern const struct cli_command cli_witness;

#endif
