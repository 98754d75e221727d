/* cmd_campaign_run.c - xstep campaign run: begins a campaign, or goes on with it. */
#include <inttypes.h>
#include <signal.h>

#include "base/shown.h"
#include "cli/cmd_campaign_shard.h"
#include "cli/commands.h"
#include "cli/report/campaign_print.h"
#include "cli/report/campaign_rows.h"
#include "cli/report/campaign_watch.h"
#include "oracle/campaign/stages.h"

struct options {
	const char *generate, *seeds, *sources, *compilers, *levels, *flags, *oracles, *witness;
	uint64_t mutate, probes, max_source, max_steps, memory, output, jobs;
	uint64_t run_timeout, compile_timeout, timeout;
	uint64_t shards, shard_minutes, causes;
	double cause_minutes;
	const char *sbatch;
	bool no_sanitize, quiet, slurm, reduce, culprit;
	int sample, debuggers, language; /* -1: not given */
	struct xs_strings known;         /* files */
	int format;                      /* text|json */
	struct cli_watch watch;          /* its own: while it runs */
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Programs", "language", 0, CLI_CHOICE, "c|c++|rust",
		"what the programs are written in (default: c)", FIELD(language)},
	{"Programs", "generate", 0, CLI_STRING, "COMMAND",
		"what prints a program, {seed} in it being its seed; csmith is csmith with "
		"options chosen by the seed; own, for C++, is a generator in xstep (default: "
		"none)",
		FIELD(generate)},
	{"Programs", "seeds", 0, CLI_STRING, "N-M[,...]",
		"the seeds of these programs; more of them may be named later (default: none)",
		FIELD(seeds)},
	{"Programs", "sources", 0, CLI_STRING, "FOLDER",
		"take the files that end in .c (C++: .cc, .cpp, .cxx, .C; Rust: .rs), in folders "
		"of it as well (default: none)",
		FIELD(sources)},
	{"Programs", "mutate", 0, CLI_COUNT, "N",
		"N mutants of each program that is kept, too; see xstep mutate --help (default: "
		"none)",
		FIELD(mutate)},
	{"Programs", "probes", 0, CLI_COUNT, "N",
		"N times each program that is kept with probes planted in it, too; see xstep "
		"mutate "
		"--help (default: none)",
		FIELD(probes)},

	{"Which are kept", "max-source", 0, CLI_COUNT, "BYTES",
		"no source that is larger (default: 1048576)", FIELD(max_source)},
	{"Which are kept", "max-steps", 0, CLI_COUNT, "N",
		"none that executes more instructions of its own (default: 10000000)",
		FIELD(max_steps)},
	{"Which are kept", "run-timeout", 0, CLI_COUNT, "S",
		"none that takes longer by itself, in seconds (default: 10)", FIELD(run_timeout)},
	{"Which are kept", "no-sanitize", 0, CLI_FLAG, NULL,
		"do not look for undefined behaviour by ASan and UBSan (of Rust nobody does)",
		FIELD(no_sanitize)},

	{"Builds", "compilers", 0, CLI_STRING, "CC[,CC...]",
		"compilers, by name or path (default: the newest gcc and the newest clang on "
		"PATH; C++: g++ and clang++; Rust: rustc)",
		FIELD(compilers)},
	{"Builds", "levels", 0, CLI_STRING, "LEVEL[,...]",
		"levels of optimisation; one level may have several words: '-O2 -fno-inline' "
		"(default: -O0,-O2)",
		FIELD(levels)},
	{"Builds", "flags", 0, CLI_STRING, "FLAGS", "more options for all builds (default: none)",
		FIELD(flags)},

	{"Oracles", "oracles", 0, CLI_STRING, "NAME[,...]",
		"which are asked: diff, opt, levels, avail, metrics, frames, probes, twins, ccmd "
		"(default: diff,opt)",
		FIELD(oracles)},
	{"Oracles", "witness", 0, CLI_STRING, "WHO[,WHO...]",
		"who testifies in diff, see xstep diff --help (default: xstep,gdb,lldb)",
		FIELD(witness)},

	{"Oracles", "sample", 0, CLI_CHOICE, "all|unique|dtd",
		"which stops diff looks at, see xstep diff --help (default: dtd)", FIELD(sample)},

	{"Causes", "reduce", 0, CLI_FLAG, NULL,
		"when all jobs are done, make the smallest case of each signature small; see xstep "
		"reduce --help",
		FIELD(reduce)},
	{"Causes", "culprit", 0, CLI_FLAG, NULL,
		"and find out what it depends on: pass, option, level, version; see xstep culprit "
		"--help",
		FIELD(culprit)},
	{"Causes", "cause-minutes", 0, CLI_SECONDS, "M",
		"minutes that each of these may take for a signature (default: 10)",
		FIELD(cause_minutes)},
	{"Causes", "causes", 0, CLI_COUNT, "N",
		"look into N signatures at most in this run (default: all)", FIELD(causes)},

	{"Workers", "debuggers", 0, CLI_CHOICE, "kept|fresh",
		"start gdb and lldb once, and lend a copy to each job of diff; or start them for "
		"each job (default: kept)",
		FIELD(debuggers)},
	{"Workers", "jobs", 'j', CLI_COUNT, "N",
		"work on N things at a time (default: the number of processors)", FIELD(jobs)},
	{"Workers", "compile-timeout", 0, CLI_COUNT, "S",
		"a compiler or generator that takes longer than S seconds hangs (default: 120)",
		FIELD(compile_timeout)},
	{"Workers", "timeout", 0, CLI_COUNT, "S",
		"a job that takes longer than S seconds hangs (default: 600)", FIELD(timeout)},
	{"Workers", "memory", 0, CLI_COUNT, "MIB",
		"memory of a job, of all its processes together (default: 4096)", FIELD(memory)},
	{"Workers", "output", 0, CLI_COUNT, "MIB", "what a job may print (default: 64)",
		FIELD(output)},

	{"On a cluster", "slurm", 0, CLI_FLAG, NULL,
		"cut the campaign into shards, and have Slurm do those that are missing",
		FIELD(slurm)},
	{"On a cluster", "shards", 0, CLI_COUNT, "N",
		"cut it into N shards at most; without --slurm, only that is done (default: by "
		"--shard-minutes)",
		FIELD(shards)},
	{"On a cluster", "shard-minutes", 0, CLI_COUNT, "M",
		"let a shard take about M minutes (default: 30)", FIELD(shard_minutes)},
	{"On a cluster", "sbatch", 0, CLI_STRING, "OPTIONS",
		"more options for sbatch, separated by blanks: '--partition=long' (default: as the "
		"last time)",
		FIELD(sbatch)},

	{"Output", "format", 0, CLI_CHOICE, "text|json",
		"a summary to read, or a line of JSON for each thing that is done (default: text)",
		FIELD(format)},
	{"Output", "known", 0, CLI_STRINGS, "FILE",
		"a file of reported bugs, besides those that xstep knows; may be repeated. It is "
		"not kept in DIR",
		FIELD(known)},
	{"Output", "quiet", 'q', CLI_FLAG, NULL, "print nothing on the terminal while it runs",
		FIELD(quiet)},
	{0},
};

