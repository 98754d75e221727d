/* cmd_check_metrics.c - xstep check metrics: how much optimised programs let a debugger show. */
#include "base/path.h"
#include "cli/check.h"
#include "cli/commands.h"
#include "cli/report/json.h"
#include "oracle/check/metrics.h"

enum { LOSSES_SHOWN = 8 }; /* lines of a variable, in text */

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

/* One OPT as one witness sees it. */
struct measured {
	const struct ora_trace_info *unopt, *opt;
	struct ora_metrics metrics;
};

struct all {
	XS_VEC(struct measured) vec;
};

static const struct ora_trace_info *trace_of(
	const struct cli_check *check, size_t witness, size_t program)
{
	/* They were asked for program by program, witness by witness. */
	for (size_t i = 0; i < check->found.len; i++) {
		const struct cli_check_trace *one = &check->found.data[i];
		if (one->witness != witness || one->program != program)
			continue;
		for (size_t k = 0; k < check->list.vec.len; k++)
			if (check->list.vec.data[k].id == one->id)
				return &check->list.vec.data[k];
	}
	return NULL;
}

static struct xs_error *measure(struct cli_check *check, size_t programs, struct all *all)
{
	size_t witnesses = 0;
	struct xs_error *err = check->found.len
				       ? ora_store_open(check->path, ORA_STORE_READ, &check->store)
				       : xs_error_create("no witness told anything");
	for (size_t i = 0; i < check->found.len; i++)
		if (check->found.data[i].witness >= witnesses)
			witnesses = check->found.data[i].witness + 1;
	for (size_t w = 0; !err && w < witnesses; w++)
		for (size_t p = 1; !err && p < programs; p++) {
			struct measured one = {
				.unopt = trace_of(check, w, 0), .opt = trace_of(check, w, p)};
			if (!one.unopt || !one.opt)
				continue;
			check->trouble |= !one.unopt->end.complete || !one.opt->end.complete;
			err = ora_metrics_measure(
				check->store, one.unopt->id, one.opt->id, &one.metrics);
			xs_vec_push(&all->vec, one);
		}
	return err;
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_row(const char *name, const char *witness, const struct ora_metrics_row *row)
{
	printf("%-24s %-6s %7.3f %9.3f %9.3f   %" PRIu64 " of %" PRIu64 " lines, %" PRIu64
	       " variables\n",
		name, witness, ora_metrics_coverage(row), ora_metrics_availability(row),
		ora_metrics_coverage(row) * ora_metrics_availability(row), row->common, row->lines,
		row->variables);
}

static void print_variables(const struct ora_metrics *metrics)
{
	for (size_t i = 0; i < metrics->variables.len; i++) {
		const struct ora_metrics_variable *one = &metrics->variables.data[i];
		if (!one->lost.len)
			continue;
		printf("  %s of %s, line %u: %" PRIu64 " of %" PRIu64 " lines; lost at", one->name,
			one->function, one->declared, one->available, one->range);
		for (size_t k = 0; k < one->lost.len && k < LOSSES_SHOWN; k++)
			printf("%s %u (%s)", k ? "," : "", one->lost.data[k].line,
				ora_state_text(one->lost.data[k].state));
		if (one->lost.len > LOSSES_SHOWN)
			printf(", and %zu more", one->lost.len - LOSSES_SHOWN);
		putchar('\n');
	}
}

static void print_text(const struct options *values, const struct all *all)
{
	printf("%-24s %-6s %7s %9s %9s\n", "", "", "lines", "available", "product");
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct measured *one = &all->vec.data[i];
		const char *witness = one->opt->trace.witness;
		print_row(xs_base_name(one->opt->subject.path), witness, &one->metrics.total);
		for (size_t k = 0; values->functions && k < one->metrics.functions.len; k++) {
			XS_AUTO_FREE char *name =
				xs_asprintf("  %s", one->metrics.functions.data[k].function);
			print_row(name, "", &one->metrics.functions.data[k]);
		}
		if (values->variables)
			print_variables(&one->metrics);
	}
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_row(const struct ora_metrics_row *row)
{
	printf("\"lines\":%" PRIu64 ",\"common\":%" PRIu64
	       ",\"line_coverage\":%.6f,\"availability\":%.6f,\"product\":%.6f,\"variables\":"
	       "%" PRIu64 "}",
		row->lines, row->common, ora_metrics_coverage(row), ora_metrics_availability(row),
		ora_metrics_coverage(row) * ora_metrics_availability(row), row->variables);
}

static void json_variable(const struct ora_metrics_variable *one)
{
	fputs("{\"function\":", stdout);
	cli_json_string(stdout, one->function);
	cli_json_key(stdout, "name", one->name);
	printf(",\"line\":%u,\"range\":%" PRIu64 ",\"available\":%" PRIu64 ",\"lost\":[",
		one->declared, one->range, one->available);
	for (size_t k = 0; k < one->lost.len; k++)
		printf("%s{\"line\":%u,\"state\":\"%s\"}", k ? "," : "", one->lost.data[k].line,
			ora_state_text(one->lost.data[k].state));
	fputs("]}", stdout);
}

static void print_json(const struct all *all)
{
	fputs("{\"programs\":[", stdout);
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct measured *one = &all->vec.data[i];
		printf("%s\n{\"program\":", i ? "," : "");
		cli_json_string(stdout, one->opt->subject.path);
		cli_json_key(stdout, "witness", one->opt->trace.witness);
		cli_json_key(stdout, "version", one->opt->trace.version);
		cli_json_key(stdout, "against", one->unopt->subject.path);
		fputs(",\"total\":{", stdout);
		json_row(&one->metrics.total);
		fputs(",\"functions\":[", stdout);
		for (size_t k = 0; k < one->metrics.functions.len; k++) {
			printf("%s{\"function\":", k ? "," : "");
			cli_json_string(stdout, one->metrics.functions.data[k].function);
			putchar(',');
			json_row(&one->metrics.functions.data[k]);
		}
		fputs("],\"variables\":[", stdout);
		for (size_t k = 0; k < one->metrics.variables.len; k++) {
			fputs(k ? "," : "", stdout);
			json_variable(&one->metrics.variables.data[k]);
		}
		fputs("]}", stdout);
	}
	puts("]}");
}

