/* cmd_check_metrics.c - xstep check metrics: how much optimised programs let a debugger show. */
#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/report/metrics_print.h"

struct options {
	struct cli_check check;
	int format; /* text|json|svg */
	bool functions, variables;
};

static const struct cli_option options[] = {
	{"What to tell", "functions", 0, CLI_FLAG, NULL, "text: list each function, too",
		offsetof(struct options, functions)},
	{"What to tell", "variables", 0, CLI_FLAG, NULL,
		"text: list each variable that is lost somewhere, and where",
		offsetof(struct options, variables)},
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
	"compares each OPT with UNOPT. All are built from one source.\n"
	"  lines      the share of UNOPT's lines that OPT hits, too\n"
	"  available  the share of variables with a value in UNOPT that have one in OPT;\n"
	"             the average over those lines\n"
	"  product    of both\n"
	"\n"
	"A variable's defined range is the lines that both programs hit, where it is\n"
	"declared and has a value in UNOPT. Told are how much of that range OPT has, and\n"
	"the lines where the variable is lost: optimized-out, or absent.\n"
	"\n"
	"JSON:\n"
	"\t{\"programs\": [{program, witness, against, total: {lines, common,\n"
	"\tline_coverage, availability, product, variables}, functions: [...],\n"
	"\tvariables: [{function, name, line, range, available,\n"
	"\tlost: [{line, state}]}]}]}\n"
	"\n"
	"Exit status:\n"
	"  0  done\n"
	"  2  trouble\n";

static int cmd_check_metrics(int argc, char **argv)
{
	static const struct ora_trace_need need = {
		"program", ORA_LEVEL_BREAK, ORA_SAMPLE_ALL, .bare = false};
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
	if (stored)
		err = ora_measuring_take(
			cache, argv[first], check->traces.vec.data, check->traces.vec.len, &need);
	else if (!err && check->traces.vec.len)
		err = xs_error_create("--trace: it takes a trace store, not programs");
	else if (!err && argc - first < 2)
		err = xs_error_create(
			"check metrics: name UNOPT and at least one OPT; see xstep check "
			"metrics --help");
	for (int i = first; !err && !stored && i < argc; i++) {
		cache->program = (size_t)(i - first);
		err = ora_trace_cache_fill(cache, (char *[]){argv[i], NULL}, &need, 1);
	}
	if (!err)
		err = ora_measuring_measure(
			cache, stored ? cache->found.len : (size_t)(argc - first), &all);
	if (!err && values.format == 1)
		cli_metrics_json(stdout, &all);
	else if (!err && values.format == 2)
		cli_metrics_svg(stdout, &all);
	else if (!err)
		cli_metrics_text(stdout, &all, values.functions, values.variables);
	ora_measuring_deinit(&all);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	return cli_check_end(check, err);
}

const struct cli_command cli_check_metrics = {
	.name = "check metrics",
	.operands = "UNOPT OPT... | FILE.db",
	.summary = "Measure how many lines and variables optimised programs can show",
	.details = details,
	.options = options,
	.run = cmd_check_metrics,
};
