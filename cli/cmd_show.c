/* cmd_show.c - xstep show: prints what a trace store holds. */
#include "cli/commands.h"
#include "cli/program_options.h"
#include "cli/report/html_trace.h"
#include "cli/report/quote.h"
#include "cli/report/show_print.h"
#include "oracle/session/where.h"

struct options {
	uint64_t trace, from, to;
	const char *at, *var, *quote;
	int format, by;
	bool list, stats, frames, regs;
	struct ora_program program; /* surroundings of the run that a quotation takes */
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Which trace", "list", 0, CLI_FLAG, NULL, "list the traces of the store", FIELD(list)},
	{"Which trace", "trace", 0, CLI_COUNT, "N", "which trace (default: the only one)",
		FIELD(trace)},

	{"What of it", "at", 0, CLI_STRING, "WHERE",
		"print the whole state at one stop: its number N; PREV,PC,N; or the first "
		"stop at 0xPC, FILE:LINE or LINE",
		FIELD(at)},
	{"What of it", "var", 0, CLI_STRING, "VAR",
		"print the life of one variable: every change of what is said about it",
		FIELD(var)},
	{"What of it", "quote", 0, CLI_STRING, "WHERE",
		"print the commands that take a person to that stop in gdb and in lldb, and "
		"print there what --var names, or everything",
		FIELD(quote)},
	{"What of it", "by", 0, CLI_CHOICE, "both|gdb|lldb",
		"with --quote: whose commands (default: both)", FIELD(by)},
	{"What of it", "from", 0, CLI_COUNT, "N", "the first stop to print (default: 1)",
		FIELD(from)},
	{"What of it", "to", 0, CLI_COUNT, "N", "the last stop to print (default: the last one)",
		FIELD(to)},
	{"What of it", "stats", 0, CLI_FLAG, NULL,
		"print how the trace was made, how it ended, and its coverage", FIELD(stats)},

	{"Output", "format", 0, CLI_CHOICE, "text|json|csv|html",
		"text to read, JSON lines, comma-separated values, or a page to walk through "
		"(default: text)",
		FIELD(format)},
	{"Output", "frames", 0, CLI_FLAG, NULL, "text: print the backtrace at each stop, too",
		FIELD(frames)},
	{"Output", "regs", 0, CLI_FLAG, NULL, "text: print the registers at each stop, too",
		FIELD(regs)},
	CLI_PROGRAM_OPTIONS(struct options, program),
	{0},
};

static const char details[] =
	"Without --at, --var and --stats the stops are printed as xstep trace prints\n"
	"them. JSON has all that the trace holds. --format html is one file to walk through\n"
	"in a browser: stops, source with counts, lives of variables, frames, registers,\n"
	"hot lines; of at most 20000 stops, which --from and --to choose.\n"
	"\n"
	"--quote runs the program once more to count arrivals, in the surroundings that\n"
	"the last group of options describes. Paste the commands into a shell and into\n"
	"the debugger. Integers and pointers are printed as the store has them, floats\n"
	"with the debugger's own digits.\n"
	"\n"
	"A store is an SQLite file: the sqlite3 shell can ask its views lines, facts and\n"
	"states.\n"
	"\n"
	"Coverage:\n"
	"  E   how many of the executed stops were kept\n"
	"  WE  executed instructions: each counts once\n"
	"  D   debug information: how many of the line rows, scopes and locations that\n"
	"      the executed addresses select were evaluated at a kept stop\n"
	"\n"
	"Exit status:\n"
	"  0  shown\n"
	"  2  trouble\n";

/* What is wanted of the stop that --at or --quote names. */
static struct xs_error *show_at(const struct options *values, struct cli_show *show)
{
	const char *option = values->quote ? "quote" : "at";
	const char *text = values->quote ? values->quote : values->at;
	struct ora_where where;
	const struct ora_told *stop = NULL;
	uint64_t before = 0, after = 0;
	struct xs_error *err =
		ora_where_read(text, &where)
			? ora_where_find(&where, show->reader, &stop, &before, &after)
			: xs_error_create("--%s: '%s' is none of N, PREV,PC,N, 0xPC and FILE:LINE",
				  option, text);
	if (!err && stop && values->quote) {
		struct ora_program program = values->program;
		err = cli_quote(&(struct cli_quote){.program = &program,
			.trace = show->trace,
			.reader = show->reader,
			.stop = stop,
			.var = values->var,
			.by = (enum cli_quote_by)values->by});
		ora_program_release(&program);
	} else if (!err && stop) {
		cli_show_state(show, stop);
	} else if (!err && (before || after)) {
		err = xs_error_create("--%s %s: that stop was not kept; the nearest are %" PRIu64
				      " and %" PRIu64,
			option, text, before, after ? after : before);
	} else if (!err) {
		err = xs_error_create("--%s %s: no such stop was kept in trace %" PRIu64, option,
			text, show->trace->id);
	}
	ora_where_deinit(&where);
	return err;
}

