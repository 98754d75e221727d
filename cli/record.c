#include "cli/record.h"

#include <signal.h>
#include <unistd.h>

#include "cli/keep.h"
#include "cli/report/print.h"
#include "cli/progress.h"
#include "cli/testimony.h"
#include "oracle/witness/debugger/plan.h"
#include "oracle/store/repeat.h"
#include "oracle/witness/own/tell.h"

static const char *const level_names[] = {"instruction", "line", "break"};

/* Where stops go. */
struct sink {
	const struct cli_record *options;
	struct ora_recording *recording;
	struct ora_teller teller;     /* what there is to tell */
	struct cli_printer printer;   /* who prints it, or */
	struct cli_keep *keep;        /* who stores it, if not NULL */
	struct cli_progress progress; /* on the terminal */
	struct xs_error *err;         /* what went wrong at a stop */
	XS_VEC(struct sink *) others; /* of the other threads, if they are traced */
};

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct sink *sink = context;
	const struct ora_told *told;
	if ((sink->err = ora_tell(&sink->teller, stop, &told)))
		return false;
	if (sink->keep)
		sink->err = cli_keep_stop(sink->keep, told);
	else if (sink->options->format == CLI_FORMAT_JSON)
		cli_print_json(&sink->printer, told);
	else if (sink->options->format == CLI_FORMAT_TEXT)
		cli_print_text(&sink->printer, told);
	if (sink->err || (!sink->keep && ferror(sink->printer.out)))
		return false;
	return !sink->options->shared ||
	       ora_shared_stop(sink->options->shared, &sink->recording->run, stop);
}

static bool on_stop_unheeded(void *context, const struct ora_stop *stop)
{
	(void)context, (void)stop;
	return true;
}

static void on_step(void *context, const struct ora_stop *stop)
{
	struct sink *sink = context;
	cli_keep_step(sink->keep, &sink->teller, stop);
}

static void on_progress(void *context, uint64_t executed)
{
	struct sink *sink = context;
	if (cli_progress_due(&sink->progress))
		cli_progress_show(&sink->progress, executed, sink->recording->kept,
			sink->keep ? cli_keep_size(sink->keep) : 0);
}

/* Why the trace is over and what became of the program, to be freed. */
static char *describe_end(const struct ora_recording *recording, const struct cli_record *values)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	switch (recording->end) {
	case ENG_END_RETURN:
		fprintf(out, "%s returned; ", values->from ? values->from : "main");
		break;
	case ENG_END_EXEC:
		fprintf(out, "became another program; ");
		break;
	case ENG_END_LIMIT:
		fprintf(out, "ended by --limit %" PRIu64 "; ", values->limit);
		break;
	case ENG_END_INTERRUPTED:
		if (recording->interrupted_by == SIGALRM)
			fprintf(out, "ended by --timeout %g; ", values->program.timeout);
		else
			fprintf(out, "interrupted by SIG%s; ",
				sigabbrev_np(recording->interrupted_by));
		break;
	case ENG_END_PROGRAM:
		if (recording->thread > 1)
			fprintf(out, "ended; ");
		break;
	case ENG_END_CALLER:
		break;
	}
	if (recording->finished && recording->end != ENG_END_INTERRUPTED) {
		if (recording->fate.kind == ENG_EVENT_EXITED)
			fprintf(out, "exited with status %d; ", recording->fate.status);
		else
			fprintf(out, "killed by SIG%s (%s); ", sigabbrev_np(recording->fate.signal),
				sigdescr_np(recording->fate.signal));
	}
	xs_assert(!fclose(out));
	return text;
}

