/* cmd_culprit.c - xstep culprit: which pass, option, level and version a finding depends on. */
#include <inttypes.h>
#include <signal.h>

#include "base/scratch.h"
#include "cli/case_options.h"
#include "cli/commands.h"
#include "cli/report/cause_print.h"
#include "cli/report/progress.h"
#include "engine/interrupt.h"
#include "oracle/cause/culprit.h"

struct options {
	struct ora_case_words words;
	bool passes, no_passes, versions, quiet;
	struct xs_strings debuggers;
	const char *dumps;
	uint64_t jobs;
	int format;
	struct cli_progress progress;
	const struct ora_culprit *culprit; /* at work */
	const char *phase;                 /* what it does */
};

static const struct cli_option options[] = {
	CLI_CASE_OPTIONS(struct options),
	{"What to look for", "passes", 0, CLI_FLAG, NULL,
		"the pass of the compiler, in a finding of a debugger's as well",
		offsetof(struct options, passes)},
	{"What to look for", "no-passes", 0, CLI_FLAG, NULL,
		"no pass: levels, debug options and versions only",
		offsetof(struct options, no_passes)},
	{"What to look for", "versions", 0, CLI_FLAG, NULL,
		"all gcc-N and clang-N on PATH; of a debugger's finding, all lldb-N, too",
		offsetof(struct options, versions)},
	{"What to look for", "debugger", 0, CLI_STRINGS, "WHO",
		"another debugger for --versions: gdb@/path; may be repeated (default: none)",
		offsetof(struct options, debuggers)},
	{"What to look for", "dumps", 0, CLI_STRING, "DIR",
		"write the code before and after each culprit there (default: none)",
		offsetof(struct options, dumps)},
	{"Workers", "jobs", 'j', CLI_COUNT, "N",
		"ask N things at a time (default: the number of processors)",
		offsetof(struct options, jobs)},
	{"Output", "format", 0, CLI_CHOICE, "text|json",
		"text to read, or one JSON object (default: text)",
		offsetof(struct options, format)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print no line of progress on the terminal",
		offsetof(struct options, quiet)},
	{0},
};

static const char details[] =
	"Builds the source of a finding otherwise, again and again, and asks the oracle\n"
	"whether the finding is there.\n"
	"\n"
	"What is looked for:\n"
	"  pass      of clang: the first one with which the finding is there, by a binary\n"
	"            search over -mllvm -opt-bisect-limit\n"
	"  option    of gcc: each -fno-... of what gcc -Q --help=optimizers says is on. An\n"
	"            option without which the finding is gone is a culprit; if there is\n"
	"            none, a smallest set of them is searched. The one that has its effect\n"
	"            last, by gcc's dumps, is told first\n"
	"  counter   of gcc: which transformation of a pass it is, by -fdbg-cnt\n"
	"  level     -O0 to -O3, -Os, -Og, -Oz\n"
	"  debug     options of how debug information is made; link-time optimisation\n"
	"  compiler, debugger  with --versions\n"
	"Passes, options and counters are looked for if the compiler is to blame, or with\n"
	"--passes. What was asked is said, and nothing else: `gone` means that the same\n"
	"signature with the same party and basis was not found.\n"
	"\n"
	"A build with the same bytes as another one is not asked about again. --dumps DIR\n"
	"writes the code before and after each culprit, by the compiler's own dumps.\n"
	"\n"
	"\txstep culprit night 189e\n"
	"\txstep culprit bugs/G3-loss-lldb-entry-value-12ab\n"
	"\txstep culprit --source t.c --compiler clang-15 --level=-O1 --oracle opt\n"
	"\n"
	"JSON:\n"
	"\t{\"source\", \"compiler\", \"level\", \"oracle\", \"signature\", \"wrong\",\n"
	"\t\"basis\", \"culprits\": [{\"kind\", \"name\", \"on\", \"number\", \"pass\",\n"
	"\t\"dump\"}],\n"
	"\t\"rows\": [{\"kind\", \"name\", \"end\": \"found\"|\"gone\"|\"unfit\", \"why\"}],\n"
	"\t\"passes\", \"without_any\", \"asked\", \"same\"}\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble: no such finding, or it is gone\n";

static void on_moment(void *context)
{
	struct options *values = context;
	XS_AUTO_FREE char *text =
		xs_asprintf("%s: %" PRIu64 " asked", values->phase ? values->phase : "asking",
			values->culprit ? values->culprit->asker.asked : 0);
	cli_progress_text(&values->progress, text);
}

static void on_phase(void *context, const char *phase)
{
	struct options *values = context;
	values->phase = phase;
	on_moment(values);
}

static struct xs_error *look(struct options *values, const char *scratch)
{
	struct ora_case one = {0};
	XS_AUTO_FREE char *id = NULL;
	XS_AUTO_FREE char *memo = xs_asprintf("%s/answers", scratch);
	struct ora_culprit culprit = {.asker = {.one = &one,
					      .scratch = scratch,
					      .memo = memo,
					      .jobs = cli_case_jobs(values->jobs),
					      .on_moment = on_moment,
					      .context = values},
		.versions = values->versions,
		.debuggers = values->debuggers,
		.dumps = values->dumps,
		.on_phase = on_phase};
	struct xs_error *err = ora_case_of_words(&values->words, scratch, &one, &culprit.gcc, &id);
	values->culprit = &culprit;
	if (!err)
		err = ora_asker_settle(&culprit.asker, &one);
	if (!err) {
		culprit.passes =
			!values->no_passes && (values->passes || strstr(one.wrong, "producer"));
		err = ora_culprit(&culprit);
	}
	cli_progress_end(&values->progress);
	if (!err)
		cli_culprit_print(stdout, &culprit, values->format);
	ora_culprit_deinit(&culprit);
	ora_case_deinit(&one);
	return err;
}

static int cmd_culprit(int argc, char **argv)
{
	struct options values = {0};
	struct xs_strings words = {0};
	bool help = false;
	char *scratch = NULL;
	struct xs_error *err = cli_parse_all(&cli_culprit, argc, argv, &values, &words, &help);
	if (!err && help) {
		cli_print_help(&cli_culprit, stdout);
	} else if (!err && values.passes && values.no_passes) {
		err = xs_error_create("--passes and --no-passes: choose one");
	} else if (!err && !(err = cli_case_operands(&cli_culprit, &words, &values.words)) &&
		   !(err = xs_scratch_create("reduce", &scratch))) {
		cli_progress_init(&values.progress, values.quiet);
		eng_interrupt_hold();
		err = look(&values, scratch);
		cli_progress_end(&values.progress);
		xs_scratch_destroy(scratch);
		eng_interrupt_release();
	}
	xs_vec_deinit(&words.vec);
	xs_vec_deinit(&values.debuggers.vec);
	int signal = eng_interrupt_signal();
	int status = err ? cli_fail(err) : CLI_NOTHING;
	if (signal)
		cli_screen_die(signal); /* whoever sent it expects us to die of it */
	return status;
}

const struct cli_command cli_culprit = {
	.name = "culprit",
	.operands = "DIR ID | FOLDER | --source FILE",
	.summary = "Find what a finding depends on: pass, option, level, version",
	.details = details,
	.options = options,
	.run = cmd_culprit,
};
