/* cmd_show.c - xstep show: prints what a trace store holds. */
#include <errno.h>

#include "cli/commands.h"
#include "cli/report/json.h"
#include "cli/report/print.h"
#include "cli/report/quote.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct options {
	uint64_t trace, from, to;
	const char *at, *var, *quote;
	int format, by;
	bool list, stats, frames, regs;
	struct cli_program program; /* surroundings of the run that a quotation takes */
};

#define FIELD(name) offsetof(struct options, name)

static const struct cli_option options[] = {
	{"Which trace", "list", 0, CLI_FLAG, NULL, "list the traces of the store", FIELD(list)},
	{"Which trace", "trace", 0, CLI_COUNT, "N", "that number (the only one)", FIELD(trace)},

	{"What of it", "at", 0, CLI_STRING, "WHERE",
		"the whole state at one stop: its number N; PREV,PC,N; or the first one at 0xPC, "
		"at "
		"FILE:LINE or at LINE",
		FIELD(at)},
	{"What of it", "var", 0, CLI_STRING, "PATH",
		"one variable's life: what is said of it, wherever that changes", FIELD(var)},
	{"What of it", "quote", 0, CLI_STRING, "WHERE",
		"the commands that take a person to that stop in gdb and in lldb, and print there "
		"what --var names, or all",
		FIELD(quote)},
	{"What of it", "by", 0, CLI_CHOICE, "both|gdb|lldb", "whose commands (both)", FIELD(by)},
	{"What of it", "from", 0, CLI_COUNT, "N", "stops from number N on (1)", FIELD(from)},
	{"What of it", "to", 0, CLI_COUNT, "N", "stops up to number N (the last)", FIELD(to)},
	{"What of it", "stats", 0, CLI_FLAG, NULL,
		"how it was made, how it ended, and its coverage", FIELD(stats)},

	{"Output", "format", 0, CLI_CHOICE, "text|json|csv",
		"text to read, JSON lines, or comma-separated values (text)", FIELD(format)},
	{"Output", "frames", 0, CLI_FLAG, NULL, "in the text of stops: the backtrace, too",
		FIELD(frames)},
	{"Output", "regs", 0, CLI_FLAG, NULL, "in the text of stops: registers, too", FIELD(regs)},
	CLI_PROGRAM_OPTIONS(struct options, program),
	{0},
};

static const char details[] =
	"Without --at, --var and --stats the stops are printed as xstep trace prints them; JSON "
	"has\n"
	"all that the trace holds. Coverage is told as the DTD paper does: program states (P), "
	"the\n"
	"stops kept of those executed; executed instructions (WE), each counted once; and debug\n"
	"information (D), of the line rows, scopes and locations that the executed addresses "
	"select,\n"
	"those that were evaluated at a kept stop.\n"
	"\n"
	"--quote runs the program once more, in the surroundings that the last options describe, "
	"to\n"
	"count arrivals; the commands are to be pasted into a shell and the debugger. Integers "
	"and\n"
	"pointers come out as the store has them, floats in the debugger's own digits.\n"
	"\n"
	"A store is an SQLite file: the views lines, facts and states are there for the sqlite3 "
	"shell.\n"
	"\n"
	"Exit status: 0 shown, 2 trouble.\n";

/* --- comma-separated values ------------------------------------------------------------------- */