static const char details[] =
	"Makes DIR if it is not there. The options are kept in it: to go on, `xstep campaign\n"
	"run DIR` is enough. What is given again must be what it was, or extend it: more\n"
	"seeds, more mutants, more with probes. --jobs, --debuggers, --memory, --output,\n"
	"--timeout, --run-timeout, --compile-timeout and --cause-minutes may be anything.\n"
	"--reduce and --culprit may be added at any time.\n"
	"\n"
	"Programs that are left out, with the reason, which is counted:\n"
	"those that a generator fails to make, or that are too large; that a compiler\n"
	"refuses, at any level; that do not end in time, die of a signal or print too much;\n"
	"of which two runs print different things; that ASan and UBSan complain of, built at\n"
	"-O1; whose builds do different things; that execute too many instructions. Sources\n"
	"that are tests of gcc's are built with their dg-options, and left out if they are not\n"
	"to be run here, or if what they say is not understood.\n"
	"\n"
	"With --language c++ builds are by -std=gnu++17, and with rust by --edition=2021 and\n"
	"-C opt-level for -O, unless --flags says otherwise. See docs/campaign.md.\n"
	"\n"
	"Oracles, and what each is asked about:\n"
	"  diff, levels, avail, frames  each build\n"
	"  opt                          each optimised build, and that at -O0\n"
	"  metrics                      all builds by a compiler: figures only\n"
	"  probes                       each build, with probes planted in its source\n"
	"  twins, ccmd                  each compiler and level: they build by themselves\n"
	"  build                        need not be asked: compilers that crash or hang\n"
	"A job is one oracle asked about one program by one compiler at one level, in a\n"
	"process of its own. One that crashes, hangs, or takes too much memory is recorded as\n"
	"that. It is not done again.\n"
	"\n"
	"Results do not depend on --jobs, nor on how often the campaign was interrupted. Only\n"
	"seconds do, and what limits of time cut off.\n"
	"\n"
	"Causes:\n"
	"with --reduce and --culprit signatures are looked into when all jobs are done, one\n"
	"after the other, the most certain first. Only those are that name somebody by a\n"
	"proof: the basis is replayed or evidence, or the oracle knows the truth and has\n"
	"none. What is done is not done again, nor what failed. A reduction that ran out of\n"
	"time goes on in the next run. A culprit that was not found in time is looked for\n"
	"again when --cause-minutes is more. It is looked for in the reduced source, if there\n"
	"is one. Shards do not look for causes.\n"
	"\n"
	"On a cluster:\n"
	"with --slurm the programs are cut into shards of 15 to 60 minutes. Those that are\n"
	"missing are submitted as job arrays, each task for one shard, and a job that merges\n"
	"them afterwards. Then it is done: xstep campaign status tells how far they are. To\n"
	"run it again submits what is missing by then, and is not in the queue. Shards ask\n"
	"for one processor or --jobs, and --memory for each. Afterwards DIR is worked on by\n"
	"shards only: see xstep campaign shard --help.\n"
	"\n"
	"On a terminal it says how far it is, what each worker does, how much is done in a\n"
	"minute, and how long it will take if that goes on. Signatures that the campaign had\n"
	"not yet are printed as they come. Elsewhere nothing is printed while it runs.\n"
	"\n"
	"JSON lines, as it happens:\n"
	"\t{\"event\": \"program\", program, origin, left_out, detail, builds, seconds}\n"
	"\t{\"event\": \"job\", program, origin, oracle, compiler, level, outcome,\n"
	"\tdetail, findings, new_signatures, seconds}\n"
	"\t{\"event\": \"signature\", id, signature, basis, wrong, known, program,\n"
	"\torigin, oracle, compiler, level, finding}, for each that is new, after the\n"
	"\tprogram or job that brought it\n"
	"\t{\"event\": \"cause\", id, stage, outcome, reason, file, lines, bytes,\n"
	"\tculprit, seconds}\n"
	"and at the end the object that xstep campaign status --format json prints. With\n"
	"--slurm or --shards only\n"
	"\t{shards, programs, minutes, done, missing, submitted, arrays, merge}\n"
	"\n"
	"Exit status:\n"
	"  0  done, and the campaign has no finding\n"
	"  1  done, and it has\n"
	"  2  trouble: it could not go on, no program was kept, or all jobs of an oracle failed\n"
	"A signal that ends it (^C, SIGTERM) loses what is under way, and no more. xstep then\n"
	"dies of that signal.\n";

