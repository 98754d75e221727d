/* cmd_check_opt.c - xstep check opt: an optimised program against the same source unoptimised. */
#include "base/path.h"
#include "cli/check_options.h"
#include "cli/commands.h"

struct options {
	struct cli_check check;
	bool parts;
	uint64_t executed; /* the trace of what UNOPT executes; 0: none */
};

static const struct cli_option options[] = {
	{"What to check", "parts", 0, CLI_FLAG, NULL,
		"LI: list lines, too, that UNOPT has no code for, or that are part of a "
		"statement it executes; else they are only counted",
		offsetof(struct options, parts)},
	{"What to check", "trace", 0, CLI_STRINGS, "N",
		"with FILE.db: the trace of UNOPT, then the trace of OPT; traces of other "
		"witnesses may follow",
		offsetof(struct options, check.traces)},
	{"What to check", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		offsetof(struct options, check.record.from)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	CLI_CHECK_FINDING_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Steps through both programs by line (all steps are kept) and compares. Both are\n"
	"built from one source, and both get the ARGs. The invariants are those of the\n"
	"Debug2 paper:\n"
	"  LI  A line that is stepped on in OPT is executed in UNOPT. A line that UNOPT has\n"
	"      no code for is not asked about, nor is one that is part of a statement that\n"
	"      UNOPT executes: unoptimised code is not on all lines of a statement.\n"
	"  BI  At a line, a backtrace in OPT is part of a backtrace that UNOPT has there.\n"
	"  SI  A variable that is listed at a line in OPT, even as optimized-out, is\n"
	"      listed there in UNOPT. If UNOPT lists it in some steps on the line only,\n"
	"      and both stop there equally often, it is listed at the same arrivals\n"
	"      (sometimes-out-of-scope); nobody is blamed for that.\n"
	"  PI  A parameter or a local has a value in OPT only if it has that value at some\n"
	"      time in UNOPT. Pointers count where they are null or point to something\n"
	"      with a symbol. Locals count from where UNOPT has written them, in every\n"
	"      call; elements of local arrays and parts of unions do not.\n"
	"What each rule asked, and what it could not and why, is counted.\n"
	"\n"
	"Who is wrong? The producer of the DWARF, if the violation shows in xstep's\n"
	"trace, or if a row of the line table says it (LI). A debugger, if it shows in\n"
	"that debugger's trace and not in xstep's. With one debugger alone it stays\n"
	"undecided.\n"
	"\n"
	"JSON:\n"
	"\t{\"subject\", \"witnesses\": [{witness, label, program, version, trace}],\n"
	"\t\"summary\", \"clusters\", \"violations\": [...]}\n"
	"A violation looks like a discrepancy of xstep diff. `group` is the invariant,\n"
	"facts are by label (`xstep unopt`, `xstep opt`), and `remark` is the row of the\n"
	"line table.\n"
	"\n"
	"Exit status:\n"
	"  0  no violation\n"
	"  1  at least one violation\n"
	"  2  trouble, such as a witness that failed; what was found is printed all the\n"
	"     same\n";

static const struct ora_trace_need needs[] = {
	{"unopt", ORA_LEVEL_LINE, ORA_SAMPLE_ALL, .inner = true},
	{"opt", ORA_LEVEL_LINE, ORA_SAMPLE_ALL, .inner = true},
};

static const struct ora_trace_need executed = {
	"executed", ORA_LEVEL_INSTRUCTION, ORA_SAMPLE_UNIQUE, .bare = true};

static struct xs_error *trace_both(struct options *values, int argc, char **argv)
{
	/* Each gets the arguments behind both. */
	XS_AUTO_FREE char **words = xs_calloc((size_t)argc, sizeof *words);
	for (int i = 2; i < argc; i++)
		words[i - 1] = argv[i];
	struct ora_trace_cache *cache = &values->check.checking.cache;
	struct xs_error *err = ora_checking_same_source(argv[0], argv[1]);
	for (int i = 0; !err && i < 2; i++) {
		words[0] = argv[i];
		err = ora_trace_cache_fill(cache, words, &needs[i], 1);
	}
	words[0] = argv[0];
	if (!err)
		err = ora_checking_twice(&values->check.checking, words, &needs[0], argv[1]);
	/* What is executed is a fact, whoever else is asked. */
	const char *who = cache->hearing.witness;
	cache->hearing.witness = "xstep";
	words[0] = argv[0];
	if (!err)
		err = ora_trace_cache_fill(cache, words, &executed, 1);
	cache->hearing.witness = who;
	if (!err && !strcmp(cache->found.data[cache->found.len - 1].role, executed.role))
		values->executed = cache->found.data[cache->found.len - 1].id;
	return err;
}

static int cmd_check_opt(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	struct ora_check_opt opt = {.check = &check->checking.check};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_opt, argc, argv, &values, &first, &help);
	cli_check_begin(check);
	if (!err && help) {
		cli_print_help(&cli_check_opt, stdout);
		return cli_check_end(check, NULL);
	}
	if (!err && first < argc && ora_store_is_meant(argv[first]))
		err = first + 1 < argc ? xs_error_create("check opt: %s: one store at a time",
						 argv[first + 1])
				       : cli_check_named(check, argv[first], needs, 2);
	else if (!err && check->traces.vec.len)
		err = xs_error_create("--trace: it takes a trace store, not programs");
	else if (!err && argc - first < 2)
		err = xs_error_create(
			"check opt: name two programs, UNOPT and OPT; see xstep check opt "
			"--help");
	else if (!err && !(err = trace_both(&values, argc - first, argv + first))) {
		cli_check_words(check, "opt");
		cli_again_word(&check->again, values.parts ? "--parts" : NULL);
		cli_again_other(&check->again, argv[first], "unopt");
		cli_again_subject(&check->again, argv + first + 1);
	}
	opt.parts = values.parts;
	opt.executed = values.executed;
	if (!err && !(err = ora_checking_begin(&check->checking, needs, 2, "opt")) &&
		!(err = ora_check_opt(&opt))) {
		XS_AUTO_FREE char *headline =
			xs_asprintf("%s against %s: %" PRIu64 " steps, %" PRIu64 " lines",
				xs_base_name(check->checking.check.subject),
				xs_base_name(check->checking.check.traces[0]->subject.path),
				opt.steps, opt.lines);
		err = cli_check_print(check, "check opt", headline);
	}
	return cli_check_end(check, err);
}

const struct cli_command cli_check_opt = {
	.name = "check opt",
	.operands = "UNOPT OPT [ARG...] | FILE.db",
	.summary = "Compare an optimised program with its unoptimised build",
	.details = details,
	.options = options,
	.run = cmd_check_opt,
	.paged = true,
};