static struct xs_error *choose(const char *path, const struct ora_trace_list *list, uint64_t wanted,
	const struct ora_trace_info **ret)
{
	for (size_t i = 0; i < list->vec.len; i++)
		if (list->vec.data[i].id == wanted || (!wanted && list->vec.len == 1)) {
			*ret = &list->vec.data[i];
			return NULL;
		}
	if (!list->vec.len)
		return xs_error_create("%s: there is no trace in it", path);
	if (wanted)
		return xs_error_create("%s: no trace %" PRIu64 "; --list lists them", path, wanted);
	return xs_error_create("%s: there are %zu traces: choose one with --trace N; --list lists "
			       "them",
		path, list->vec.len);
}

static struct xs_error *show_trace(
	struct ora_store *store, const struct options *values, const struct ora_trace_info *trace)
{
	enum cli_show_format format = (enum cli_show_format)values->format;
	struct cli_show show = {.out = stdout,
		.format = format,
		.trace = trace,
		.from = values->from,
		.to = values->to,
		.frames = values->frames,
		.regs = values->regs};
	if (format == CLI_SHOW_HTML)
		return cli_html_trace(&(struct cli_html_trace){.out = stdout,
			.store = store,
			.trace = trace,
			.from = values->from,
			.to = values->to});
	if (values->stats)
		return cli_show_stats(stdout, format, store, trace);
	struct xs_error *err = cli_show_open(&show, store);
	if (!err)
		err = values->at || values->quote ? show_at(values, &show)
		      : values->var               ? cli_show_life(&show, values->var)
						  : cli_show_stops(&show);
	cli_show_close(&show);
	return err;
}

static struct xs_error *run(const struct options *values, const char *path)
{
	XS_AUTO(ora_store) store = NULL;
	struct ora_trace_list list = {0};
	const struct ora_trace_info *trace = NULL;
	struct xs_error *err;
	if (values->at && (values->var || values->quote))
		return xs_error_create("--at and --%s: choose one", values->var ? "var" : "quote");
	if (values->by && !values->quote)
		return xs_error_create("--by goes with --quote only");
	if (values->quote && values->format)
		return xs_error_create("--quote prints commands: --format does not go with it");
	if (values->format == CLI_SHOW_HTML &&
		(values->list || values->stats || values->at || values->var))
		return xs_error_create("--format html is a page of the whole trace: of --list, "
				       "--stats, --at and --var there is none");
	if ((err = ora_store_open(path, ORA_STORE_READ, &store)))
		return err;
	if (!(err = ora_store_traces(store, &list))) {
		if (values->list)
			cli_show_list(stdout, (enum cli_show_format)values->format, &list);
		else if (!(err = choose(path, &list, values->trace, &trace)))
			err = show_trace(store, values, trace);
	}
	ora_trace_list_deinit(&list);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	return err;
}

static int cmd_show(int argc, char **argv)
{
	struct options values = {0};
	struct xs_strings operands = {0};
	bool help = false;
	struct xs_error *err = cli_parse_all(&cli_show, argc, argv, &values, &operands, &help);
	if (!err && help)
		cli_print_help(&cli_show, stdout);
	else if (!err && operands.vec.len != 1)
		err = xs_error_create("show: name one trace store; see xstep show --help");
	else if (!err)
		err = run(&values, operands.vec.data[0]);
	xs_vec_deinit(&operands.vec);
	ora_program_deinit(&values.program);
	return err ? cli_fail(err) : CLI_NOTHING;
}

const struct cli_command cli_show = {
	.name = "show",
	.operands = "FILE.db",
	.summary = "Print a trace from a store, one stop's state, or a variable's life",
	.details = details,
	.options = options,
	.run = cmd_show,
	.paged = true,
};