static char *copied(const char *text)
{
	return text ? xs_strdup(text) : NULL;
}

static char *number(uint64_t value)
{
	return value ? xs_asprintf("%" PRIu64, value) : NULL;
}

static void take_options(const struct options *values, struct ora_settings *given)
{
	static const char *const samples[] = {"all", "unique", "dtd"};
	static const char *const debuggers[] = {"kept", "fresh"};
	char **value = given->value;
	value[ORA_SET_LANGUAGE] =
		copied(values->language < 0 ? NULL : ora_languages[values->language].name);
	value[ORA_SET_GENERATE] = copied(values->generate);
	value[ORA_SET_SEEDS] = copied(values->seeds);
	value[ORA_SET_SOURCES] = copied(values->sources);
	value[ORA_SET_MUTATE] = number(values->mutate);
	value[ORA_SET_PROBES] = number(values->probes);
	value[ORA_SET_COMPILERS] = copied(values->compilers);
	value[ORA_SET_LEVELS] = copied(values->levels);
	value[ORA_SET_FLAGS] = copied(values->flags);
	value[ORA_SET_ORACLES] = copied(values->oracles);
	value[ORA_SET_WITNESS] = copied(values->witness);
	value[ORA_SET_SAMPLE] = copied(values->sample < 0 ? NULL : samples[values->sample]);
	value[ORA_SET_NO_SANITIZE] = values->no_sanitize ? xs_strdup("yes") : NULL;
	value[ORA_SET_MAX_SOURCE] = number(values->max_source);
	value[ORA_SET_MAX_STEPS] = number(values->max_steps);
	value[ORA_SET_RUN_SECONDS] = number(values->run_timeout);
	value[ORA_SET_COMPILE_SECONDS] = number(values->compile_timeout);
	value[ORA_SET_JOB_SECONDS] = number(values->timeout);
	value[ORA_SET_MEMORY] = number(values->memory);
	value[ORA_SET_OUTPUT] = number(values->output);
	value[ORA_SET_JOBS] = number(values->jobs);
	value[ORA_SET_DEBUGGERS] =
		copied(values->debuggers < 0 ? NULL : debuggers[values->debuggers]);
	value[ORA_SET_REDUCE] = values->reduce ? xs_strdup("yes") : NULL;
	value[ORA_SET_CULPRIT] = values->culprit ? xs_strdup("yes") : NULL;
	value[ORA_SET_CAUSE_MINUTES] =
		values->cause_minutes > 0 ? xs_asprintf("%g", values->cause_minutes) : NULL;
}