/* --- a plot: for each program three bars ------------------------------------------------------ */

enum { PLOT_HIGH = 220, PLOT_LEFT = 48, PLOT_TOP = 36, BAR_WIDE = 18, GROUP_WIDE = 84 };

static void svg_text(const char *text)
{
	for (; *text; text++)
		if (*text == '&' || *text == '<' || *text == '>')
			printf("&#%d;", *text);
		else
			putchar(*text);
}

static void print_svg(const struct all *all)
{
	static const char *const colours[] = {"#4477aa", "#66ccee", "#228833"};
	static const char *const names[] = {"line coverage", "availability", "product"};
	int wide = PLOT_LEFT + GROUP_WIDE * (int)all->vec.len + 20;
	wide = wide > 420 ? wide : 420;
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	       "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" "
	       "height=\"100%%\" "
	       "fill=\"white\"/>\n",
		wide, PLOT_TOP + PLOT_HIGH + 44);
	for (int i = 0; i < 3; i++)
		printf("<rect x=\"%d\" y=\"10\" width=\"11\" height=\"11\" fill=\"%s\"/><text "
		       "x=\"%d\" "
		       "y=\"20\">%s</text>\n",
			PLOT_LEFT + 120 * i, colours[i], PLOT_LEFT + 120 * i + 16, names[i]);
	for (int i = 0; i <= 4; i++) {
		int y = PLOT_TOP + PLOT_HIGH - PLOT_HIGH * i / 4;
		printf("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#cccccc\"/><text "
		       "x=\"%d\" y=\"%d\" text-anchor=\"end\">%d %%</text>\n",
			PLOT_LEFT, wide - 10, y, y, PLOT_LEFT - 6, y + 4, 25 * i);
	}
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct measured *one = &all->vec.data[i];
		double lines = ora_metrics_coverage(&one->metrics.total);
		double available = ora_metrics_availability(&one->metrics.total);
		double values[] = {lines, available, lines * available};
		int left = PLOT_LEFT + 10 + GROUP_WIDE * (int)i;
		for (int k = 0; k < 3; k++)
			printf("<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" "
			       "fill=\"%s\"><title>%s %.3f</title></rect>\n",
				left + (BAR_WIDE + 2) * k, PLOT_TOP + PLOT_HIGH * (1 - values[k]),
				BAR_WIDE, PLOT_HIGH * values[k], colours[k], names[k], values[k]);
		for (int k = 0; k < 2; k++) {
			printf("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", left + 29,
				PLOT_TOP + PLOT_HIGH + 16 + 14 * k);
			svg_text(
				k ? one->opt->trace.witness : xs_base_name(one->opt->subject.path));
			puts("</text>");
		}
	}
	puts("</svg>");
}

