/* cmd_campaign.c - xstep campaign: picks what to do with one. */
#include "cli/commands.h"

static const struct cli_command *const parts[] = {&cli_campaign_run, &cli_campaign_status_command,
	&cli_campaign_findings_command, &cli_campaign_show_command, &cli_campaign_rerun,
	&cli_campaign_export_command, &cli_campaign_merge, &cli_campaign_shard, NULL};

static const struct cli_option options[] = {
	{0},
};

static const char details[] =
	"xstep campaign COMMAND --help tells more. A campaign asks oracles about many\n"
	"programs, which are generated or taken from a folder, as several compilers build\n"
	"them. All of it is in one folder, DIR. A campaign that was ended by anything at\n"
	"all goes on where it was, and each bug is told once, by its signature.\n"
	"\n"
	"Folder:\n"
	"  campaign.db    programs, builds, jobs, findings, signatures, exemplars,\n"
	"                 figures and causes: SQLite; oracle/store/campaign_schema.sql describes "
	"it\n"
	"  programs       the sources\n"
	"  builds         executables of programs with jobs to be done\n"
	"  signatures/ID  the first and the smallest case of each: program.c,\n"
	"                 finding.json, and commands.sh, which shows it again; and\n"
	"                 reduced.c, if it was made small\n"
	"  shards         if it is cut into such: plan.json, and one file for each that is\n"
	"                 done\n"
	"  logs           of Slurm's jobs\n"
	"\n"
	"run and rerun execute what the folder says: generators, compilers, programs. Do\n"
	"not run one that somebody else has made.\n"
	"\n"
	"Exit status:\n"
	"  0  done, nothing found\n"
	"  1  done, something found\n"
	"  2  trouble\n";

static int cmd_campaign(int argc, char **argv)
{
	return cli_run_below(
		&cli_campaign, "campaign: what? see xstep campaign --help", argc, argv);
}

const struct cli_command cli_campaign = {
	.name = "campaign",
	.operands = "COMMAND ...",
	.summary = "Ask oracles about many programs, and tell each bug once",
	.details = details,
	.options = options,
	.run = cmd_campaign,
	.commands = parts,
};