/* One line on stderr, of each thread that is traced. */
static void report(const struct ora_recording *recording, const struct cli_record *values)
{
	const char *name = recording->run.subject->modules.data[0].info->name;
	XS_AUTO_FREE char *end = describe_end(recording, values);
	fprintf(stderr, "xstep: %s: ", name);
	if (recording->thread)
		fprintf(stderr, "thread %u: ", recording->thread);
	fprintf(stderr, "%s%" PRIu64 " stop%s, ", end, recording->stops,
		recording->stops == 1 ? "" : "s");
	if (recording->kept != recording->stops)
		fprintf(stderr, "%" PRIu64 " kept, ", recording->kept);
	fprintf(stderr, "%zu different transition%s\n", recording->transitions.len,
		recording->transitions.len == 1 ? "" : "s");
	for (size_t i = 0; i < recording->never.len; i++)
		fprintf(stderr,
			"xstep: warning: --module %s: no such module was ever loaded; there are: "
			"%s\n",
			recording->never.data[i], recording->loaded);
	for (size_t i = 0; i < recording->others.len; i++)
		report(recording->others.data[i], values);
	if (!recording->saturated.len)
		return;
	fprintf(stderr, "xstep: %s: saturated:", name);
	for (size_t i = 0; i < recording->saturated.len; i++) {
		putc(' ', stderr);
		cli_print_address(stderr, recording->saturated.data[i]);
	}
	putc('\n', stderr);
}

static const char *mode_name(enum eng_mode mode)
{
	return mode == ENG_MODE_SINGLE ? "single" : mode == ENG_MODE_EXACT ? "exact" : "unique";
}

/* What it took, of all threads together. */
struct totals {
	uint64_t stops, transitions, traps, steps, signals, saturated;
};

static struct totals total(const struct ora_recording *recording)
{
	struct totals sum = {.stops = recording->stops,
		.transitions = recording->transitions.len,
		.traps = recording->traps,
		.steps = recording->steps,
		.signals = recording->signals,
		.saturated = recording->saturated.len};
	for (size_t i = 0; i < recording->others.len; i++) {
		struct totals more = total(recording->others.data[i]);
		sum.stops += more.stops;
		sum.transitions += more.transitions;
		sum.traps += more.traps;
		sum.steps += more.steps;
		sum.signals += more.signals;
	}
	return sum;
}

/* That, to be read. */
static void print_stats_text(const struct ora_recording *recording)
{
	struct totals sum = total(recording);
	fprintf(stderr, "xstep: %s: ", mode_name(recording->mode));
	if (recording->mode != ENG_MODE_UNIQUE)
		fprintf(stderr, "%" PRIu64 " instructions, ", sum.stops);
	fprintf(stderr,
		"%" PRIu64 " transitions; %" PRIu64 " breakpoint stops, %" PRIu64 " steps, %" PRIu64
		" signals, %" PRIu64 " sources saturated; %.3f s\n",
		sum.transitions, sum.traps, sum.steps, sum.signals, sum.saturated,
		recording->seconds);
}

/* The same for programs. */
static void print_stats(FILE *out, const struct ora_recording *recording)
{
	struct totals sum = total(recording);
	fprintf(out, "{\"mode\":\"%s\",\"instructions\":", mode_name(recording->mode));
	if (recording->mode == ENG_MODE_UNIQUE)
		fputs("null", out);
	else
		fprintf(out, "%" PRIu64, sum.stops);
	fprintf(out,
		",\"transitions\":%" PRIu64 ",\"stops\":%" PRIu64 ",\"steps\":%" PRIu64
		",\"signals\":%" PRIu64 ",\"saturated\":%" PRIu64 ",\"seconds\":%.6f",
		sum.transitions, sum.traps, sum.steps, sum.signals, sum.saturated,
		recording->seconds);
	if (recording->thread)
		fprintf(out, ",\"threads\":%zu", recording->others.len + 1);
	fputs("}\n", out);
}

static void json_address(FILE *out, const struct ora_place *place)
{
	if (place)
		putc('"', out);
	if (place)
		cli_print_address(out, place);
	fputs(place ? "\"" : "null", out);
}

