#include "cli/report/audience.h"

#include <inttypes.h>

#include "base/private.h"
#include "base/shown.h"
#include "cli/report/json.h"
#include "oracle/session/witnesses.h"

/* --- files ------------------------------------------------------------------------------------ */

static struct xs_error *open_one(const char *option, const char *path, FILE **ret)
{
	if (path && !*ret && !(*ret = xs_private_open(path, false)))
		return xs_error_sys("--%s %s", option, path);
	return NULL;
}

static struct xs_error *open_files(struct cli_audience *audience)
{
	struct xs_error *err;
	if (audience->first)
		return NULL;
	if ((err = open_one("output", audience->output, &audience->out)) ||
		(err = open_one("transitions", audience->transitions_path, &audience->transitions)))
		return err;
	if (!audience->out)
		audience->out = stdout;
	return open_one("stats", audience->stats_path, &audience->stats);
}

static struct xs_error *flush_one(const char *path, FILE *file)
{
	if (file && (fflush(file) || ferror(file)))
		return xs_error_sys("%s", path ? path : "standard output");
	return NULL;
}

struct xs_error *cli_audience_flush(struct cli_audience *audience)
{
	struct xs_error *err;
	if ((err = flush_one(audience->output, audience->out)) ||
		(err = flush_one(audience->transitions_path, audience->transitions)))
		return err;
	return flush_one(audience->stats_path, audience->stats);
}

/* --- who -------------------------------------------------------------------------------------- */

static void print_head(const struct cli_audience *audience, const struct ora_told_about *about)
{
	FILE *out = audience->out;
	if (!audience->heads || audience->format == CLI_FORMAT_NONE)
		return;
	if (audience->format == CLI_FORMAT_TEXT) {
		xs_print(out, "%s%s%s: %s\n", about->witness, about->path ? "@" : "",
			about->path ? about->path : "", about->version ? about->version : "?");
	} else {
		fputs("{\"witness\":", out);
		cli_json_string(out, about->witness);
		cli_json_key(out, "version", about->version);
		cli_json_key(out, "path", about->path);
		fputs("}\n", out);
	}
	fflush(out);
}

static void begin_one(struct cli_audience *audience, const struct ora_told_about *about)
{
	free(audience->title);
	free(audience->witness);
	audience->title = xs_strdup(about->title);
	audience->witness = xs_strdup(about->witness);
	audience->thread = about->thread;
	audience->own = !about->path;
}

static struct xs_error *audience_begin(struct ora_sink *sink, const struct ora_told_about *about)
{
	struct cli_audience *audience = (struct cli_audience *)sink;
	struct cli_printer *printer = &audience->printer;
	struct xs_error *err = open_files(audience);
	if (err)
		return err;
	begin_one(audience, about);
	if (about->thread <= 1)
		print_head(audience, about);
	if (audience->own && !audience->first) {
		free(audience->totals.mode);
		audience->totals = (struct cli_totals){.mode = xs_strdup(about->trace.mode)};
		audience->totals.mode[strcspn(audience->totals.mode, ",")] = 0;
	}
	cli_printer_deinit(printer);
	cli_printer_init(printer, audience->out);
	cli_printer_fit_module(printer, about->info);
	printer->vars = strcmp(about->trace.vars, "none") != 0;
	printer->frames = about->trace.frames;
	printer->regs = about->trace.regs;
	printer->thread = about->thread;
	printer->foreign = !audience->own;
	printer->texts = about->texts;
	printer->shown = strcmp(about->trace.sample, "none") != 0;
	return NULL;
}

/* --- stops ------------------------------------------------------------------------------------ */

static struct xs_error *audience_stop(struct ora_sink *sink, const struct ora_told *told)
{
	struct cli_audience *audience = (struct cli_audience *)sink;
	if (audience->format == CLI_FORMAT_JSON)
		cli_print_json(&audience->printer, told);
	else
		cli_print_text(&audience->printer, told);
	return ferror(audience->out) ? flush_one(audience->output, audience->out) : NULL;
}

static void audience_transition(struct ora_sink *sink, const struct ora_told_transition *told)
{
	struct cli_audience *audience = (struct cli_audience *)sink;
	FILE *out = audience->transitions;
	putc('{', out);
	if (audience->thread)
		xs_print(out, "\"thread\":%u,", audience->thread);
	fputs("\"prev\":", out);
	cli_json_pc(out, told->prev);
	fputs(",\"pc\":", out);
	cli_json_pc(out, told->place);
	if (told->count)
		xs_print(out, ",\"count\":%" PRIu64, told->count);
	else
		fputs(",\"count\":null", out);
	fputs(told->foreign ? ",\"counted_by\":\"xstep\"}\n" : "}\n", out);
}

