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
	{"What to tell", "functions", 0, CLI_FLAG, NULL, "text: each function, too",
		offsetof(struct options, functions)},
	{"What to tell", "variables", 0, CLI_FLAG, NULL,
		"text: each variable that is lost somewhere, and where",
		offsetof(struct options, variables)},
	{"What to tell", "format", 0, CLI_CHOICE, "text|json|svg",
		"a table, one JSON object with all of it, or a plot (text)",
		offsetof(struct options, format)},
	{"What to tell", "from", 0, CLI_STRING, "PLACE",
		"begin at the first call of a FUNCTION, or where FILE:LINE is first arrived at, "
		"and "
		"end when that call returns (main)",
		offsetof(struct options, check.record.from)},
	{"What to tell", "trace", 0, CLI_STRINGS, "N",
		"of FILE.db: the trace of UNOPT by breakpoints, then those of OPT",
		offsetof(struct options, check.traces)},
	CLI_CHECK_WITNESS_OPTIONS(struct options, check),
	CLI_PROGRAM_OPTIONS(struct options, check.record.program),
	CLI_CHECK_STORE_OPTIONS(struct options, check),
	{0},
};

static const char details[] = "Runs each program from one temporary breakpoint on a line to the "
			      "next and compares each OPT with\n"
			      "UNOPT, all built from one source:\n"
			      "  lines      lines hit in both, of those hit in UNOPT\n"
			      "  available  variables with a value, of those that have one in "
			      "UNOPT: the average over these lines\n"
			      "  product    of both\n"
			      "Of a variable: its defined range (the lines that both hit where it "
			      "is declared and has a value in\n"
			      "UNOPT), how much of it OPT has, and at which lines it is lost, as "
			      "optimized-out or absent.\n"
			      "\n"
			      "JSON: "
			      "{\"programs\":[{program,witness,against,total:{lines,common,line_"
			      "coverage,availability,product,\n"
			      "variables},functions:[...],variables:[{function,name,line,range,"
			      "available,lost:[{line,state}]}]}]}.\n"
			      "\n"
			      "Exit status: 0 done, 2 trouble.\n";

static int cmd_check_metrics(int argc, char **argv)
{
	static const struct ora_trace_need need = {"program", ORA_LEVEL_BREAK, ORA_SAMPLE_ALL};
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
		err = xs_error_create("check metrics: UNOPT and at least one OPT; see xstep check "
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
	.summary = "How many lines and variables optimised programs let a debugger show",
	.details = details,
	.options = options,
	.run = cmd_check_metrics,
};