static void print_transitions(FILE *out, const struct ora_recording *recording)
{
	for (size_t i = 0; i < recording->transitions.len; i++) {
		const struct ora_transition *transition = &recording->transitions.data[i];
		putc('{', out);
		if (recording->thread)
			fprintf(out, "\"thread\":%u,", recording->thread);
		fputs("\"prev\":", out);
		json_address(out, transition->prev);
		fputs(",\"pc\":", out);
		json_address(out, transition->pc);
		if (recording->mode == ENG_MODE_UNIQUE)
			fputs(",\"count\":null}\n", out);
		else
			fprintf(out, ",\"count\":%" PRIu64 "}\n", transition->count);
	}
	for (size_t i = 0; i < recording->others.len; i++)
		print_transitions(out, recording->others.data[i]);
}

/* Opens a file that an option names; none is named by NULL. */
static struct xs_error *open_output(const char *option, const char *path, FILE **ret)
{
	if (path && !(*ret = fopen(path, "we")))
		return xs_error_sys("--%s %s", option, path);
	return NULL;
}

/* Whether all of it was written. */
static struct xs_error *flush_output(const char *path, FILE *file)
{
	if (file && (fflush(file) || ferror(file)))
		return xs_error_sys("%s", path);
	return NULL;
}

/* Ends a stored trace, whatever became of it. */
static struct xs_error *end_keeping(struct sink *sink, struct xs_error *err)
{
	struct ora_recording *recording = sink->recording;
	XS_AUTO_FREE char *how = describe_end(recording, sink->options);
	size_t length = strlen(how);
	if (length >= 2)
		how[length - 2] = 0; /* "; " */
	struct xs_error *worse =
		cli_keep_end(sink->keep, &sink->teller, recording, how, err ? err->message : NULL);
	if (err) {
		xs_error_destroy(worse); /* the first one is what matters */
		return err;
	}
	return worse;
}

/* Begins a trace in the store; beside another one, if that is not NULL. */
static struct xs_error *open_keep(const struct cli_record *values,
	const struct ora_recording *recording, struct cli_keep *beside, struct cli_keep **ret)
{
	XS_AUTO_FREE char *mode = NULL;
	static const char *const samples[] = {"none", "all", "unique", "dtd"};
	static const char *const vars[] = {"none", "locals", "all"};
	mode = recording->thread
		       ? xs_asprintf("%s, thread %u", mode_name(recording->mode), recording->thread)
		       : xs_strdup(mode_name(recording->mode));
	struct ora_store_trace about = {.mode = mode,
		.level = level_names[values->level],
		.sample = samples[values->sample],
		.seed = values->seed,
		.from = values->from,
		.vars = vars[values->vars],
		.frames = values->frames,
		.regs = values->regs,
		.max_leaves = values->max_leaves ? values->max_leaves : DI_LEAF_MAX};
	return cli_keep_create(values->output, &recording->run, &about, beside, ret);
}

/* Makes a sink ready for the stops of a recording. */
static void prepare_sink(struct sink *sink, FILE *out)
{
	const struct cli_record *values = sink->options;
	struct ora_recording *recording = sink->recording;
	struct ora_teller *teller = &sink->teller;
	teller->subject = recording->run.subject;
	teller->which = values->vars == CLI_VARS_ALL      ? DI_WHICH_LOCALS | DI_WHICH_GLOBALS
			: values->vars == CLI_VARS_LOCALS ? DI_WHICH_LOCALS
							  : 0;
	teller->frames = values->frames;
	teller->regs = values->regs;
	teller->max_leaves = values->max_leaves;
	teller->inlined = sink->keep;
	cli_printer_init(&sink->printer, out);
	cli_printer_fit_subject(&sink->printer, recording->run.subject);
	sink->printer.vars = teller->which;
	sink->printer.frames = values->frames;
	sink->printer.regs = values->regs;
	sink->printer.thread = recording->thread;
	recording->context = sink;
}

