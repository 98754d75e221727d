#include "cli/report/show_print.h"

#include "base/shown.h"
#include "cli/report/csv.h"
#include "cli/report/json.h"
#include "oracle/witness/question.h"

/* --- comma-separated values ------------------------------------------------------------------- */

static void csv_pc(FILE *out, const struct ora_store_place *place)
{
	XS_AUTO_FREE char *text =
		place->module ? xs_asprintf("%s+0x%" PRIx64, place->module, place->address)
			      : xs_asprintf("0x%" PRIx64, place->address);
	cli_csv_field(out, text);
}

static const char csv_stop_head[] = "stop,prev,pc,n,function,file,line,column";
static const char csv_fact_head[] = "scope,var,decl_line,frame,path,type,state,value,message";

static void csv_stop(FILE *out, const struct ora_told *stop)
{
	xs_print(out, "%" PRIu64 ",", stop->number);
	if (stop->prev)
		csv_pc(out, stop->prev);
	putc(',', out);
	csv_pc(out, stop->place);
	xs_print(out, ",%" PRIu64 ",", stop->n);
	cli_csv_field(out, stop->place->function);
	putc(',', out);
	cli_csv_field(out, stop->place->file);
	if (stop->place->has_row)
		xs_print(out, ",%u,%u", stop->place->line, stop->place->column);
	else
		xs_print(out, ",,");
}

static void csv_fact(FILE *out, const struct ora_told_fact *fact)
{
	cli_csv_field(out, fact->variable->scope);
	putc(',', out);
	cli_csv_field(out, fact->variable->name);
	xs_print(out, ",%u,%u,", fact->variable->line, fact->frame);
	cli_csv_field(out, fact->path);
	putc(',', out);
	cli_csv_field(out, fact->type);
	xs_print(out, ",%s,", ora_state_text(fact->state));
	cli_csv_field(out, fact->value);
	putc(',', out);
	cli_csv_field(out, fact->message);
	putc('\n', out);
}

/* --- stops, one after the other -------------------------------------------------------------- */

static void fit(void *arg, const struct ora_store_place *prev, const struct ora_store_place *place,
	uint64_t count, uint64_t first)
{
	(void)prev, (void)count, (void)first;
	cli_printer_fit(arg, place->function, place->file, place->module ? 0 : place->address);
}

struct xs_error *cli_show_open(struct cli_show *show, struct ora_store *store)
{
	const struct ora_store_trace *about = &show->trace->trace;
	bool json = show->format == CLI_SHOW_JSON;
	struct xs_error *err = ora_reader_create(store, show->trace->id, &show->reader);
	if (err)
		return err;
	cli_printer_init(&show->printer, show->out);
	show->printer.vars = strcmp(about->vars, "none") != 0;
	show->printer.frames = about->frames && (json || show->frames);
	show->printer.regs = about->regs && (json || show->regs);
	return json ? NULL : ora_store_transitions(store, show->trace->id, fit, &show->printer);
}

void cli_show_close(struct cli_show *show)
{
	if (!show->reader)
		return;
	cli_printer_deinit(&show->printer);
	ora_reader_destroy(xs_take(&show->reader));
}

static bool is_in_range(const struct cli_show *show, const struct ora_told *stop)
{
	return stop->number >= show->from && (!show->to || stop->number <= show->to);
}

struct xs_error *cli_show_stops(struct cli_show *show)
{
	FILE *out = show->out;
	const struct ora_told *stop;
	struct xs_error *err;
	if (show->format == CLI_SHOW_CSV)
		xs_print(out, "%s\n", csv_stop_head);
	while (!(err = ora_reader_next(show->reader, &stop)) && stop && !ferror(out)) {
		if (!is_in_range(show, stop))
			continue;
		if (show->format == CLI_SHOW_JSON) {
			cli_print_json(&show->printer, stop);
		} else if (show->format == CLI_SHOW_TEXT) {
			cli_print_text(&show->printer, stop);
		} else {
			csv_stop(out, stop);
			putc('\n', out);
		}
	}
	return err;
}

