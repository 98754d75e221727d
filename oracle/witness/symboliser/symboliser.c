#include "oracle/witness/symboliser/symboliser.h"

#include "base/map.h"
#include "dwarf/name_at.h"
#include "dwarf/scope.h"
#include "engine/interrupt.h"
#include "oracle/store/buffer.h"
#include "oracle/witness/own/run.h"
#include "oracle/witness/symboliser/ask.h"
#include "oracle/witness/symboliser/heard.h"
#include "oracle/witness/symboliser/tool.h"

enum { ASKED_AT_ONCE = 1 << 14 }; /* a command line has room for more */

/* A place that it is asked about. */
struct place {
	struct ora_store_place place; /* as it says */
	char *inlined;                /* what that points to */
};

/* One testimony while it lasts. */
struct work {
	struct ora_testimony *testimony;
	struct di_module *module;   /* the program */
	XS_VEC(xs_addr) pcs;        /* those of stops, as they come; then where these come from */
	size_t asked;               /* how many of them are of stops: the others are only named */
	struct xs_map index;        /* of a pc in these, plus 1 */
	struct ora_answers answers; /* by pc, as far as there are any */
	struct place *places;       /* by pc */
};

/* --- what can be said ------------------------------------------------------------------------- */

static bool is_utf8(const char *text)
{
	json_t *string = json_string(text);
	json_decref(string);
	return string != NULL;
}

/* Whether a name of a function stands for itself: in lines of text it has a line of its own, in
 * which `??` is no name, and eu-addr2line adds a remark. */
static bool is_plain_function(enum ora_dialect dialect, const char *name)
{
	return !name || (is_utf8(name) && *name && strcmp(name, "??") != 0 &&
				(dialect == ORA_DIALECT_JSON || !strchr(name, '\n')) &&
				(dialect != ORA_DIALECT_EU || !strstr(name, ORA_PRINTOUT_REMARK)));
}

/* The same of a file, which a colon and the line follow. */
static bool is_plain_file(enum ora_dialect dialect, const char *name)
{
	return !name || (is_utf8(name) && *name && strcmp(name, "??") != 0 &&
				(dialect == ORA_DIALECT_JSON || !strpbrk(name, "\n:")));
}

bool ora_symboliser_is_sayable(enum ora_witness_kind kind, struct di_module *module, xs_addr pc)
{
	enum ora_dialect dialect = ora_tool_of(kind)->dialect;
	const struct di_row *row = di_lines_find(&module->lines, pc);
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	bool plain = is_plain_file(dialect, row ? di_lines_file(&module->lines, row) : NULL);
	for (size_t i = 0; plain && i < scopes->activations.len; i++) {
		const struct di_block *function = scopes->activations.data[i].function;
		plain = is_plain_function(dialect, function->name) &&
			is_plain_file(dialect, function->call_file);
	}
	return plain;
}

/* --- places ----------------------------------------------------------------------------------- */

/* What the DWARF calls the function that a name means; a name that means none of those at the pc
 * stays as it is. */
static const char *function_at(struct di_module *module, xs_addr pc, const char *name)
{
	const char *known = name ? di_name_at(module, pc, name) : NULL;
	return known ? known : name;
}

struct ora_store_place ora_symboliser_place(struct di_module *module,
	const struct ora_answer *answer, xs_addr pc, int64_t offset, char **inlined)
{
	struct ora_buffer text = {0};
	*inlined = NULL;
	if (!answer->read) {
		*inlined = xs_strdup(ORA_INLINED_UNREAD);
		return (struct ora_store_place){.address = pc, .inlined = *inlined};
	}
	const struct ora_answer_frame *inner = &answer->frames.data[0];
	for (size_t i = 0; i + 1 < answer->frames.len; i++) {
		const struct ora_answer_frame *outer = &answer->frames.data[i + 1];
		ora_buffer_put(&text, text.len ? ",{\"function\":" : "[{\"function\":");
		ora_buffer_json(&text, function_at(module, pc, answer->frames.data[i].function));
		ora_buffer_put(&text, ",\"file\":");
		ora_buffer_json(&text, outer->file);
		ora_buffer_put(&text, ",\"line\":");
		ora_buffer_number(&text, outer->line);
		ora_buffer_put(&text, ",\"column\":");
		ora_buffer_number(&text, outer->column);
		ora_buffer_put(&text, "}");
	}
	if (text.len)
		ora_buffer_put(&text, "]");
	*inlined = text.data;
	return (struct ora_store_place){.address = pc,
		.function = function_at(
			module, pc, answer->frames.data[answer->frames.len - 1].function),
		.offset = offset,
		/* A file without a folder and a line is what a symbol says, not a row. */
		.has_row = inner->line || (inner->file && strchr(inner->file, '/')),
		.file = inner->file,
		.line = inner->line,
		.column = inner->column,
		.inlined = *inlined};
}

