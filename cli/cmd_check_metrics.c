/* cmd_check_metrics.c - xstep check metrics: how much optimised programs let a debugger show. */
#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/report/metrics_print.h"

struct options {
	struct cli_check check;
	int format; /* text|json|svg */
	bool functions, variables, instances;
};

static const struct cli_option options[] = {
	{"What to tell", "functions", 0, CLI_FLAG, NULL, "text: list each function, too",
		offsetof(struct options, functions)},
	{"What to tell", "variables", 0, CLI_FLAG, NULL,
		"text: list each variable, how much of it is there, and where it is lost",
		offsetof(struct options, variables)},
	{"What to tell", "instances", 0, CLI_FLAG, NULL,
		"of variables, tell inlined instances apart, too; OPT is run once more by "
		"instructions. Implies --variables",
		offsetof(struct options, instances)},
	{"What to tell", "format", 0, CLI_CHOICE, "text|json|svg",
		"a table, one JSON object with everything, or a plot (default: text)",
		offsetof(struct options, format)},
	{"What to tell", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of FUNCTION, or at the first arrival at FILE:LINE, "
		"and end when that call returns (default: main)",
		offsetof(struct options, check.record.from)},
	{"What to tell", "trace", 0, CLI_STRINGS, "N",
		"with FILE.db: the trace of UNOPT by breakpoints, then the traces of OPT",
		offsetof(struct options, check.traces)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	{0},
};

static const char details[] =
	"Runs each program from one temporary breakpoint on a line to the next and\n"
	"compares each OPT with UNOPT. All are built from one source, and all get the\n"
	"ARGs. A line counts by its first hit.\n"
	"  lines      the share of UNOPT's lines that OPT hits, too\n"
	"  available  the share of variables with a value in UNOPT that have one in OPT;\n"
	"             the average over those lines\n"
	"  product    of both\n"
	"  hit, of    lines that both hit; lines that UNOPT hits\n"
	"Where there was nothing to measure, a figure is `-`, in JSON null.\n"
	"\n"
	"--variables has columns as llvm-dwarfdump --show-variable-coverage has them with\n"
	"--coverage-baseline; here lines are those that are hit:\n"
	"  Function, Variable, Decl   which variable, and where it is declared\n"
	"  Baseline                   lines of UNOPT on which it has a value\n"
	"  LinesPresent               of these, lines that OPT hits\n"
	"  LinesCovered               of those, lines on which it has a value in OPT\n"
	"  CoveredRatio               LinesCovered / Baseline\n"
	"  LinesPresentRatio          LinesPresent / Baseline\n"
	"  Lost                       lines that are present and not covered, and how:\n"
	"                             optimized-out, or absent\n"
	"  InlChain, InstanceCount    with --instances: where that instance of the function\n"
	"                             is inlined, innermost call first; how many there are.\n"
	"                             Those that were not executed are not known. `all\n"
	"                             together` is by the first hit in any of them\n"
	"\n"
	"JSON:\n"
	"\t{\"programs\": [{program, witness, version, against, total: {lines, common,\n"
	"\tline_coverage, availability, product, variables}, functions: [...],\n"
	"\tvariables: [{function, variable, decl: {file, line}, lines_covered, baseline,\n"
	"\tcovered_ratio, lines_present, lines_present_ratio, lost: [{line, state}],\n"
	"\tinstance_count, instances: [{inl_chain, lines_covered, ...}]}]}],\n"
	"\t\"lost\": [{witness, why}]}\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble: a witness that failed, or nothing that could be measured\n";

/* How many of the words are programs: those before `--`. */
static int count_programs(int argc, char **argv)
{
	int count = 0;
	while (count < argc && strcmp(argv[count], "--") != 0)
		count++;
	return count;
}

/* Sees that the traces of all programs are there; `programs` of the words are such. */
static struct xs_error *record_all(struct options *values, int argc, char **argv, int programs)
{
	struct ora_trace_cache *cache = &values->check.checking.cache;
	struct xs_error *err = NULL;
	if (programs < 2)
		return xs_error_create("check metrics: name UNOPT and at least one OPT; arguments "
				       "of the programs stand behind --; see xstep check metrics "
				       "--help");
	XS_AUTO_FREE char **words = xs_calloc((size_t)argc + 1, sizeof *words);
	for (int i = programs + 1; i < argc; i++)
		words[i - programs] = argv[i];
	for (int i = 1; !err && i < programs; i++)
		if ((err = ora_checking_same_source(argv[0], argv[i])))
			err = xs_error_context(
				err, "check metrics: each word before -- is a program");
	for (int i = 0; !err && i < programs; i++) {
		words[0] = argv[i];
		err = ora_measuring_record(cache, words, (size_t)i, values->instances);
	}
	return err;
}

/* Nothing measured is no result: which program it is. */
static struct xs_error *find_unmeasured(const struct ora_measuring *all)
{
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct ora_measured *one = &all->vec.data[i];
		const char *opt = one->path, *unopt = one->against;
		const char *witness = one->opt->trace.witness;
		if (!one->metrics.total.lines)
			return xs_error_create("check metrics: nothing could be measured: %s hits "
					       "no line of %s",
				witness, unopt);
		if (!one->metrics.total.common)
			return xs_error_create("check metrics: nothing could be measured: by %s, "
					       "%s hits none of the %" PRIu64 " lines of %s",
				witness, opt, one->metrics.total.lines, unopt);
	}
	return NULL;
}

static struct xs_error *print(const struct options *values, const struct cli_metrics *metrics)
{
	static void (*const formats[])(FILE *, const struct cli_metrics *) = {
		cli_metrics_text, cli_metrics_json, cli_metrics_svg};
	formats[values->format](stdout, metrics);
	return fflush(stdout) || ferror(stdout) ? xs_error_sys("standard output")
						: find_unmeasured(metrics->all);
}

static int cmd_check_metrics(int argc, char **argv)
{
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	struct ora_trace_cache *cache = &check->checking.cache;
	struct ora_measuring all = {0};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_metrics, argc, argv, &values, &first, &help);
	cli_check_begin(check);
	if (!err && help) {
		cli_print_help(&cli_check_metrics, stdout);
		return cli_check_end(check, NULL);
	}
	bool stored = !err && first < argc && ora_store_is_meant(argv[first]);
	int programs = count_programs(argc - first, argv + first);
	if (stored && (argc - first > 1 || values.instances))
		err = xs_error_create("check metrics: a trace store takes neither programs, nor "
				      "arguments, nor --instances");
	else if (stored)
		err = ora_measuring_take(
			cache, argv[first], check->traces.vec.data, check->traces.vec.len);
	else if (!err && check->traces.vec.len)
		err = xs_error_create("--trace: it takes a trace store, not programs");
	else if (!err)
		err = record_all(&values, argc - first, argv + first, programs);
	if (!err)
		err = ora_measuring_measure(cache, stored ? NULL : argv + first,
			stored ? cache->found.len : (size_t)programs, values.instances, &all);
	const struct cli_metrics metrics = {.all = &all,
		.lost = &cache->lost,
		.functions = values.functions,
		.variables = values.variables || values.instances,
		.instances = values.instances};
	if (!err)
		err = print(&values, &metrics);
	ora_measuring_deinit(&all);
	return cli_check_end(check, err);
}

const struct cli_command cli_check_metrics = {
	.name = "check metrics",
	.operands = "UNOPT OPT... [-- ARG...] | FILE.db",
	.summary = "Measure how many lines and variables optimised programs can show",
	.details = details,
	.options = options,
	.run = cmd_check_metrics,
	.paged = true,
};