/* --- the command ------------------------------------------------------------------------------ */

/* The traces of a store, all of one witness; *programs: how many. */
static struct xs_error *find_stored(struct cli_check *check, const char *path,
	const struct cli_check_need *need, size_t *programs)
{
	struct xs_error *err = cli_check_named(check, path, need, 1);
	*programs = check->found.len;
	for (size_t i = 0; i < check->found.len; i++) {
		check->found.data[i].witness = 0;
		check->found.data[i].program = i;
	}
	if (!err && *programs < 2)
		err = xs_error_create("%s: --trace N of UNOPT, then at least one of OPT", path);
	return err;
}

static int cmd_check_metrics(int argc, char **argv)
{
	static const struct cli_check_need need = {"program", ORA_LEVEL_BREAK, CLI_SAMPLE_ALL};
	struct options values = {.check = CLI_CHECK_INIT};
	struct cli_check *check = &values.check;
	struct all all = {0};
	int first = 0;
	bool help = false;
	struct xs_error *err = cli_parse(&cli_check_metrics, argc, argv, &values, &first, &help);
	if (!err && help) {
		cli_print_help(&cli_check_metrics, stdout);
		return cli_check_end(check, NULL, false);
	}
	size_t programs = (size_t)(argc - first);
	bool stored = !err && first < argc && ora_store_is_meant(argv[first]);
	if (stored)
		err = find_stored(check, argv[first], &need, &programs);
	else if (!err && check->traces.vec.len)
		err = xs_error_create("--trace: it takes a trace store, not programs");
	else if (!err && argc - first < 2)
		err = xs_error_create("check metrics: UNOPT and at least one OPT; see xstep check "
				      "metrics --help");
	for (int i = first; !err && !stored && i < argc; i++) {
		char *words[] = {argv[i], NULL};
		size_t before = check->found.len;
		err = cli_check_trace(check, words, &need, 1);
		for (size_t k = before; k < check->found.len; k++)
			check->found.data[k].program = (size_t)(i - first);
	}
	if (!err)
		err = measure(check, programs, &all);
	if (!err && values.format == 1)
		print_json(&all);
	else if (!err && values.format == 2)
		print_svg(&all);
	else if (!err)
		print_text(&values, &all);
	for (size_t i = 0; i < all.vec.len; i++)
		ora_metrics_deinit(&all.vec.data[i].metrics);
	xs_vec_deinit(&all.vec);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	return cli_check_end(check, err, false);
}

const struct cli_command cli_check_metrics = {
	.name = "check metrics",
	.operands = "UNOPT OPT... | FILE.db",
	.summary = "How many lines and variables optimised programs let a debugger show",
	.details = details,
	.options = options,
	.run = cmd_check_metrics,
};