/* All stops have come: ends a stored trace. */
static struct xs_error *finish_sink(struct sink *sink, struct xs_error *err)
{
	if (sink->err) { /* why the trace ended */
		xs_error_destroy(err);
		err = xs_take(&sink->err);
	}
	if (sink->keep)
		err = end_keeping(sink, err);
	ora_teller_deinit(&sink->teller);
	cli_printer_deinit(&sink->printer);
	return err;
}

/* A thread other than the first begins. */
static struct xs_error *on_thread(void *context, struct ora_recording *thread)
{
	struct sink *first = context;
	struct sink *sink = xs_calloc(1, sizeof *sink);
	*sink = (struct sink){.options = first->options, .recording = thread};
	/* What is in the list is finished, so it is there only when it can be. */
	struct xs_error *err =
		first->keep ? open_keep(first->options, thread, first->keep, &sink->keep) : NULL;
	if (err) {
		free(sink);
		return err;
	}
	prepare_sink(sink, first->printer.out);
	xs_vec_push(&first->others, sink);
	return NULL;
}

static struct xs_error *finish_others(struct sink *first, struct xs_error *err)
{
	for (size_t i = 0; i < first->others.len; i++) {
		struct sink *sink = first->others.data[i];
		struct xs_error *own = finish_sink(sink, NULL);
		cli_keep_destroy(sink->keep);
		free(sink);
		if (err)
			xs_error_destroy(own); /* the first one is what matters */
		else
			err = own;
	}
	xs_vec_deinit(&first->others);
	return err;
}

/* Records into `out`, already open, or the store. */
static struct xs_error *record(struct sink *sink, FILE *out)
{
	const struct cli_record *values = sink->options;
	struct ora_recording *recording = sink->recording;
	prepare_sink(sink, out);
	bool unheeded = values->format == CLI_FORMAT_NONE && !sink->keep && !values->shared;
	recording->live = values->shared || (!unheeded && ora_teller_looks(&sink->teller));
	recording->on_stop = unheeded ? on_stop_unheeded : on_stop;
	recording->on_step = values->keep_order ? on_step : NULL;
	recording->on_progress = sink->progress.on ? on_progress : NULL;
	recording->on_thread = on_thread;
	struct xs_error *err = ora_record(recording);
	cli_progress_end(&sink->progress);
	err = finish_others(sink, err);
	err = finish_sink(sink, err);
	if (!err && (fflush(out) || ferror(out)))
		err = xs_error_sys("%s", values->output ? values->output : "standard output");
	return err;
}

/* What goes with what, and what is meant where nothing was said. */
static struct xs_error *settle(struct cli_record *values)
{
	if (values->settled)
		return NULL;
	values->settled = true;
	values->store = values->output && ora_store_is_meant(values->output);
	if (values->sample == CLI_NOT_GIVEN)
		values->sample =
			values->mode == CLI_MODE_UNIQUE ? CLI_SAMPLE_UNIQUE : CLI_SAMPLE_DTD;
	if (values->mode == CLI_MODE_UNIQUE && values->sample != CLI_SAMPLE_UNIQUE)
		return xs_error_create(
			"--mode unique tells the first arrival of each transition and "
			"does not see the others: it goes with --sample unique only");
	if (values->mode == CLI_MODE_UNIQUE && values->level)
		return xs_error_create("--mode unique goes with --level instruction only: a larger "
				       "step is known by every instruction of it");
	if (values->threads == CLI_THREADS_ALL && values->mode == CLI_MODE_UNIQUE)
		return xs_error_create(
			"--threads all goes with --mode exact and single: in unique "
			"known code runs on unnoticed, and nobody could say whose turn "
			"it is");
	if (values->threads == CLI_THREADS_ALL && values->level)
		return xs_error_create("--threads all goes with --level instruction only");
	bool asked = (values->vars != CLI_NOT_GIVEN && values->vars != CLI_VARS_NONE) ||
		     values->frames || values->regs;
	if (values->sample == CLI_SAMPLE_NONE && asked)
		return xs_error_create(
			"--sample none keeps control facts only: for --vars, --frames "
			"and --regs choose --sample all, unique or dtd");
	if (values->store && values->format != CLI_NOT_GIVEN)
		return xs_error_create(
			"--format: %s is a trace store; xstep show prints it", values->output);
	if (!values->store && values->keep_order)
		return xs_error_create("--keep-order: only a store keeps it; write to one with -o "
				       "FILE.db");
	/* A store is for whoever comes later and wants to know something else. */
	bool whole =
		values->store && values->sample != CLI_SAMPLE_NONE && values->vars == CLI_NOT_GIVEN;
	values->frames |= whole;
	values->regs |= whole;
	if (values->vars == CLI_NOT_GIVEN)
		values->vars = whole ? CLI_VARS_ALL : CLI_VARS_NONE;
	if (values->format == CLI_NOT_GIVEN)
		values->format = CLI_FORMAT_TEXT;
	return NULL;
}