/* --- a variable's life ----------------------------------------------------------------------- */

/* Whether path is the wanted one or part of it. */
static bool is_wanted(const char *wanted, const char *path)
{
	size_t length = strlen(wanted);
	return !strncmp(path, wanted, length) &&
	       (!path[length] || path[length] == '.' || path[length] == '[');
}

static void show_change(
	const struct cli_show *show, const struct ora_told *stop, const struct ora_told_fact *fact)
{
	FILE *out = show->out;
	if (show->format == CLI_SHOW_JSON) {
		xs_print(out, "{\"stop\":%" PRIu64 ",\"pc\":", stop->number);
		cli_json_pc(out, stop->place);
		cli_json_key(out, "function", stop->place->function);
		cli_json_key(out, "file", stop->place->file);
		if (stop->place->has_row)
			xs_print(out, ",\"line\":%u,\"fact\":", stop->place->line);
		else
			xs_print(out, ",\"line\":null,\"fact\":");
		cli_json_told(out, fact, NULL, false);
		fputs("}\n", out);
	} else if (show->format == CLI_SHOW_CSV) {
		csv_stop(out, stop);
		putc(',', out);
		csv_fact(out, fact);
	} else {
		xs_print(out, "%7" PRIu64 "  ", stop->number);
		cli_print_line(out, stop->place);
		fputs("  ", out);
		cli_print_fact(out, fact);
		xs_print(out, "  (%s%s%s)\n", fact->variable->scope ? fact->variable->scope : "",
			fact->undeclared ? ", not yet declared" : "",
			fact->shadowed ? ", hidden" : "");
	}
}

struct xs_error *cli_show_life(struct cli_show *show, const char *path)
{
	const struct ora_told *stop;
	struct xs_error *err;
	bool known = false;
	if (show->format == CLI_SHOW_CSV)
		xs_print(show->out, "%s,%s\n", csv_stop_head, csv_fact_head);
	while (!(err = ora_reader_next(show->reader, &stop)) && stop && !ferror(show->out))
		for (size_t i = 0; i < stop->facts.len; i++) {
			const struct ora_told_fact *fact = &stop->facts.data[i];
			if (!is_wanted(path, fact->path))
				continue;
			known = true;
			if (is_in_range(show, stop))
				show_change(show, stop, fact);
		}
	if (!err && !known)
		err = xs_error_create("--var %s: trace %" PRIu64 " tells no such variable", path,
			show->trace->id);
	return err;
}

/* --- the state at one stop ------------------------------------------------------------------- */

static void text_leaf(void *arg, const struct ora_told_fact *fact)
{
	FILE *out = ((struct cli_show *)arg)->out;
	fputs("  ", out);
	cli_print_fact(out, fact);
	xs_print(out, "  (%s)%s%s%s", fact->type ? fact->type : "?",
		fact->shadowed ? "  [hidden]" : "", fact->undeclared ? "  [not yet declared]" : "",
		fact->unstable ? "  [unstable]" : "");
	if (fact->message)
		xs_print(out, "  %s", fact->message);
	if (fact->frame)
		xs_print(out, "  frame %u", fact->frame);
	putc('\n', out);
}

static void text_reg(void *arg, const struct ora_told_reg *reg)
{
	struct cli_show *show = arg;
	FILE *out = show->out;
	fputs(show->count++ ? " " : "  ", out);
	cli_print_reg(out, reg);
}

static void json_leaf(void *arg, const struct ora_told_fact *fact)
{
	struct cli_show *show = arg;
	FILE *out = show->out;
	if (show->count++)
		putc(',', out);
	cli_json_told(out, fact, NULL, false);
}

