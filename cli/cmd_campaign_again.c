/* cmd_campaign_again.c - xstep campaign rerun, merge: a case is run again; parts become a whole. */
#include <sys/wait.h>

#include "base/shown.h"
#include "cli/cmd_campaign_shard.h"
#include "cli/commands.h"
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/case_rerun.h"

static const struct cli_option no_options[] = {
	{0},
};

static const char rerun_details[] =
	"Builds the smallest case of a signature in a temporary folder, and has the oracle\n"
	"asked about it again, as text. The commands are printed before. The beginning of an\n"
	"ID is enough.\n"
	"\n"
	"Exit status:\n"
	"  that of the oracle: 1 if it is found again\n";

static const char merge_details[] =
	"Without OTHER: puts all shards of DIR that are done together, see xstep campaign\n"
	"shard --help. All files are made in TMPDIR and put into DIR by a rename. It may be\n"
	"done at any time and any number of times. Files that are damaged, or no shards, are\n"
	"told, and left alone.\n"
	"\n"
	"With OTHER:\n"
	"puts the campaigns OTHER into DIR, which is made if it is not there. Programs, jobs\n"
	"and signatures are known by their content: what several have is there once, and is\n"
	"done if it is done in one. All must be of the same options, but for seeds, mutants\n"
	"and workers, and of the same compilers. xstep campaign run DIR then does what is\n"
	"left.\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble\n";

static void print_command(const char *text)
{
	cli_screen_verbatim(stdout, true);
	xs_print(stdout, "$ %s\n", text);
	cli_screen_verbatim(stdout, false);
	fflush(stdout);
}

static int cmd_rerun(int argc, char **argv)
{
	struct xs_strings words = {0};
	bool help = false;
	int nothing = 0, status = 0;
	struct xs_error *err =
		cli_parse_all(&cli_campaign_rerun, argc, argv, &nothing, &words, &help);
	if (!err && help)
		cli_print_help(&cli_campaign_rerun, stdout);
	else if (!err && words.vec.len != 2)
		err = xs_error_create(
			"campaign rerun: expected DIR ID; see xstep campaign rerun --help");
	else if (!err)
		err = ora_case_rerun(words.vec.data[0], words.vec.data[1], print_command, &status);
	xs_vec_deinit(&words.vec);
	return err ? cli_fail(err) : WIFEXITED(status) ? WEXITSTATUS(status) : CLI_TROUBLE;
}

static int cmd_merge(int argc, char **argv)
{
	struct xs_strings words = {0};
	struct ora_campaign campaign = {0};
	bool help = false;
	int nothing = 0;
	struct xs_error *err =
		cli_parse_all(&cli_campaign_merge, argc, argv, &nothing, &words, &help);
	if (!err && help) {
		cli_print_help(&cli_campaign_merge, stdout);
	} else if (!err && !words.vec.len) {
		err = xs_error_create(
			"campaign merge: expected DIR, or DIR OTHER...; see xstep campaign merge "
			"--help");
	} else if (!err && words.vec.len == 1) {
		err = cli_shards_merge(words.vec.data[0]);
	} else if (!err) {
		campaign.folder = words.vec.data[0];
		err = ora_campaign_join(&campaign, words.vec.data + 1, words.vec.len - 1);
	}
	ora_campaign_deinit(&campaign);
	xs_vec_deinit(&words.vec);
	return err ? cli_fail(err) : CLI_NOTHING;
}

const struct cli_command cli_campaign_rerun = {
	.name = "campaign rerun",
	.operands = "DIR ID",
	.summary = "Run the smallest case of a signature again",
	.details = rerun_details,
	.options = no_options,
	.run = cmd_rerun,
};

const struct cli_command cli_campaign_merge = {
	.name = "campaign merge",
	.operands = "DIR | DIR OTHER...",
	.summary = "Put parts of a campaign together",
	.details = merge_details,
	.options = no_options,
	.run = cmd_merge,
};