static void make_places(struct work *work)
{
	work->places = xs_calloc(work->pcs.len + 1, sizeof *work->places);
	for (size_t i = 0; i < work->pcs.len; i++) {
		xs_addr pc = work->pcs.data[i];
		struct ora_answer nothing = {0};
		struct ora_answer *answer =
			i < work->answers.vec.len ? &work->answers.vec.data[i] : &nothing;
		const struct di_function *function = di_functions_find(work->module->functions, pc);
		answer->read =
			answer->read &&
			ora_symboliser_is_sayable(work->testimony->witness->kind, work->module, pc);
		work->places[i].place = ora_symboliser_place(work->module, answer, pc,
			function ? (int64_t)(pc - function->entry) : 0, &work->places[i].inlined);
	}
}

/* --- asking ----------------------------------------------------------------------------------- */

static void add_pc(struct work *work, xs_addr pc)
{
	uint64_t *known = pc == XS_ADDR_NONE ? NULL : xs_map_at(&work->index, pc, 0);
	if (!known || *known)
		return;
	xs_vec_push(&work->pcs, pc);
	*known = work->pcs.len;
}

/* In the order of the stops, so that what was answered before trouble is of the first ones. */
static void find_pcs(struct work *work)
{
	const struct ora_heard *heard = work->testimony->heard;
	for (size_t i = 0; i < heard->stops.len; i++)
		add_pc(work, heard->stops.data[i].pc);
	work->asked = work->pcs.len;
	for (size_t i = 0; i < heard->stops.len; i++)
		add_pc(work, heard->stops.data[i].prev);
	for (size_t i = 0; i < heard->transitions.len; i++) {
		add_pc(work, heard->transitions.data[i].prev);
		add_pc(work, heard->transitions.data[i].pc);
	}
}

/* Asks about some pcs, and if it dies of one, finds out of which: all before that are answered. */
static enum ora_asked ask_some(struct work *work, size_t count)
{
	struct ora_testimony *testimony = work->testimony;
	const struct ora_question *question = testimony->question;
	double patience = question->patience > 0 ? question->patience : ORA_SYMBOLISER_PATIENCE;
	size_t first = work->answers.vec.len;
	char *trouble;
	enum ora_asked asked = ora_ask(testimony->witness, question->run->path,
		work->pcs.data + first, count, patience, &work->answers, &trouble);
	if (asked == ORA_ASKED_CRASHED && count > 1) {
		free(trouble);
		asked = ask_some(work, count / 2);
		return asked == ORA_ASKED_ANSWERED ? ask_some(work, count - count / 2) : asked;
	}
	if (asked == ORA_ASKED_CRASHED)
		testimony->trouble =
			xs_asprintf("%s, asked about 0x%" PRIx64, trouble, work->pcs.data[first]);
	else if (asked != ORA_ASKED_ANSWERED && trouble)
		testimony->trouble = xs_strdup(trouble);
	free(trouble);
	testimony->crashed = asked == ORA_ASKED_CRASHED;
	testimony->interrupted_by = asked == ORA_ASKED_INTERRUPTED ? eng_interrupt_signal() : 0;
	return asked;
}

static void ask_all(struct work *work)
{
	struct ora_testimony *testimony = work->testimony;
	enum ora_asked asked = ORA_ASKED_ANSWERED;
	while (asked == ORA_ASKED_ANSWERED && work->answers.vec.len < work->asked) {
		size_t left = work->asked - work->answers.vec.len;
		asked = ask_some(work, left < ASKED_AT_ONCE ? left : ASKED_AT_ONCE);
		if (testimony->on_progress)
			testimony->on_progress(
				testimony->context, work->answers.vec.len, work->answers.vec.len);
	}
}