static void json_reg(void *arg, const struct ora_told_reg *reg)
{
	struct cli_show *show = arg;
	FILE *out = show->out;
	fputs(show->count++ ? "," : "", out);
	cli_json_string(out, reg->name);
	putc(':', out);
	if (!reg->known || reg->text)
		cli_json_string(out, reg->text);
	else
		xs_print(out, "\"0x%" PRIx64 "\"", reg->value);
}

static void csv_leaf(void *arg, const struct ora_told_fact *fact)
{
	FILE *out = ((struct cli_show *)arg)->out;
	csv_fact(out, fact);
}

void cli_show_state(struct cli_show *show, const struct ora_told *stop)
{
	FILE *out = show->out;
	struct ora_reader *reader = show->reader;
	if (show->format == CLI_SHOW_CSV) {
		xs_print(out, "%s\n", csv_fact_head);
		ora_reader_state(reader, csv_leaf, NULL, show);
		return;
	}
	bool json = show->format == CLI_SHOW_JSON;
	struct ora_told bare = *stop; /* the stop without its changes */
	bare.facts.len = bare.regs.len = 0;
	show->printer.vars = show->printer.regs = false;
	show->printer.frames = stop->has_frames;
	if (!json) {
		cli_print_text(&show->printer, &bare);
		ora_reader_state(reader, text_leaf, NULL, show);
		ora_reader_state(reader, NULL, text_reg, show);
		if (show->count)
			putc('\n', out);
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
	show->printer.out = out;
	fwrite(text, 1, size - 2, out);
	free(text);
	fputs(",\"vars\":[", out);
	ora_reader_state(reader, json_leaf, NULL, show);
	show->count = 0;
	fputs("],\"regs\":{", out);
	ora_reader_state(reader, NULL, json_reg, show);
	fputs("}}\n", out);
}

/* --- about traces ---------------------------------------------------------------------------- */

static void list_trace(FILE *out, const struct ora_trace_info *trace, enum cli_show_format format)
{
	if (format == CLI_SHOW_JSON) {
		xs_print(out, "{\"trace\":%" PRIu64, trace->id);
		cli_json_key(out, "subject", trace->subject.path);
		cli_json_key(out, "witness", trace->trace.witness);
		cli_json_key(out, "version", trace->trace.version);
		cli_json_key(out, "mode", trace->trace.mode);
		cli_json_key(out, "sample", trace->trace.sample);
		xs_print(out,
			",\"seed\":%" PRIu64 ",\"kept\":%" PRIu64 ",\"transitions\":%" PRIu64
			",\"complete\":%s",
			trace->trace.seed, trace->sampled, trace->transitions,
			trace->end.complete ? "true" : "false");
		cli_json_key(out, "began", trace->began);
		cli_json_key(out, "how", trace->end.how);
		cli_json_key(out, "trouble", trace->end.trouble);
		fputs("}\n", out);
		return;
	}
	if (format == CLI_SHOW_CSV) {
		xs_print(out, "%" PRIu64 ",", trace->id);
		cli_csv_field(out, trace->subject.path);
		putc(',', out);
		cli_csv_field(out, trace->trace.witness);
		putc(',', out);
		cli_csv_field(out, trace->trace.version);
		putc(',', out);
		cli_csv_field(out, trace->trace.mode);
		putc(',', out);
		cli_csv_field(out, trace->trace.sample);
		xs_print(out, ",%" PRIu64 ",%" PRIu64 ",%d\n", trace->sampled, trace->transitions,
			trace->end.complete);
		return;
	}
	xs_print(out,
		"%5" PRIu64 "  %s %s  %s, %s  %" PRIu64 " stops kept, %" PRIu64
		" transitions  %s  %s",
		trace->id, trace->trace.witness, trace->trace.version,
		trace->trace.mode ? trace->trace.mode : "?", trace->trace.sample, trace->sampled,
		trace->transitions, trace->subject.path,
		trace->end.complete ? "complete" : "incomplete");
	if (trace->end.how)
		xs_print(out, ": %s", trace->end.how);
	if (trace->end.trouble)
		xs_print(out, ": %s", trace->end.trouble);
	putc('\n', out);
}

void cli_show_list(FILE *out, enum cli_show_format format, const struct ora_trace_list *list)
{
	if (format == CLI_SHOW_CSV)
		fputs("trace,subject,witness,version,mode,sample,kept,transitions,complete\n", out);
	for (size_t i = 0; i < list->vec.len; i++)
		list_trace(out, &list->vec.data[i], format);
}

/* The figures of a trace, summed up as the paper does. */
struct figures {
	FILE *out;                   /* where they go */
	enum cli_show_format format; /* how */
	uint64_t e[2], we[2], d[2];  /* selected, evaluated */
	bool operators;              /* the first of them was told */
};

static double percent(const uint64_t figure[2])
{
	return figure[0] ? 100.0 * (double)figure[1] / (double)figure[0] : 100.0;
}

static void on_figure(
	void *arg, const char *kind, const char *name, uint64_t selected, uint64_t evaluated)
{
	struct figures *figures = arg;
	FILE *out = figures->out;
	uint64_t *sum = !strcmp(kind, "state")         ? figures->e
			: !strcmp(kind, "instruction") ? figures->we
			: !strcmp(kind, "operator")    ? NULL
						       : figures->d;
	if (sum) {
		sum[0] += selected;
		sum[1] += evaluated;
	}
	if (figures->format == CLI_SHOW_JSON) {
		fputs(",\"", out);
		cli_json_part(out, kind);
		fputs(*name ? " " : "", out);
		cli_json_part(out, name);
		xs_print(out, "\":[%" PRIu64 ",%" PRIu64 "]", evaluated, selected);
	} else if (figures->format == CLI_SHOW_CSV) {
		cli_csv_field(out, kind);
		putc(',', out);
		cli_csv_field(out, name);
		xs_print(out, ",%" PRIu64 ",%" PRIu64 "\n", selected, evaluated);
	} else
		xs_print(out, "  %-12s %-24s %10" PRIu64 " of %" PRIu64 "\n", kind, name, evaluated,
			selected);
}

struct xs_error *cli_show_stats(FILE *out, enum cli_show_format format, struct ora_store *store,
	const struct ora_trace_info *trace)
{
	struct figures figures = {.out = out, .format = format};
	bool json = format == CLI_SHOW_JSON;
	if (json) {
		xs_print(out,
			"{\"trace\":%" PRIu64 ",\"executed\":%" PRIu64 ",\"kept\":%" PRIu64
			",\"transitions\":%" PRIu64 ",\"complete\":%s",
			trace->id, trace->end.stops, trace->sampled, trace->transitions,
			trace->end.complete ? "true" : "false");
	} else if (format == CLI_SHOW_CSV) {
		fputs("kind,name,selected,evaluated\n", out);
	} else {
		list_trace(out, trace, CLI_SHOW_TEXT);
		xs_print(out,
			"  subject      %s\n  compiled by  %s\n  run          %s to %s on %s\n",
			trace->subject.hash,
			trace->subject.producer ? trace->subject.producer : "?", trace->began,
			trace->ended ? trace->ended : "?", trace->host);
	}
	struct xs_error *err = ora_store_coverage(store, trace->id, on_figure, &figures);
	if (err)
		return err;
	bool counted = figures.e[0];
	if (json && counted)
		xs_print(out, ",\"E\":%.4f", percent(figures.e));
	else if (json)
		fputs(",\"E\":null", out);
	if (json)
		xs_print(
			out, ",\"WE\":%.4f,\"D\":%.4f}\n", percent(figures.we), percent(figures.d));
	if (format != CLI_SHOW_TEXT)
		return NULL;
	if (counted)
		xs_print(out, "  E  %.2f %% of the executed stops were kept\n", percent(figures.e));
	xs_print(out,
		"  WE %.2f %% of the executed instructions, each counted once\n"
		"  D  %.2f %% of the debug information that they select\n",
		percent(figures.we), percent(figures.d));
	return NULL;
}
