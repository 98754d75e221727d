/* cmd_reduce.c - xstep reduce: a few lines with the same finding. */
#include <inttypes.h>
#include <signal.h>

#include "base/scratch.h"
#include "base/shown.h"
#include "cli/case_options.h"
#include "cli/commands.h"
#include "cli/report/cause_print.h"
#include "cli/report/progress.h"
#include "engine/interrupt.h"
#include "oracle/cause/culprit.h"
#include "oracle/cause/reduce.h"

struct options {
	struct ora_case_words words;
	const char *output, *reducer, *test, *without;
	uint64_t jobs;
	double seconds;
	bool quiet, keep_culprit;
	int format;
	struct cli_progress progress;
};

static const struct cli_option options[] = {
	CLI_CASE_OPTIONS(struct options),
	{"Reduction", "output", 'o', CLI_STRING, "FILE",
		"where the reduced source goes (default: DIR/signatures/ID/reduced.c of a "
		"campaign, "
		"else reduced.c)",
		offsetof(struct options, output)},
	{"Reduction", "reducer", 0, CLI_STRING, "PATH",
		"cvise, creduce, or none (default: the one on PATH, cvise first, if there is one)",
		offsetof(struct options, reducer)},
	{"Reduction", "keep-culprit", 0, CLI_FLAG, NULL,
		"find the culprit first, as xstep culprit does, and keep only what has the same",
		offsetof(struct options, keep_culprit)},
	{"Reduction", "without", 0, CLI_STRING, "FLAGS",
		"options of the compiler's with which the finding must be gone, such as "
		"-fno-crossjumping (default: none)",
		offsetof(struct options, without)},
	{"Reduction", "jobs", 'j', CLI_COUNT, "N",
		"try N candidates at a time (default: the number of processors)",
		offsetof(struct options, jobs)},
	{"Reduction", "seconds", 0, CLI_SECONDS, "S",
		"try no more candidates after S seconds, and take the best so far (default: no "
		"limit)",
		offsetof(struct options, seconds)},
	{"Reduction", "test", 0, CLI_STRING, "FILE",
		"what the reducer runs: ask whether small.c in this folder has the finding of "
		"FILE, a case.json (default: none)",
		offsetof(struct options, test)},
	{"Output", "format", 0, CLI_CHOICE, "text|json",
		"text to read, or one JSON object (default: text)",
		offsetof(struct options, format)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print no line of progress on the terminal",
		offsetof(struct options, quiet)},
	{0},
};

static const char details[] =
	"Makes the source of a finding small. xstep cuts functions, statements, expressions,\n"
	"parameters and types out of it; cvise goes on if much is left. A candidate is kept\n"
	"only if the oracle finds it again, with the same signature, party and basis, and if\n"
	"the program is fit.\n"
	"\n"
	"A program is fit if\n"
	"  compiler    it compiles, without warnings that mean undefined behaviour and that\n"
	"              the source as it was does not have\n"
	"  end         it ends by itself, of no signal, and prints the same twice\n"
	"  sanitizers  ASan, UBSan and MSan say nothing, as far as a compiler here has them;\n"
	"              one that complains of the source as it was is not asked\n"
	"\n"
	"The source is preprocessed first, so that what it includes can go, too. The result is\n"
	"formatted (clang-format, if it is there), built and judged again from the beginning,\n"
	"with all witnesses and all stops.\n"
	"\n"
	"The finding is a campaign's, by its folder and the beginning of a signature's id,\n"
	"which xstep campaign findings lists; or FOLDER is one that xstep diff --report or\n"
	"xstep check --report wrote; or it is that of --source, with how it is built and who\n"
	"finds it:\n"
	"\txstep reduce night 189e\n"
	"\txstep reduce bugs/G3-loss-lldb-entry-value-12ab\n"
	"\txstep reduce --source t.c --compiler clang-15 --level=-O1 --oracle opt\n"
	"\n"
	"What is left may have the finding for another reason than the source had.\n"
	"--keep-culprit and --without keep only what loses it without the same culprit.\n"
	"\n"
	"^C ends it, and FILE.reduce/small.c is the best so far. The same command goes on\n"
	"from there.\n"
	"\n"
	"Exit status:\n"
	"  0  done; with --test: it has the finding\n"
	"  1  with --test: it has not, or is not fit; the reason is printed\n"
	"  2  trouble: no such finding, it is gone, or its source cannot be reduced\n";

static void on_progress(void *context, const struct ora_reduce *reduce)
{
	struct options *values = context;
	XS_AUTO_FREE char *text =
		xs_asprintf("%s: %" PRIu64 " of %" PRIu64 " bytes, %" PRIu64 " lines",
			reduce->phase, reduce->now.bytes, reduce->before.bytes, reduce->now.lines);
	cli_progress_text(&values->progress, text);
}