static enum eng_sample sample_of(const struct cli_record *values)
{
	return values->sample == CLI_SAMPLE_NONE     ? ENG_SAMPLE_NONE
	       : values->sample == CLI_SAMPLE_ALL    ? ENG_SAMPLE_ALL
	       : values->sample == CLI_SAMPLE_UNIQUE ? ENG_SAMPLE_UNIQUE
						     : ENG_SAMPLE_DTD;
}

struct xs_error *cli_record_own(
	struct cli_record *values, char **argv, struct ora_recording *recording)
{
	XS_AUTO_FILE FILE *file = NULL;
	XS_AUTO_FILE FILE *stats = NULL;
	XS_AUTO_FILE FILE *transitions = NULL;
	XS_AUTO(cli_keep) keep = NULL;
	struct sink sink = {.options = values, .recording = recording};
	struct xs_error *err;
	if ((err = settle(values)))
		return err;
	recording->from = values->from;
	recording->modules = values->modules.vec.data;
	recording->module_count = values->modules.vec.len;
	recording->limit = values->limit;
	recording->mode = values->mode == CLI_MODE_EXACT    ? ENG_MODE_EXACT
			  : values->mode == CLI_MODE_SINGLE ? ENG_MODE_SINGLE
							    : ENG_MODE_UNIQUE;
	recording->level = (enum ora_level)values->level; /* in the same order */
	recording->sample = sample_of(values);
	recording->seed = values->seed;
	if ((err = cli_program_prepare(&values->program, argv, &recording->run)))
		return err;
	recording->all_threads = values->threads == CLI_THREADS_ALL;
	recording->thread = recording->all_threads;
	if ((err = values->store ? open_keep(values, recording, NULL, &keep)
				 : open_output("output", values->output, &file)) ||
		(err = open_output("stats", values->stats.value, &stats)) ||
		(err = open_output("transitions", values->transitions, &transitions)))
		return err;
	sink.keep = keep;
	/* Not between the lines of the trace. */
	bool on_terminal =
		!values->output && values->format != CLI_FORMAT_NONE && isatty(STDOUT_FILENO);
	cli_progress_init(&sink.progress, values->quiet || on_terminal);
	for (size_t i = 0; i < values->looker_count; i++)
		values->lookers[i]->run = &recording->run;
	if (values->looker_count &&
		(err = ora_shared_create(values->lookers, values->looker_count, &values->shared)))
		return err;
	err = record(&sink, file ? file : stdout);
	if (values->shared)
		ora_shared_end(values->shared, recording, err || recording->interrupted_by);
	if (err)
		return err;
	report(recording, values);
	if (transitions)
		print_transitions(transitions, recording);
	if (values->stats.given && !stats && isatty(STDERR_FILENO))
		print_stats_text(recording);
	else if (values->stats.given)
		print_stats(stats ? stats : stderr, recording);
	if ((err = flush_output(values->stats.value, stats)))
		return err;
	return flush_output(values->transitions, transitions);
}