static void csv(FILE *out, const char *text)
{
	if (!text)
		return;
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static const char csv_stop_head[] = "stop,prev,pc,n,function,file,line,column";
static const char csv_fact_head[] = "scope,var,decl_line,frame,path,type,state,value,message";

static void csv_stop(const struct ora_told *stop)
{
	printf("%" PRIu64 ",", stop->number);
	if (stop->prev)
		cli_print_pc(stdout, stop->prev);
	putchar(',');
	cli_print_pc(stdout, stop->place);
	printf(",%" PRIu64 ",", stop->n);
	csv(stdout, stop->place->function);
	putchar(',');
	csv(stdout, stop->place->file);
	if (stop->place->has_row)
		printf(",%u,%u", stop->place->line, stop->place->column);
	else
		printf(",,");
}

static void csv_fact(const struct ora_told_fact *fact)
{
	csv(stdout, fact->variable->scope);
	putchar(',');
	csv(stdout, fact->variable->name);
	printf(",%u,%u,", fact->variable->line, fact->frame);
	csv(stdout, fact->path);
	putchar(',');
	csv(stdout, fact->type);
	printf(",%s,", ora_state_text(fact->state));
	csv(stdout, fact->value);
	putchar(',');
	csv(stdout, fact->message);
	putchar('\n');
}

/* --- stops, one after the other --------------------------------------------------------------- */

struct show {
	const struct options *options;
	const struct ora_trace_info *trace;
	struct ora_reader *reader;
	struct cli_printer printer;
	size_t count; /* of what was printed last */
};

static bool is_in_range(const struct show *show, const struct ora_told *stop)
{
	return stop->number >= show->options->from &&
	       (!show->options->to || stop->number <= show->options->to);
}

static struct xs_error *show_stops(struct show *show)
{
	const struct ora_told *stop;
	struct xs_error *err;
	if (show->options->format == FORMAT_CSV)
		puts(csv_stop_head);
	while (!(err = ora_reader_next(show->reader, &stop)) && stop && !ferror(stdout)) {
		if (!is_in_range(show, stop))
			continue;
		if (show->options->format == FORMAT_JSON) {
			cli_print_json(&show->printer, stop);
		} else if (show->options->format == FORMAT_TEXT) {
			cli_print_text(&show->printer, stop);
		} else {
			csv_stop(stop);
			putchar('\n');
		}
	}
	return err;
}

/* --- a variable's life ------------------------------------------------------------------------ */

/* Whether path is the wanted one or part of it. */
static bool is_wanted(const char *wanted, const char *path)
{
	size_t length = strlen(wanted);
	return !strncmp(path, wanted, length) &&
	       (!path[length] || path[length] == '.' || path[length] == '[');
}

static void show_change(
	struct show *show, const struct ora_told *stop, const struct ora_told_fact *fact)
{
	if (show->options->format == FORMAT_JSON) {
		printf("{\"stop\":%" PRIu64 ",\"pc\":", stop->number);
		cli_json_pc(stdout, stop->place);
		cli_json_key(stdout, "function", stop->place->function);
		cli_json_key(stdout, "file", stop->place->file);
		if (stop->place->has_row)
			printf(",\"line\":%u,\"fact\":", stop->place->line);
		else
			printf(",\"line\":null,\"fact\":");
		cli_json_told(stdout, fact, NULL);
		puts("}");
	} else if (show->options->format == FORMAT_CSV) {
		csv_stop(stop);
		putchar(',');
		csv_fact(fact);
	} else {
		printf("%7" PRIu64 "  ", stop->number);
		cli_print_line(stdout, stop->place);
		fputs("  ", stdout);
		cli_print_fact(stdout, fact);
		printf("  (%s%s%s)\n", fact->variable->scope ? fact->variable->scope : "",
			fact->undeclared ? ", not yet declared" : "",
			fact->shadowed ? ", hidden" : "");
	}
}

static struct xs_error *show_life(struct show *show)
{
	const char *wanted = show->options->var;
	const struct ora_told *stop;
	struct xs_error *err;
	bool known = false;
	if (show->options->format == FORMAT_CSV)
		printf("%s,%s\n", csv_stop_head, csv_fact_head);
	while (!(err = ora_reader_next(show->reader, &stop)) && stop && !ferror(stdout))
		for (size_t i = 0; i < stop->facts.len; i++) {
			const struct ora_told_fact *fact = &stop->facts.data[i];
			if (!is_wanted(wanted, fact->path))
				continue;
			known = true;
			if (is_in_range(show, stop))
				show_change(show, stop, fact);
		}
	if (!err && !known)
		err = xs_error_create("--var %s: trace %" PRIu64 " tells no such variable", wanted,
			show->trace->id);
	return err;
}

/* --- the state at one stop -------------------------------------------------------------------- */

/* Where --at or --quote means. */
struct where {
	uint64_t number;  /* of a stop, 0: none was given */
	char *prev, *pc;  /* as they are written; NULL: not given */
	uint64_t n;       /* 0: not given */
	const char *file; /* or its end; NULL: any */
	uint64_t line;    /* 0: not given */
	char *copy;       /* what those point to */
};

static bool take_number(const char *text, uint64_t *ret)
{
	char *end;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *ret;
}

static struct xs_error *parse_where(const char *option, const char *text, struct where *ret)
{
	char *comma, *colon;
	ret->copy = xs_strdup(text);
	if ((comma = strchr(ret->copy, ','))) {
		char *second = strchr(comma + 1, ',');
		ret->prev = ret->copy;
		ret->pc = comma + 1;
		*comma = 0;
		if (second)
			*second = 0;
		if (second && take_number(second + 1, &ret->n))
			return NULL;
	} else if (!strncmp(text, "0x", 2) || strstr(text, "+0x")) {
		ret->pc = ret->copy;
		return NULL;
	} else if ((colon = strrchr(ret->copy, ':'))) {
		*colon = 0;
		ret->file = ret->copy;
		if (take_number(colon + 1, &ret->line))
			return NULL;
	} else if (take_number(text, &ret->number)) {
		return NULL;
	}
	return xs_error_create(
		"--%s: '%s' is none of N, PREV,PC,N, 0xPC and FILE:LINE", option, text);
}

static bool is_place(const struct ora_store_place *place, const char *text)
{
	char buffer[200];
	if (!place)
		return !strcmp(text, "") || !strcmp(text, "null") || !strcmp(text, "-");
	snprintf(buffer, sizeof buffer, "%s%s0x%" PRIx64, place->module ? place->module : "",
		place->module ? "+" : "", place->address);
	return !strcmp(buffer, text);
}

static bool is_file(const char *path, const char *wanted)
{
	size_t length = path ? strlen(path) : 0, size = strlen(wanted);
	return path && length >= size && !strcmp(path + length - size, wanted) &&
	       (length == size || path[length - size - 1] == '/');
}

static bool is_there(const struct where *where, const struct ora_told *stop)
{
	const struct ora_store_place *place = stop->place;
	return (!where->number || stop->number == where->number) &&
	       (!where->prev || is_place(stop->prev, where->prev)) &&
	       (!where->pc || is_place(place, where->pc)) && (!where->n || stop->n == where->n) &&
	       (!where->line || (place->has_row && place->line == where->line)) &&
	       (!where->file || is_file(place->file, where->file));
}

static void text_leaf(void *arg, const struct ora_told_fact *fact)
{
	(void)arg;
	fputs("  ", stdout);
	cli_print_fact(stdout, fact);
	printf("  (%s)%s%s%s", fact->type ? fact->type : "?", fact->shadowed ? "  [hidden]" : "",
		fact->undeclared ? "  [not yet declared]" : "",
		fact->unstable ? "  [unstable]" : "");
	if (fact->message)
		printf("  %s", fact->message);
	if (fact->frame)
		printf("  frame %u", fact->frame);
	putchar('\n');
}

static void text_reg(void *arg, const struct ora_told_reg *reg)
{
	struct show *show = arg;
	fputs(show->count++ ? " " : "  ", stdout);
	cli_print_reg(stdout, reg);
}

static void json_leaf(void *arg, const struct ora_told_fact *fact)
{
	struct show *show = arg;
	if (show->count++)
		putchar(',');
	cli_json_told(stdout, fact, NULL);
}

static void json_reg(void *arg, const struct ora_told_reg *reg)
{
	struct show *show = arg;
	printf("%s\"%s\":", show->count++ ? "," : "", reg->name);
	if (!reg->known || reg->text)
		cli_json_string(stdout, reg->text);
	else
		printf("\"0x%" PRIx64 "\"", reg->value);
}

static void csv_leaf(void *arg, const struct ora_told_fact *fact)
{
	(void)arg;
	csv_fact(fact);
}

static void show_state(struct show *show, const struct ora_told *stop)
{
	struct ora_reader *reader = show->reader;
	if (show->options->format == FORMAT_CSV) {
		puts(csv_fact_head);
		ora_reader_state(reader, csv_leaf, NULL, show);
		return;
	}
	bool json = show->options->format == FORMAT_JSON;
	struct ora_told bare = *stop; /* the stop without its changes */
	bare.facts.len = bare.regs.len = 0;
	show->printer.vars = show->printer.regs = false;
	show->printer.frames = stop->has_frames;
	if (!json) {
		cli_print_text(&show->printer, &bare);
		ora_reader_state(reader, text_leaf, NULL, show);
		ora_reader_state(reader, NULL, text_reg, show);
		if (show->count)
			putchar('\n');
		return;
	}
	/* One object: what the printer writes ends in "}\n". */
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	xs_assert(memory);
	show->printer.out = memory;
	cli_print_json(&show->printer, &bare);
	xs_assert(!fclose(memory));
	show->printer.out = stdout;
	fwrite(text, 1, size - 2, stdout);
	free(text);
	fputs(",\"vars\":[", stdout);
	ora_reader_state(reader, json_leaf, NULL, show);
	show->count = 0;
	fputs("],\"regs\":{", stdout);
	ora_reader_state(reader, NULL, json_reg, show);
	fputs("}}\n", stdout);
}

static struct xs_error *quote(struct show *show, const struct ora_told *stop)
{
	struct cli_program program = show->options->program;
	struct xs_error *err = cli_quote(&(struct cli_quote){.program = &program,
		.trace = show->trace,
		.reader = show->reader,
		.stop = stop,
		.var = show->options->var,
		.by = (enum cli_quote_by)show->options->by});
	cli_program_release(&program);
	return err;
}

/* What is wanted of the stop that --at or --quote names. */
static struct xs_error *show_at(struct show *show)
{
	struct where where = {0};
	const struct ora_told *stop = NULL;
	const char *option = show->options->quote ? "quote" : "at";
	const char *text = show->options->quote ? show->options->quote : show->options->at;
	struct xs_error *err = parse_where(option, text, &where);
	/* A lone number is a stop's, and if none has it, a line's. */
	uint64_t before = 0, behind = 0;
	while (!err && !(err = ora_reader_next(show->reader, &stop)) && stop) {
		if (is_there(&where, stop))
			break;
		if (where.number && stop->number < where.number)
			before = stop->number;
		if (where.number && stop->number > where.number) {
			behind = stop->number;
			stop = NULL;
			break;
		}
	}
	if (!err && stop && show->options->quote)
		err = quote(show, stop);
	else if (!err && stop)
		show_state(show, stop);
	else if (!err && where.number && (before || behind))
		err = xs_error_create("--%s %s: that stop was not kept; the nearest are %" PRIu64
				      " and %" PRIu64,
			option, text, before, behind ? behind : before);
	else if (!err)
		err = xs_error_create("--%s %s: no such stop was kept in trace %" PRIu64, option,
			text, show->trace->id);
	free(where.copy);
	return err;
}

/* --- about traces ----------------------------------------------------------------------------- */

static void list_trace(const struct ora_trace_info *trace, int format)
{
	if (format == FORMAT_JSON) {
		printf("{\"trace\":%" PRIu64, trace->id);
		cli_json_key(stdout, "subject", trace->subject.path);
		cli_json_key(stdout, "witness", trace->trace.witness);
		cli_json_key(stdout, "version", trace->trace.version);
		cli_json_key(stdout, "mode", trace->trace.mode);
		cli_json_key(stdout, "sample", trace->trace.sample);
		printf(",\"seed\":%" PRIu64 ",\"kept\":%" PRIu64 ",\"transitions\":%" PRIu64
		       ",\"complete\":%s",
			trace->trace.seed, trace->sampled, trace->transitions,
			trace->end.complete ? "true" : "false");
		cli_json_key(stdout, "began", trace->began);
		cli_json_key(stdout, "how", trace->end.how);
		cli_json_key(stdout, "trouble", trace->end.trouble);
		puts("}");
		return;
	}
	if (format == FORMAT_CSV) {
		printf("%" PRIu64 ",", trace->id);
		csv(stdout, trace->subject.path);
		printf(",%s,", trace->trace.witness);
		csv(stdout, trace->trace.version);
		printf(",%s,%s,%" PRIu64 ",%" PRIu64 ",%d\n",
			trace->trace.mode ? trace->trace.mode : "", trace->trace.sample,
			trace->sampled, trace->transitions, trace->end.complete);
		return;
	}
	printf("%5" PRIu64 "  %s %s  %s, %s  %" PRIu64 " stops kept, %" PRIu64
	       " transitions  %s  %s",
		trace->id, trace->trace.witness, trace->trace.version,
		trace->trace.mode ? trace->trace.mode : "?", trace->trace.sample, trace->sampled,
		trace->transitions, trace->subject.path,
		trace->end.complete ? "complete" : "incomplete");
	if (trace->end.how)
		printf(": %s", trace->end.how);
	if (trace->end.trouble)
		printf(": %s", trace->end.trouble);
	putchar('\n');
}

/* The figures of a trace, summed up as the paper does. */
struct figures {
	const struct options *options;
	uint64_t p[2], we[2], d[2]; /* selected, evaluated */
	bool operators;             /* the first of them was told */
};

static double percent(const uint64_t figure[2])
{
	return figure[0] ? 100.0 * (double)figure[1] / (double)figure[0] : 100.0;
}

static void on_figure(
	void *arg, const char *kind, const char *name, uint64_t selected, uint64_t evaluated)
{
	struct figures *figures = arg;
	uint64_t *sum = !strcmp(kind, "state")         ? figures->p
			: !strcmp(kind, "instruction") ? figures->we
			: !strcmp(kind, "operator")    ? NULL
						       : figures->d;
	if (sum) {
		sum[0] += selected;
		sum[1] += evaluated;
	}
	if (figures->options->format == FORMAT_JSON)
		printf(",\"%s%s%s\":[%" PRIu64 ",%" PRIu64 "]", kind, *name ? " " : "", name,
			evaluated, selected);
	else if (figures->options->format == FORMAT_CSV)
		printf("%s,%s,%" PRIu64 ",%" PRIu64 "\n", kind, name, selected, evaluated);
	else
		printf("  %-12s %-24s %10" PRIu64 " of %" PRIu64 "\n", kind, name, evaluated,
			selected);
}

static struct xs_error *show_stats(
	struct ora_store *store, const struct options *values, const struct ora_trace_info *trace)
{
	struct figures figures = {.options = values};
	bool json = values->format == FORMAT_JSON;
	if (json) {
		printf("{\"trace\":%" PRIu64 ",\"executed\":%" PRIu64 ",\"kept\":%" PRIu64
		       ",\"transitions\":%" PRIu64 ",\"complete\":%s",
			trace->id, trace->end.stops, trace->sampled, trace->transitions,
			trace->end.complete ? "true" : "false");
	} else if (values->format == FORMAT_CSV) {
		puts("kind,name,selected,evaluated");
	} else {
		list_trace(trace, FORMAT_TEXT);
		printf("  subject      %s\n  compiled by  %s\n  run          %s to %s on %s\n",
			trace->subject.hash,
			trace->subject.producer ? trace->subject.producer : "?", trace->began,
			trace->ended ? trace->ended : "?", trace->host);
	}
	struct xs_error *err = ora_store_coverage(store, trace->id, on_figure, &figures);
	if (err)
		return err;
	if (json)
		printf(",\"P\":%.4f,\"WE\":%.4f,\"D\":%.4f}\n", percent(figures.p),
			percent(figures.we), percent(figures.d));
	else if (values->format == FORMAT_TEXT)
		printf("  P  %.2f %% of the executed program states were kept\n"
		       "  WE %.2f %% of the executed instructions\n"
		       "  D  %.2f %% of the debug information that they select\n",
			percent(figures.p), percent(figures.we), percent(figures.d));
	return NULL;
}

/* --- the command ------------------------------------------------------------------------------ */

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

static void fit(void *arg, const struct ora_store_place *prev, const struct ora_store_place *place,
	uint64_t count, uint64_t first)
{
	(void)prev, (void)count, (void)first;
	cli_printer_fit(arg, place->function, place->file, place->module ? 0 : place->address);
}

static struct xs_error *show_trace(
	struct ora_store *store, const struct options *values, const struct ora_trace_info *trace)
{
	struct show show = {.options = values, .trace = trace};
	struct xs_error *err;
	XS_AUTO(ora_reader) reader = NULL;
	if (values->stats)
		return show_stats(store, values, trace);
	if ((err = ora_reader_create(store, trace->id, &reader)))
		return err;
	show.reader = reader;
	cli_printer_init(&show.printer, stdout);
	bool json = values->format == FORMAT_JSON;
	if (!json)
		err = ora_store_transitions(store, trace->id, fit, &show.printer);
	show.printer.vars = strcmp(trace->trace.vars, "none") != 0;
	show.printer.frames = trace->trace.frames && (json || values->frames);
	show.printer.regs = trace->trace.regs && (json || values->regs);
	if (!err)
		err = values->at || values->quote ? show_at(&show)
		      : values->var               ? show_life(&show)
						  : show_stops(&show);
	cli_printer_deinit(&show.printer);
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
	if ((err = ora_store_open(path, ORA_STORE_READ, &store)))
		return err;
	if (!(err = ora_store_traces(store, &list))) {
		if (values->list && values->format == FORMAT_CSV)
			puts("trace,subject,witness,version,mode,sample,kept,transitions,complete");
		for (size_t i = 0; values->list && i < list.vec.len; i++)
			list_trace(&list.vec.data[i], values->format);
		if (!values->list && !(err = choose(path, &list, values->trace, &trace)))
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
	struct cli_strings operands = {0};
	bool help = false;
	struct xs_error *err = cli_parse_all(&cli_show, argc, argv, &values, &operands, &help);
	if (!err && help)
		cli_print_help(&cli_show, stdout);
	else if (!err && operands.vec.len != 1)
		err = xs_error_create("show: name one trace store; see xstep show --help");
	else if (!err)
		err = run(&values, operands.vec.data[0]);
	xs_vec_deinit(&operands.vec);
	cli_program_deinit(&values.program);
	return err ? cli_fail(err) : CLI_NOTHING;
}

const struct cli_command cli_show = {
	.name = "show",
	.operands = "FILE.db",
	.summary = "Print a trace from a store, one stop's state, a variable's life, or how to see "
		   "it again",
	.details = details,
	.options = options,
	.run = cmd_show,
};