static struct xs_error *test(const char *file, int *status)
{
	enum ora_case_end end = ORA_CASE_GONE;
	XS_AUTO_FREE char *why = NULL;
	struct xs_error *err = ora_reduce_test(file, &end, &why);
	if (!err && end != ORA_CASE_FOUND)
		xs_print(stdout, "%s\n", why ? why : "the finding is gone");
	*status = end == ORA_CASE_FOUND ? CLI_NOTHING : CLI_FOUND;
	return err;
}

/* The culprit that candidates must have: found, or said. */
static struct xs_error *want_culprit(
	const struct options *values, const char *scratch, bool gcc, struct ora_case *one)
{
	XS_AUTO_FREE char *memo = xs_asprintf("%s/answers", scratch);
	struct ora_culprit culprit = {.asker = {.one = one,
					      .scratch = scratch,
					      .memo = memo,
					      .jobs = cli_case_jobs(values->jobs)},
		.gcc = gcc,
		.passes = true,
		.only_passes = true};
	struct xs_error *err = NULL;
	if (values->keep_culprit && !(err = ora_culprit(&culprit)) &&
		!ora_culprit_want(&culprit, one))
		err = xs_error_create("--keep-culprit: none is found: no pass or option that can "
				      "be switched off makes the finding go");
	ora_culprit_deinit(&culprit);
	if (err || !values->without)
		return err;
	const struct ora_case_change change = {.flags = &one->without};
	struct ora_asker asker = {.one = one, .scratch = scratch, .jobs = 1};
	enum ora_case_end end = ORA_CASE_GONE;
	ora_command_split(&one->without, values->without);
	err = ora_asker_ask_one(&asker, &change, &end);
	if (!err && end != ORA_CASE_GONE)
		err = xs_error_create("--without %s: the finding is %s", values->without,
			end == ORA_CASE_FOUND ? "there all the same"
					      : "not known then: it cannot be built or asked");
	return err;
}

static struct xs_error *reduce(struct options *values, const char *scratch)
{
	struct ora_case one = {0};
	struct ora_asker asker = {.one = &one, .scratch = scratch, .jobs = 1};
	XS_AUTO_FREE char *id = NULL;
	XS_AUTO_FREE char *place = NULL;
	bool gcc = false;
	struct xs_error *err = ora_case_of_words(&values->words, scratch, &one, &gcc, &id);
	if (!err)
		err = ora_asker_settle(&asker, &one);
	if (!err && (values->without || values->keep_culprit))
		err = want_culprit(values, scratch, gcc, &one);
	if (!err && id)
		place = xs_asprintf("%s/signatures/%s/reduced.c", values->words.folder, id);
	struct ora_reduce job = {.one = &one,
		.output = values->output ? values->output
			  : place        ? place
					 : "reduced.c",
		.reducer = values->reducer,
		.jobs = cli_case_jobs(values->jobs),
		.seconds = values->seconds,
		.scratch = scratch,
		.on_progress = on_progress,
		.context = values};
	if (!err)
		err = ora_reduce(&job);
	cli_progress_end(&values->progress);
	if (!err)
		cli_reduce_print(stdout, &job, values->format);
	ora_reduce_deinit(&job);
	ora_case_deinit(&one);
	return err;
}

static int cmd_reduce(int argc, char **argv)
{
	struct options values = {0};
	struct xs_strings words = {0};
	bool help = false;
	int status = CLI_NOTHING;
	char *scratch = NULL;
	struct xs_error *err = cli_parse_all(&cli_reduce, argc, argv, &values, &words, &help);
	if (!err && help) {
		cli_print_help(&cli_reduce, stdout);
	} else if (!err && values.without && values.keep_culprit) {
		err = xs_error_create("--without and --keep-culprit: choose one");
	} else if (!err && values.test) {
		err = test(values.test, &status);
	} else if (!err && !(err = cli_case_operands(&cli_reduce, &words, &values.words)) &&
		   !(err = xs_scratch_create("reduce", &scratch))) {
		cli_progress_init(&values.progress, values.quiet);
		eng_interrupt_hold();
		err = reduce(&values, scratch);
		cli_progress_end(&values.progress);
		xs_scratch_destroy(scratch);
		eng_interrupt_release();
	}
	xs_vec_deinit(&words.vec);
	int signal = eng_interrupt_signal();
	if (err)
		status = cli_fail(err);
	if (signal)
		raise(signal); /* whoever sent it expects us to die of it */
	return status;
}

const struct cli_command cli_reduce = {
	.name = "reduce",
	.operands = "DIR ID | FOLDER | --source FILE",
	.summary = "Make the source of a finding small",
	.details = details,
	.options = options,
	.run = cmd_reduce,
};