/* Opens an option's file for what comes next: behind what the witness before wrote. */
static struct xs_error *reopen_output(const char *option, const char *path, bool first, FILE **ret)
{
	if (path && !(*ret = fopen(path, first ? "we" : "ae")))
		return xs_error_sys("--%s %s", option, path);
	return NULL;
}

/* What is asked of a witness that is not xstep. */
static struct ora_testimony testimony_of(const struct cli_record *values, const struct ora_run *run,
	const struct ora_witness *witness)
{
	static const char *const asks[] = {"needed", "all", "text"};
	static const char *const samples[] = {"none", "all", "unique", "dtd"};
	static const char *const vars[] = {"none", "locals", "all"};
	return (struct ora_testimony){.witness = witness,
		.run = run,
		.from = values->from,
		.level = level_names[values->level],
		.sample = samples[values->sample],
		.seed = values->seed,
		.limit = values->limit,
		.vars = vars[values->vars],
		.frames = values->frames,
		.regs = values->regs,
		.max_leaves = values->max_leaves,
		.ask = asks[values->ask],
		.patience = values->patience};
}

/* Has one testimony told: printed, or stored as *trace. */
static struct xs_error *have_told(struct cli_record *values, struct cli_testimony *print,
	bool first, bool *trouble, uint64_t *trace)
{
	XS_AUTO_FILE FILE *file = NULL;
	XS_AUTO_FILE FILE *transitions = NULL;
	XS_AUTO(ora_transcript) transcript = NULL;
	const char *output = values->store ? NULL : values->output;
	struct xs_error *err;
	if ((err = reopen_output("output", output, first, &file)) ||
		(err = reopen_output("transitions", values->transitions, first, &transitions)))
		return err;
	bool unheeded = values->format == CLI_FORMAT_NONE || values->store;
	print->out = unheeded ? NULL : file ? file : stdout;
	print->transitions = transitions;
	print->json = values->format == CLI_FORMAT_JSON;
	/* A witness that is not there has nothing to store. */
	if (values->store && !print->testimony.witness->problem &&
		(err = ora_transcript_create(values->output, &print->testimony, &transcript)))
		return err;
	print->transcript = transcript;
	*trace = transcript ? ora_transcript_trace(transcript) : 0;
	if (!(err = cli_testimony_print(print, trouble)))
		err = flush_output("output", print->out);
	if (err)
		return err;
	return flush_output(values->transitions, transitions);
}

/* Asks one witness that is not xstep. */
static struct xs_error *ask(struct cli_record *values, const struct ora_run *run,
	const struct ora_witness *witness, bool first, bool *trouble, uint64_t *trace)
{
	struct cli_testimony print = {.testimony = testimony_of(values, run, witness)};
	struct xs_error *err;
	print.testimony.again = *trace;
	if (values->plan && !values->stops && !witness->problem &&
		(err = ora_plan_make(run, values->from, sample_of(values), values->seed,
			 values->limit, &values->stops)))
		return err;
	print.testimony.plan = values->stops;
	return have_told(values, &print, first, trouble, trace);
}

/* Asks one, and, if that is wanted, once more. */
static struct xs_error *ask_enough(struct cli_record *values, const struct ora_run *run,
	const struct ora_witness *witness, bool first, bool *trouble)
{
	uint64_t traces[2] = {0}, unstable = 0;
	struct xs_error *err = ask(values, run, witness, first, trouble, &traces[0]);
	if (err || values->repeat < 2 || *trouble)
		return err;
	traces[1] = traces[0];
	if ((err = ask(values, run, witness, false, trouble, &traces[1])) || *trouble)
		return err;
	XS_AUTO(ora_store) store = NULL;
	if ((err = ora_store_open(values->output, ORA_STORE_WRITE, &store)) ||
		(err = ora_repeat_compare(store, traces[0], traces[1], &unstable)))
		return err;
	fprintf(stderr, "xstep: %s: %" PRIu64 " stretches of unstable leaves\n",
		ora_witness_label(witness), unstable);
	return NULL;
}