/* --- telling ---------------------------------------------------------------------------------- */

static struct xs_error *begin(const struct ora_testimony *testimony)
{
	const struct ora_witness *witness = testimony->witness;
	const struct ora_run *run = testimony->question->run;
	const char *label = ora_witness_label(witness);
	struct ora_told_about about = {.title = label,
		.witness = label,
		.version = witness->version,
		.path = witness->path,
		.program = run->path,
		.argv = run->argv,
		.info = run->subject->modules.data[0].info,
		.trace = ora_question_trace(testimony->question)};
	about.trace.witness = label;
	about.trace.version = witness->version ? witness->version : "";
	about.trace.mode = "static";
	about.trace.vars = ora_vars_text(ORA_VARS_NONE);
	about.trace.frames = about.trace.regs = false;
	return ora_sink_begin(testimony->sink, &about);
}

/* The place of a pc; NULL of none. */
static const struct ora_store_place *place_of(struct work *work, xs_addr pc, size_t *index)
{
	const uint64_t *at = pc == XS_ADDR_NONE ? NULL : xs_map_find(&work->index, pc, 0);
	*index = at ? (size_t)*at - 1 : 0;
	return at ? &work->places[*index].place : NULL;
}

/* Up to the first stop of which nothing was said. */
static struct xs_error *tell_stops(struct work *work, uint64_t *told_count)
{
	const struct ora_heard *heard = work->testimony->heard;
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < heard->stops.len; i++) {
		const struct ora_heard_stop *stop = &heard->stops.data[i];
		struct ora_told told = {.number = stop->number, .n = stop->n};
		told.prev = place_of(work, stop->prev, &told.prev_index);
		told.place = place_of(work, stop->pc, &told.place_index);
		if (told.place_index >= work->answers.vec.len)
			break;
		err = ora_sink_stop(work->testimony->sink, &told);
		++*told_count;
	}
	return err;
}

static void tell_transitions(struct work *work)
{
	const struct ora_heard *heard = work->testimony->heard;
	struct ora_sink *sink = work->testimony->sink;
	for (size_t i = 0; sink->ops->transition && i < heard->transitions.len; i++) {
		const struct ora_heard_transition *one = &heard->transitions.data[i];
		struct ora_told_transition told = {.count = one->count, .foreign = true};
		told.prev = place_of(work, one->prev, &told.prev_index);
		told.place = place_of(work, one->pc, &told.place_index);
		sink->ops->transition(sink, &told);
	}
}

static struct xs_error *finish(struct work *work, uint64_t told_count, struct xs_error *err)
{
	const struct ora_testimony *testimony = work->testimony;
	struct ora_told_end end = testimony->heard->end;
	end.kept = told_count;
	end.failed = err;
	end.effort = (struct ora_told_effort){0};
	if (testimony->crashed)
		end.ending = (struct ora_ending){.over = ORA_OVER_CRASH};
	else if (testimony->interrupted_by)
		end.ending = (struct ora_ending){
			.over = ORA_OVER_SIGNAL, .interrupted_by = testimony->interrupted_by};
	else if (testimony->trouble)
		end.ending = (struct ora_ending){.over = ORA_OVER_CUT};
	end.trouble = testimony->trouble          ? testimony->trouble
		      : testimony->interrupted_by ? "interrupted"
		      : err                       ? err->message
						  : NULL;
	struct xs_error *worse = ora_sink_end(testimony->sink, &end);
	if (err)
		xs_error_destroy(worse);
	return err ? err : worse;
}

static struct xs_error *testify(struct ora_testimony *testimony)
{
	struct work work = {.testimony = testimony,
		.module = testimony->question->run->subject->modules.data[0].info};
	struct xs_error *err = begin(testimony);
	uint64_t told_count = 0;
	if (err)
		return err;
	find_pcs(&work);
	ask_all(&work);
	make_places(&work);
	if (!(err = tell_stops(&work, &told_count)))
		tell_transitions(&work);
	err = finish(&work, told_count, err);
	for (size_t i = 0; i < work.pcs.len; i++)
		free(work.places[i].inlined);
	free(work.places);
	ora_answers_deinit(&work.answers);
	xs_vec_deinit(&work.pcs);
	xs_map_deinit(&work.index);
	return err;
}

const struct ora_witness_ops ora_symboliser_ops = {.testify = testify};
