/* cmd_campaign_look.c - xstep campaign status, findings, show: what a campaign has come to. */
#include "cli/commands.h"
#include "cli/report/campaign_print.h"
#include "oracle/campaign/exemplars.h"

struct options {
	const char *older; /* --new */
	int format;        /* text|json */
};

#define FORMAT                                                                                     \
	{                                                                                          \
		"Output", "format", 0, CLI_CHOICE, "text|json",                                    \
			"text to read, or one JSON object (default: text)",                        \
			offsetof(struct options, format)                                           \
	}

static const struct cli_option plain_options[] = {
	FORMAT,
	{0},
};

static const struct cli_option findings_options[] = {
	{"Which", "new", 0, CLI_STRING, "OLDDIR",
		"only signatures that another campaign has not; and then those that only that one "
		"has (default: all)",
		offsetof(struct options, older)},
	FORMAT,
	{0},
};

/* Reads the words of a command, and opens the folder that is the first of them. *done: there is
 * nothing more to do. */
static struct xs_error *begin(const struct cli_command *command, int argc, char **argv,
	size_t wanted, struct options *values, struct xs_strings *words,
	struct ora_campaign_store **store, bool *done)
{
	bool help = false;
	struct xs_error *err = cli_parse_all(command, argc, argv, values, words, &help);
	*done = err || help;
	if (!err && help)
		cli_print_help(command, stdout);
	if (*done)
		return err;
	if (words->vec.len != wanted)
		return xs_error_create("%s: expected %s; see xstep %s --help", command->name,
			command->operands, command->name);
	return ora_campaign_read(words->vec.data[0], store);
}

static int end(struct xs_error *err, struct xs_strings *words, size_t found)
{
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	xs_vec_deinit(&words->vec);
	return err ? cli_fail(err) : found ? CLI_FOUND : CLI_NOTHING;
}

static int cmd_status(int argc, char **argv)
{
	struct options values = {0};
	struct xs_strings words = {0};
	XS_AUTO(ora_campaign_store) store = NULL;
	bool done;
	struct xs_error *err =
		begin(&cli_campaign_status_command, argc, argv, 1, &values, &words, &store, &done);
	if (!err && !done)
		err = cli_campaign_status(stdout, store, words.vec.data[0], values.format);
	return end(err, &words, 0);
}

static int cmd_findings(int argc, char **argv)
{
	struct options values = {0};
	struct xs_strings words = {0};
	XS_AUTO(ora_campaign_store) store = NULL;
	XS_AUTO(ora_campaign_store) older = NULL;
	bool done;
	size_t found = 0;
	struct xs_error *err = begin(
		&cli_campaign_findings_command, argc, argv, 1, &values, &words, &store, &done);
	if (!err && !done && values.older)
		err = ora_campaign_read(values.older, &older);
	if (!err && !done)
		err = cli_campaign_findings(stdout, store, older, values.format, 0, &found);
	return end(err, &words, found);
}

static int cmd_show(int argc, char **argv)
{
	struct options values = {0};
	struct xs_strings words = {0};
	XS_AUTO(ora_campaign_store) store = NULL;
	XS_AUTO_FREE char *id = NULL;
	bool done;
	struct xs_error *err =
		begin(&cli_campaign_show_command, argc, argv, 2, &values, &words, &store, &done);
	if (!err && !done)
		err = ora_exemplar_named(store, words.vec.data[1], &id);
	if (!err && !done)
		err = cli_campaign_show(stdout, store, id, values.format);
	return end(err, &words, id != NULL);
}

static const char status_details[] =
	"How many programs, builds and jobs there are, what was left out and why, what each\n"
	"oracle found, and which jobs failed. May be asked while the campaign runs. If it is\n"
	"cut into shards: how many are done, missing and, if Slurm can be asked, waiting and\n"
	"running.\n"
	"\n"
	"JSON:\n"
	"\t{\"options\": [{name, value}],\n"
	"\t\"totals\": [{programs, kept, builds, jobs, done, findings, signatures,\n"
	"\tseconds}],\n"
	"\t\"left_out\": [{reason, programs, detail}],\n"
	"\t\"builds\": [{compiler, level, builds, built, refused, crashed, hung,\n"
	"\tseconds}],\n"
	"\t\"oracles\": [{oracle, jobs, clean, found, unasked, failed, to_do, findings,\n"
	"\tsignatures, seconds}],\n"
	"\t\"failed\": [{oracle, outcome, detail, jobs, program}],\n"
	"\t\"figures\": [{oracle, figure, jobs, sum}]}\n"
	"`detail` and `program` are of the first such program. If it is cut into shards:\n"
	"\t\"shards\": {count, programs, done, missing, waiting, running, merged}\n"
	"with lists of numbers; `waiting` and `running` are null if Slurm cannot be asked.\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble\n";

static const char findings_details[] =
	"One entry for each signature: the most certain first, then the most frequent. A\n"
	"signature is what makes two findings the same bug; xstep diff --help explains it,\n"
	"and the basis. The smallest program that shows it stands for it.\n"
	"\n"
	"JSON:\n"
	"\t{\"signatures\": [{id, signature, basis, wrong, oracle, count, programs,\n"
	"\tbuilds, compilers, known, exemplar: {program, origin, size, compiler,\n"
	"\tlevel, finding}}], \"gone\": [...]}\n"
	"`gone` is there with --new.\n"
	"\n"
	"Exit status:\n"
	"  0  none\n"
	"  1  at least one\n"
	"  2  trouble\n";

static const char show_details[] =
	"The signature, its first and its smallest case, in which builds it was found how\n"
	"often, and what other oracles found at the same line and variable of the same\n"
	"builds. The beginning of an ID is enough.\n"
	"\n"
	"JSON:\n"
	"\tan entry of xstep campaign findings, with\n"
	"\t\"exemplars\": [{which, program, origin, size, flags, compiler, level, oracle,\n"
	"\tfinding, function, line, variable, report}],\n"
	"\t\"cells\": [{compiler, level, findings, programs}],\n"
	"\t\"linked\": [{oracle, signature, id, places}]\n"
	"\n"
	"Exit status:\n"
	"  1  it is shown\n"
	"  2  trouble\n";

const struct cli_command cli_campaign_status_command = {
	.name = "campaign status",
	.operands = "DIR",
	.summary = "Tell how far a campaign is",
	.details = status_details,
	.options = plain_options,
	.run = cmd_status,
};

const struct cli_command cli_campaign_findings_command = {
	.name = "campaign findings",
	.operands = "DIR",
	.summary = "List what a campaign found, each signature once",
	.details = findings_details,
	.options = findings_options,
	.run = cmd_findings,
};

const struct cli_command cli_campaign_show_command = {
	.name = "campaign show",
	.operands = "DIR ID",
	.summary = "Show one signature of a campaign, with its cases",
	.details = show_details,
	.options = plain_options,
	.run = cmd_show,
};