/* --- how it ended ----------------------------------------------------------------------------- */

/* Nothing else stands on the line of progress, which is the first one's. */
static void wipe(struct cli_audience *audience)
{
	cli_progress_end(audience->first ? &audience->first->progress : &audience->progress);
}

/* Trouble is a part of the trace: whoever reads that must not take it for complete. */
static void audience_trouble(struct ora_sink *sink, const char *message)
{
	struct cli_audience *audience = (struct cli_audience *)sink;
	FILE *out = audience->out;
	wipe(audience);
	xs_print(stderr, "xstep: %s: %s\n", audience->title, message);
	if (out && audience->format == CLI_FORMAT_TEXT) {
		xs_print(out, "trouble: %s\n", message);
	} else if (out && audience->format == CLI_FORMAT_JSON) {
		fputs("{\"witness\":", out);
		cli_json_string(out, audience->witness);
		cli_json_key(out, "trouble", message);
		fputs("}\n", out);
	}
}

static void audience_absent(
	struct ora_sink *sink, const struct ora_told_about *about, const char *problem)
{
	struct cli_audience *audience = (struct cli_audience *)sink;
	begin_one(audience, about);
	/* A file that cannot be written is told when a witness begins; none may. */
	xs_error_destroy(open_files(audience));
	if (audience->out)
		print_head(audience, about);
	ora_lost_add(&audience->absent, about->witness, problem);
	audience_trouble(sink, problem);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void say_end(const struct cli_audience *audience, const struct ora_told_end *end)
{
	XS_AUTO_FREE char *how = ora_ending_text(&end->ending);
	if (!audience->own && end->trouble && !*how)
		return;
	xs_print(stderr, "xstep: %s: ", audience->title);
	if (audience->thread)
		xs_print(stderr, "thread %u: ", audience->thread);
	xs_print(stderr, "%s%s%" PRIu64 " stop%s", how, *how ? "; " : "", end->stops,
		plural(end->stops));
	if (end->counted && end->kept != end->stops)
		xs_print(stderr, ", %" PRIu64 " kept", end->kept);
	if (end->counted)
		xs_print(stderr, ", %" PRIu64 " different transition%s", end->transitions,
			plural(end->transitions));
	putc('\n', stderr);
	for (size_t i = 0; i < end->never_count; i++)
		xs_print(stderr,
			"xstep: warning: --module %s: no such module was ever loaded; there are: "
			"%s\n",
			end->never[i], end->loaded);
}

static void add_totals(struct cli_audience *audience, const struct ora_told_end *end)
{
	struct cli_audience *first = audience->first ? audience->first : audience;
	struct cli_totals *totals = &first->totals;
	totals->stops += end->stops;
	totals->transitions += end->transitions;
	totals->effort.traps += end->effort.traps;
	totals->effort.steps += end->effort.steps;
	totals->effort.signals += end->effort.signals;
	totals->threads += audience->thread != 0;
	if (first == audience)
		totals->effort.seconds = end->effort.seconds;
}

static struct xs_error *audience_end(struct ora_sink *sink, const struct ora_told_end *end)
{
	struct cli_audience *audience = (struct cli_audience *)sink;
	wipe(audience);
	if (audience->own)
		add_totals(audience, end);
	if (end->failed)
		return NULL;
	say_end(audience, end);
	if (end->trouble && end->ending.over != ORA_OVER_SIGNAL)
		audience_trouble(sink, end->trouble);
	return flush_one(audience->output, audience->out);
}

/* --- the sink --------------------------------------------------------------------------------- */

static void make_sink(struct cli_audience *audience);

static struct ora_sink *audience_split(struct ora_sink *sink)
{
	struct cli_audience *audience = (struct cli_audience *)sink;
	struct cli_audience *part = xs_calloc(1, sizeof *part);
	*part = (struct cli_audience){.output = audience->output,
		.out = audience->out,
		.transitions_path = audience->transitions_path,
		.transitions = audience->transitions,
		.format = audience->format,
		.heads = audience->heads,
		.first = audience};
	make_sink(part);
	return &part->sink;
}

static void audience_destroy(struct ora_sink *sink)
{
	struct cli_audience *part = (struct cli_audience *)sink;
	cli_audience_deinit(part);
	free(part);
}

static void make_sink(struct cli_audience *audience)
{
	audience->ops = (struct ora_sink_ops){.absent = audience_absent,
		.begin = audience_begin,
		.stop = audience->format == CLI_FORMAT_NONE ? NULL : audience_stop,
		.trouble = audience_trouble,
		.transition = audience->transitions_path ? audience_transition : NULL,
		.end = audience_end,
		.split = audience_split,
		.destroy = audience->first ? audience_destroy : NULL};
	audience->sink.ops = &audience->ops;
	audience->sink.moves = audience->ops.stop;
}

void cli_audience_deinit(struct cli_audience *audience)
{
	FILE *files[] = {audience->out == stdout ? NULL : audience->out, audience->transitions,
		audience->stats};
	if (!audience->first)
		wipe(audience);
	cli_printer_deinit(&audience->printer);
	free(audience->title);
	free(audience->witness);
	free(audience->spelt);
	ora_lost_deinit(&audience->absent);
	free(audience->totals.mode);
	for (size_t i = 0; !audience->first && i < sizeof files / sizeof *files; i++)
		if (files[i])
			fclose(files[i]);
}

static void on_progress(void *context, uint64_t executed, uint64_t kept, uint64_t size)
{
	struct cli_audience *audience = context;
	if (cli_progress_due(&audience->progress))
		cli_progress_show(&audience->progress, executed, kept, size);
}

static void on_phase(void *context, const char *name, uint64_t done, uint64_t total)
{
	struct cli_audience *audience = context;
	cli_progress_phase(&audience->progress, name, done, total);
}

static void on_note(void *context, const char *text)
{
	wipe(context);
	xs_print(stderr, "xstep: %s\n", text);
}

/* `all` is whom there is: that somebody is missing is said, and is no trouble. */
static void spell_witnesses(struct cli_audience *audience, struct ora_hearing *hearing)
{
	XS_AUTO_FREE char *missing = NULL;
	if (!hearing->witness)
		return;
	audience->spelt =
		ora_witnesses_spell(hearing->witness, hearing->gdb, hearing->lldb, &missing);
	hearing->witness = audience->spelt;
	if (missing)
		xs_print(stderr,
			"xstep: --witness all: that is %s; %s: not found, or it does not work: see "
			"xstep witness\n",
			hearing->witness, missing);
}

void cli_audience_attend(struct cli_audience *audience, struct ora_hearing *hearing, bool quiet)
{
	/* Not between the lines of the trace. */
	bool on_terminal =
		!audience->output && audience->format != CLI_FORMAT_NONE && isatty(STDOUT_FILENO);
	cli_progress_init(&audience->progress, quiet || on_terminal);
	make_sink(audience);
	hearing->sink = &audience->sink;
	hearing->on_progress = audience->progress.on ? on_progress : NULL;
	hearing->on_phase = audience->progress.on ? on_phase : NULL;
	hearing->on_note = on_note;
	hearing->context = audience;
	spell_witnesses(audience, hearing);
}

/* --- what it took ----------------------------------------------------------------------------- */

void cli_totals_text(const struct cli_totals *totals, FILE *out)
{
	xs_print(out,
		"xstep: %s: %" PRIu64 " instructions, %" PRIu64 " transitions; %" PRIu64
		" breakpoint stops, %" PRIu64 " steps, %" PRIu64 " signals; %.3f s\n",
		totals->mode, totals->stops, totals->transitions, totals->effort.traps,
		totals->effort.steps, totals->effort.signals, totals->effort.seconds);
}

void cli_totals_json(const struct cli_totals *totals, FILE *out)
{
	xs_print(out,
		"{\"mode\":\"%s\",\"instructions\":%" PRIu64 ",\"transitions\":%" PRIu64
		",\"stops\":%" PRIu64 ",\"steps\":%" PRIu64 ",\"signals\":%" PRIu64
		",\"seconds\":%.6f",
		totals->mode, totals->stops, totals->transitions, totals->effort.traps,
		totals->effort.steps, totals->effort.signals, totals->effort.seconds);
	if (totals->threads)
		xs_print(out, ",\"threads\":%u", totals->threads);
	fputs("}\n", out);
}
