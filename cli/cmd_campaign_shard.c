/* cmd_campaign_shard.c - xstep campaign shard: does parts of a campaign that is cut into such. */
#include "cli/cmd_campaign_shard.h"

#include <errno.h>
#include <signal.h>

#include "base/shown.h"
#include "cli/commands.h"
#include "cli/report/campaign_watch.h"
#include "cli/report/shards_print.h"

struct options {
	uint64_t jobs; /* 0: as planned */
	bool missing, quiet;
	int format;             /* text|json */
	struct cli_watch watch; /* its own: while it runs */
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Which", "missing", 0, CLI_FLAG, NULL,
		"do none: print the numbers of those that are missing, a line each",
		FIELD(missing)},
	{"Workers", "jobs", 'j', CLI_COUNT, "N",
		"work on N things at a time (default: as --jobs of xstep campaign run was)",
		FIELD(jobs)},
	{"Output", "format", 0, CLI_CHOICE, "text|json",
		"text to read, or lines of JSON (default: text)", FIELD(format)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print nothing on the terminal while it runs",
		FIELD(quiet)},
	{0},
};

static const char details[] =
	"Does the shards K, from 1 on, of a campaign that xstep campaign run --slurm or\n"
	"--shards has cut. It works in TMPDIR, which should be a disk of this machine's,\n"
	"checks what came of it, and puts it into DIR/shards as one file, by a rename. A\n"
	"shard is done if its file is there: then it is not done again. Whatever ends the\n"
	"command before leaves nothing that could be taken for a shard. That two do the same\n"
	"one at a time is harmless. DIR may be a share of several machines, which need the\n"
	"same compilers and debuggers.\n"
	"\n"
	"Without Slurm:\n"
	"\txstep campaign run DIR --shards 64 --generate csmith --seeds 1-2000\n"
	"\txstep campaign shard DIR --missing | parallel -j 8 xstep campaign shard DIR\n"
	"\txstep campaign merge DIR\n"
	"\n"
	"JSON lines:\n"
	"\tthose of xstep campaign run, and for each shard\n"
	"\t{\"event\": \"shard\", shard, name, host, before, programs, findings,\n"
	"\tseconds}\n"
	"\n"
	"Exit status:\n"
	"  0  done, whatever was found\n"
	"  2  trouble\n";

static void on_event(void *context, const struct ora_campaign_event *event)
{
	struct options *values = context;
	cli_watch_event(&values->watch, event);
}

static struct xs_error *read_number(const char *word, uint64_t *ret)
{
	char *end;
	errno = 0;
	*ret = strtoull(word, &end, 10);
	if (errno || end == word || *end || *word == '-' || !*ret)
		return xs_error_create("campaign shard: '%s' is no number of a shard", word);
	return NULL;
}

static struct xs_error *list_missing(const struct ora_shards *shards)
{
	struct ora_shards_state state;
	struct xs_error *err = ora_shards_look(shards, &state);
	for (size_t i = 0; !err && i < state.missing.len; i++)
		xs_print(stdout, "%" PRIu64 "\n", state.missing.data[i]);
	ora_shards_state_deinit(&state);
	return err;
}

/* *signal: that ended it. */
static struct xs_error *do_shards(struct options *values, const struct ora_shards *shards,
	const char *const *words, size_t count, int *signal)
{
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && !*signal && i < count; i++) {
		struct ora_shard_task task = {.shards = shards,
			.jobs = values->jobs,
			.on_event = on_event,
			.context = values};
		if ((err = read_number(words[i], &task.number)))
			return err;
		cli_watch_init(&values->watch, values->quiet, values->format, NULL);
		err = ora_shard_do(&task);
		cli_watch_end(&values->watch);
		*signal = task.signal;
		if (!err && !task.signal)
			cli_shard_done(stdout, &task, values->format);
	}
	return err;
}

static int cmd_shard(int argc, char **argv)
{
	struct options values = {0};
	struct xs_strings words = {0};
	struct ora_shards shards = {0};
	bool help = false;
	int ended = 0;
	struct xs_error *err =
		cli_parse_all(&cli_campaign_shard, argc, argv, &values, &words, &help);
	if (!err && help)
		cli_print_help(&cli_campaign_shard, stdout);
	else if (!err && (values.missing ? words.vec.len != 1 : words.vec.len < 2))
		err = xs_error_create("campaign shard: expected DIR K..., or DIR --missing; see "
				      "xstep campaign shard --help");
	else if (!err && !(err = ora_shards_open(words.vec.data[0], &shards)))
		err = values.missing ? list_missing(&shards)
				     : do_shards(&values, &shards, words.vec.data + 1,
					       words.vec.len - 1, &ended);
	if (!err && ended)
		xs_print(stderr, "xstep: interrupted: the shard is not done\n");
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	ora_shards_deinit(&shards);
	xs_vec_deinit(&words.vec);
	int status = err ? cli_fail(err) : CLI_NOTHING;
	if (ended) /* whoever sent it expects us to die of it */
		cli_screen_die(ended);
	return status;
}

/* --- for other commands ----------------------------------------------------------------------- */

struct xs_error *cli_shards_run(const char *folder, struct ora_settings *given,
	const struct ora_cut *cut, bool slurm, bool json)
{
	struct ora_shards shards = {0};
	struct ora_shards_state state = {0};
	struct ora_slurm_queue queue = {0};
	struct ora_slurm_submitted submitted = {0};
	double minutes = 0;
	struct xs_error *err = ora_shards_plan(folder, given, cut, &shards, &minutes);
	/* What is in the queue is asked for first: a shard that is done meanwhile is not
	 * missing. */
	if (!err && slurm)
		err = ora_slurm_look(&shards, &queue);
	if (!err)
		err = ora_shards_look(&shards, &state);
	if (!err && slurm)
		err = ora_slurm_submit(&shards, &state, &queue, minutes, &submitted);
	if (!err)
		cli_shards_planned(
			stdout, &shards, &state, minutes, slurm ? &submitted : NULL, json);
	ora_slurm_submitted_deinit(&submitted);
	ora_slurm_queue_deinit(&queue);
	ora_shards_state_deinit(&state);
	ora_shards_deinit(&shards);
	return err;
}

static void on_problem(void *context, const char *problem)
{
	(void)context;
	xs_print(stderr, "xstep: %s\n", problem);
}

struct xs_error *cli_shards_merge(const char *folder)
{
	struct ora_shards shards = {0};
	uint64_t bad = 0;
	if (!ora_shards_exist(folder))
		return xs_error_create("campaign merge: %s is not cut into shards: expected DIR "
				       "OTHER...; see xstep campaign merge --help",
			folder);
	struct xs_error *err = ora_shards_open(folder, &shards);
	if (!err)
		err = ora_shards_merge(&shards, on_problem, NULL, &bad);
	if (!err)
		xs_print(stdout, "%s:\n", folder);
	if (!err)
		err = cli_shards_status(stdout, folder);
	if (!err && bad)
		err = xs_error_create("%s: %" PRIu64
				      " shards could not be read, and all others are "
				      "merged",
			folder, bad);
	ora_shards_deinit(&shards);
	return err;
}

const struct cli_command cli_campaign_shard = {
	.name = "campaign shard",
	.operands = "DIR K... | DIR --missing",
	.summary = "Do parts of a campaign that is cut into shards",
	.details = details,
	.options = options,
	.run = cmd_shard,
};