/* Whether it is to be cut into shards. */
static bool is_cut(const struct options *values)
{
	return values->slurm || values->shards || values->shard_minutes;
}

/* Plans shards, and submits them. */
static struct xs_error *run_shards(
	const struct options *values, const char *folder, struct ora_settings *given)
{
	const struct ora_cut cut = {.shards = values->shards,
		.minutes = values->shard_minutes,
		.sbatch = values->sbatch};
	struct xs_error *err = cli_shards_run(folder, given, &cut, values->slurm, values->format);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	return err;
}

static void on_event(void *context, const struct ora_campaign_event *event)
{
	struct options *values = context;
	cli_watch_event(&values->watch, event);
}

/* What it came to: all figures, and as text the signatures that matter most. */
static struct xs_error *summarise(const struct options *values, const struct ora_known *known,
	struct ora_campaign *campaign, size_t *found)
{
	enum { MOST = 5 };
	const struct cli_campaign_wishes wishes = {.known = known, .most = MOST};
	struct xs_error *err =
		cli_campaign_status(stdout, campaign->store, campaign->folder, values->format);
	if (!err)
		err = cli_campaign_findings(
			values->format ? NULL : stdout, campaign->store, &wishes, found);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	return err ? err : cli_campaign_vain(campaign->store, campaign->folder);
}

static int cmd_campaign_run(int argc, char **argv)
{
	struct options values = {.sample = -1, .debuggers = -1, .language = -1};
	struct xs_strings words = {0};
	bool help = false;
	size_t found = 0;
	struct ora_known known = {0};
	struct ora_campaign campaign = {.on_event = on_event, .context = &values};
	struct xs_error *err = cli_parse_all(&cli_campaign_run, argc, argv, &values, &words, &help);
	if (!err && help) {
		cli_print_help(&cli_campaign_run, stdout);
	} else if (!err && words.vec.len != 1) {
		err = xs_error_create(
			"campaign run: name one folder; see xstep campaign run --help");
	} else if (!err && values.sbatch && !values.slurm) {
		err = xs_error_create("--sbatch: is for --slurm");
	} else if (!err && is_cut(&values) && (values.reduce || values.culprit)) {
		err = xs_error_create("--reduce, --culprit: shards do not look for causes; merge "
				      "them, and go on in a folder that is not cut: xstep campaign "
				      "merge OTHER %s, xstep campaign run OTHER --reduce --culprit",
			words.vec.data[0]);
	} else if (!err && is_cut(&values)) {
		take_options(&values, &campaign.given);
		err = run_shards(&values, words.vec.data[0], &campaign.given);
	} else if (!err && !(err = cli_campaign_known(&values.known, &known))) {
		campaign.folder = words.vec.data[0];
		take_options(&values, &campaign.given);
		if (!(err = ora_campaign_begin(&campaign))) {
			cli_watch_init(&values.watch, values.quiet, values.format, &known);
			err = ora_campaign_run(&campaign);
			if (!err && !campaign.signal)
				err = ora_stages_run(&campaign, values.causes);
			cli_watch_end(&values.watch);
		}
		if (!err && campaign.signal)
			xs_print(stderr, "xstep: interrupted: xstep campaign run %s goes on\n",
				campaign.folder);
		else if (!err)
			err = summarise(&values, &known, &campaign, &found);
	}
	ora_campaign_deinit(&campaign);
	ora_known_deinit(&known);
	xs_vec_deinit(&values.known.vec);
	xs_vec_deinit(&words.vec);
	int status = err ? cli_fail(err) : found ? CLI_FOUND : CLI_NOTHING;
	if (campaign.signal) /* whoever sent it expects us to die of it */
		cli_screen_die(campaign.signal);
	return status;
}

const struct cli_command cli_campaign_run = {
	.name = "campaign run",
	.operands = "DIR",
	.summary = "Begin a campaign, or go on with one",
	.details = details,
	.options = options,
	.run = cmd_campaign_run,
};