/* Whether xstep is among those that --witness names. */
static bool asks_xstep(const char *words)
{
	for (; *words; words += strcspn(words, ","), words += *words == ',')
		if (strcspn(words, ",") == 5 && !strncmp(words, "xstep", 5))
			return true;
	return false;
}

/* Asks one witness, which runs a program of its own. */
static struct xs_error *ask_native(struct cli_record *values, char **argv,
	const struct ora_witness *witness, bool first, bool *trouble)
{
	struct ora_run other = {0};
	struct xs_error *err = cli_program_prepare(&values->program, argv, &other);
	if (!err)
		err = ask_enough(values, &other, witness, first, trouble);
	ora_run_deinit(&other);
	return err;
}

static void head(const struct cli_record *values, const struct ora_witness *witness)
{
	if (values->format != CLI_FORMAT_NONE && !values->output)
		cli_testimony_head(stdout, values->format == CLI_FORMAT_JSON, witness);
	fflush(stdout);
}

/* What the debuggers have said while they looked at xstep's process. One that did not get so far is
 * asked in the other way. */
static struct xs_error *tell_shared(struct cli_record *values, char **argv, char *program,
	struct ora_recording *recording, struct ora_witnesses *witnesses,
	struct cli_testimony *prints, bool *trouble)
{
	struct xs_error *err = NULL;
	size_t which = 0;
	for (size_t i = 0; !err && i < witnesses->vec.len; i++) {
		const struct ora_witness *witness = &witnesses->vec.data[i];
		struct cli_testimony *print = &prints[i];
		uint64_t trace;
		if (witness->kind == ORA_WITNESS_XSTEP)
			continue;
		if (witness->problem) {
			err = have_told(values, print, false, trouble, &trace);
			continue;
		}
		print->shared = values->shared;
		print->recording = recording;
		print->which = which++;
		if (ora_shared_looked(values->shared, print->which) || recording->interrupted_by) {
			err = have_told(values, print, false, trouble, &trace);
			continue;
		}
		fprintf(stderr,
			"xstep: warning: %s could not look at xstep's process (%s); it is asked "
			"with --drive native\n",
			ora_witness_label(witness),
			print->testimony.trouble ? print->testimony.trouble : "no reason");
		ora_testimony_deinit(&print->testimony);
		cli_program_release(&values->program);
		argv[0] = program;
		values->plan = true;
		err = ask_native(values, argv, witness, false, trouble);
	}
	return err;
}

/* Asks everybody at once, of one process. */
static struct xs_error *record_shared(
	struct cli_record *values, char **argv, struct ora_recording *recording, bool *trouble)
{
	XS_AUTO_FREE char *words = xs_strdup(values->witness);
	struct ora_witnesses witnesses = {0};
	struct xs_error *err = NULL;
	char *program = argv[0];
	for (char *rest = words, *word; !err && (word = strsep(&rest, ","));) {
		struct ora_witness witness;
		const char *path = !strncmp(word, "gdb", 3) ? values->gdb : values->lldb;
		if (!(err = ora_witness_named(word, path, &witness)))
			xs_vec_push(&witnesses.vec, witness);
	}
	struct cli_testimony *prints = xs_calloc(witnesses.vec.len + 1, sizeof *prints);
	values->lookers = xs_calloc(witnesses.vec.len + 1, sizeof(struct ora_testimony *));
	for (size_t i = 0; !err && i < witnesses.vec.len; i++) {
		const struct ora_witness *witness = &witnesses.vec.data[i];
		prints[i].testimony = testimony_of(values, &recording->run, witness);
		prints[i].testimony.shared = true;
		if (witness->kind == ORA_WITNESS_XSTEP)
			head(values, witness);
		else if (!witness->problem)
			values->lookers[values->looker_count++] = &prints[i].testimony;
	}
	if (!err && !(err = cli_record_own(values, argv, recording)))
		err = tell_shared(values, argv, program, recording, &witnesses, prints, trouble);
	ora_shared_destroy(values->shared);
	values->shared = NULL;
	values->looker_count = 0;
	free(xs_take(&values->lookers));
	cli_program_release(&values->program);
	argv[0] = program;
	free(prints);
	ora_witnesses_deinit(&witnesses);
	return err;
}

/* Settles who drives the debuggers. */
static struct xs_error *choose_drive(struct cli_record *values)
{
	const char *why =
		values->level                       ? "--level instruction only"
		: values->plan || values->no_plan   ? "neither --plan nor --no-plan"
		: values->repeat > 1                ? "one run, as nothing differs between two"
		: values->modules.vec.len           ? "no --module"
		: values->threads                   ? "--threads main only"
		: values->sample == CLI_SAMPLE_NONE ? "stops whose state is looked at, not "
						      "with --sample none"
		: !asks_xstep(values->witness) ? "xstep, whose process it is: --witness xstep,..."
					       : NULL;
	if (values->drive == CLI_DRIVE_SHARED && why)
		return xs_error_create("--drive shared goes with %s", why);
	if (values->drive == CLI_DRIVE_AUTO)
		values->drive =
			why || values->ask == CLI_ASK_TEXT || !strcmp(values->witness, "xstep")
				? CLI_DRIVE_NATIVE
				: CLI_DRIVE_SHARED;
	return NULL;
}

/* Asks everybody that --witness names, one after the other: what is wrong with one is reported, and
 * the others are asked all the same. */
static struct xs_error *record_native(
	struct cli_record *values, char **argv, struct ora_recording *recording, bool *trouble)
{
	XS_AUTO_FREE char *words = xs_strdup(values->witness);
	char *program = argv[0];
	struct xs_error *err = NULL;
	bool first = true;
	/* Who takes xstep's word for what was executed gets the same facts sooner. */
	if (!values->level && !values->no_plan && values->ask != CLI_ASK_TEXT)
		values->plan |= asks_xstep(values->witness);
	for (char *rest = words, *word; !err && (word = strsep(&rest, ",")); first = false) {
		struct ora_witness witness;
		const char *path = !strncmp(word, "gdb", 3) ? values->gdb : values->lldb;
		if ((err = ora_witness_named(word, path, &witness)))
			break;
		if (witness.kind == ORA_WITNESS_XSTEP) {
			head(values, &witness);
			err = cli_record_own(values, argv, recording);
		} else if (values->threads == CLI_THREADS_ALL) {
			err = xs_error_create(
				"--threads all: only xstep itself traces all threads; "
				"use it without --witness");
		} else if (values->modules.vec.len) {
			err = xs_error_create(
				"--module: only xstep itself looks into shared objects; "
				"use it without --witness");
		} else {
			err = ask_native(values, argv, &witness, first, trouble);
		}
		cli_program_release(&values->program);
		argv[0] = program;
		ora_witness_deinit(&witness);
	}
	return err;
}

struct xs_error *cli_record_witnesses(
	struct cli_record *values, char **argv, struct ora_recording *recording, bool *trouble)
{
	struct xs_error *err = settle(values);
	if (!err && (values->repeat > 2 || (values->repeat == 2 && !values->store)))
		err = xs_error_create("--repeat: 1 or 2, and 2 only into a store: -o FILE.db");
	if (!err && values->plan && values->no_plan)
		err = xs_error_create("--plan and --no-plan: choose one");
	if (!err && values->ask == CLI_ASK_TEXT && (values->store || values->plan))
		err = xs_error_create("--ask text is for comparison: it goes neither into a store "
				      "nor with --plan");
	if (!err && values->plan && values->level)
		err = xs_error_create("--plan goes with --level instruction only");
	if (err || (err = choose_drive(values)))
		return err;
	err = values->drive == CLI_DRIVE_SHARED ? record_shared(values, argv, recording, trouble)
						: record_native(values, argv, recording, trouble);
	/* The plan, which a debugger that could not look at xstep's process needs, too. */
	json_decref(values->stops);
	values->stops = NULL;
	return err;
}
