#include "oracle/store/keep.h"

#include "oracle/store/buffer.h"
#include "oracle/store/identity.h"

/* The open store, which threads of one process share. */
struct file {
	struct ora_store *store;
	size_t users; /* traces that are being written */
};

struct ora_keep {
	struct ora_sink sink;
	struct ora_sink_ops ops;
	char *path;                 /* of the store */
	enum ora_store_access how;  /* WRITE or FLEETING */
	struct file *file;          /* NULL: not open */
	struct ora_writer *writer;  /* of the trace that is being told */
	uint64_t trace;             /* its number */
	XS_VEC(uint32_t) places;    /* by index: what the writer calls it, 0: not told yet */
	XS_VEC(uint32_t) variables; /* by key */
	struct ora_buffer trouble;  /* what the witness could not do, so far */
};

/* What the writer calls a place; 0 for none. */
static uint32_t place_of(struct ora_keep *keep, const struct ora_store_place *place, size_t index)
{
	if (!place)
		return 0;
	while (keep->places.len <= index)
		xs_vec_push(&keep->places, 0);
	if (!keep->places.data[index])
		keep->places.data[index] = ora_writer_place(keep->writer, place);
	return keep->places.data[index];
}

static uint32_t variable_of(struct ora_keep *keep, const struct ora_told_fact *fact)
{
	while (keep->variables.len <= fact->key)
		xs_vec_push(&keep->variables, 0);
	if (!keep->variables.data[fact->key])
		keep->variables.data[fact->key] =
			ora_writer_variable(keep->writer, fact->variable, fact->key);
	return keep->variables.data[fact->key];
}

/* The trace is over, or was never begun. */
static void let_go(struct ora_keep *keep)
{
	ora_writer_destroy(xs_take(&keep->writer));
	if (keep->file && !--keep->file->users) {
		ora_store_destroy(keep->file->store);
		free(keep->file);
	}
	keep->file = NULL;
	xs_vec_deinit(&keep->places);
	xs_vec_deinit(&keep->variables);
	free(xs_take(&keep->trouble.data));
	keep->trouble = (struct ora_buffer){0};
}

static struct xs_error *keep_begin(struct ora_sink *sink, const struct ora_told_about *about)
{
	struct ora_keep *keep = (struct ora_keep *)sink;
	struct ora_store_trace trace = about->trace;
	struct ora_buffer arguments = {0};
	struct ora_identity identity;
	struct xs_error *err;
	keep->trace = 0;
	if (!keep->file) {
		keep->file = xs_calloc(1, sizeof *keep->file);
		keep->file->users = 1;
		if ((err = ora_store_open(keep->path, keep->how, &keep->file->store))) {
			let_go(keep);
			return err;
		}
	}
	for (char *const *word = about->argv; *word; word++) {
		ora_buffer_put(&arguments, arguments.len ? "," : "[");
		ora_buffer_json(&arguments, *word);
	}
	ora_buffer_put(&arguments, "]");
	trace.arguments = arguments.data;
	if (!(err = ora_identity_init(&identity, about->program, about->info)))
		err = ora_writer_create(
			keep->file->store, &identity.subject, &trace, &keep->writer);
	ora_identity_deinit(&identity);
	free(arguments.data);
	if (err)
		let_go(keep);
	else
		keep->trace = ora_writer_trace(keep->writer);
	return err;
}

static void keep_step(struct ora_sink *sink, const struct ora_told_transition *step)
{
	struct ora_keep *keep = (struct ora_keep *)sink;
	uint32_t prev = place_of(keep, step->prev, step->prev_index);
	ora_writer_order(keep->writer, prev, place_of(keep, step->place, step->place_index));
}

static void keep_reg(struct ora_writer *writer, const struct ora_told_reg *reg)
{
	if (reg->known && !reg->text)
		ora_writer_reg(writer, reg->name, reg->value);
	else
		ora_writer_reg_text(writer, reg->name, reg->known ? reg->text : NULL);
}

static void keep_fact(struct ora_keep *keep, const struct ora_told_fact *fact)
{
	ora_writer_fact(keep->writer, &(struct ora_store_fact){.variable = variable_of(keep, fact),
					      .depth = fact->depth,
					      .path = fact->path,
					      .type = fact->type,
					      .state = fact->state,
					      .value = fact->value,
					      .enumerator = fact->enumerator,
					      .message = fact->message,
					      .why = fact->why,
					      .shadowed = fact->shadowed,
					      .undeclared = fact->undeclared});
}

enum { ASKED_AFTER = 10000 }; /* facts: some milliseconds */

static struct xs_error *keep_stop(struct ora_sink *sink, const struct ora_told *told)
{
	struct ora_keep *keep = (struct ora_keep *)sink;
	struct ora_writer *writer = keep->writer;
	uint32_t prev = place_of(keep, told->prev, told->prev_index);
	uint32_t place = place_of(keep, told->place, told->place_index);
	ora_writer_stop_begin(writer, told->number, prev, place, told->n);
	for (size_t i = 0; i < told->frames.len; i++)
		ora_writer_frame(writer, &told->frames.data[i]);
	if (told->frame_count)
		ora_writer_frames(writer, told->frame_count);
	if (told->note)
		ora_writer_note(writer, told->note);
	for (size_t i = 0; i < told->regs.len; i++)
		keep_reg(writer, &told->regs.data[i]);
	for (size_t i = 0; i < told->facts.len; i++) {
		if (i % ASKED_AFTER == ASKED_AFTER - 1 && told->is_wanted && !told->is_wanted())
			return NULL; /* nothing of it is in the store yet, and nothing follows it */
		keep_fact(keep, &told->facts.data[i]);
	}
	return ora_writer_stop_end(writer);
}

static void keep_trouble(struct ora_sink *sink, const char *message)
{
	struct ora_keep *keep = (struct ora_keep *)sink;
	if (keep->trouble.len)
		ora_buffer_put(&keep->trouble, "; ");
	ora_buffer_put(&keep->trouble, message);
}

static void keep_transition(struct ora_sink *sink, const struct ora_told_transition *transition)
{
	struct ora_keep *keep = (struct ora_keep *)sink;
	uint32_t prev = place_of(keep, transition->prev, transition->prev_index);
	uint32_t place = place_of(keep, transition->place, transition->place_index);
	ora_writer_transition(keep->writer, prev, place, transition->count, 0);
}

static void keep_figure(struct ora_sink *sink, const char *kind, const char *name,
	uint64_t selected, uint64_t evaluated)
{
	struct ora_keep *keep = (struct ora_keep *)sink;
	ora_writer_coverage(keep->writer, kind, name, selected, evaluated);
}

static struct xs_error *keep_end(struct ora_sink *sink, const struct ora_told_end *end)
{
	struct ora_keep *keep = (struct ora_keep *)sink;
	XS_AUTO_FREE char *how = ora_ending_text(&end->ending);
	if (end->trouble)
		keep_trouble(sink, end->trouble);
	struct xs_error *err = ora_writer_finish(keep->writer,
		&(struct ora_store_end){
			.complete = ora_ending_complete(&end->ending) && !end->trouble,
			.how = end->ending.over == ORA_OVER_CUT && !*how ? "cut short" : how,
			.trouble = keep->trouble.data,
			.stops = end->stops});
	let_go(keep);
	return err;
}

static struct ora_sink *keep_split(struct ora_sink *sink)
{
	const struct ora_keep *keep = (const struct ora_keep *)sink;
	struct ora_keep *part = ora_keep_create(keep->path, keep->how, keep->ops.step);
	part->file = keep->file;
	part->file->users++;
	return &part->sink;
}

static void keep_destroy(struct ora_sink *sink)
{
	ora_keep_destroy((struct ora_keep *)sink);
}

struct ora_keep *ora_keep_create(const char *path, enum ora_store_access how, bool order)
{
	struct ora_keep *keep = xs_calloc(1, sizeof *keep);
	keep->path = xs_strdup(path);
	keep->how = how;
	keep->ops = (struct ora_sink_ops){.begin = keep_begin,
		.step = order ? keep_step : NULL,
		.stop = keep_stop,
		.trouble = keep_trouble,
		.transition = keep_transition,
		.figure = keep_figure,
		.end = keep_end,
		.split = keep_split,
		.destroy = keep_destroy};
	keep->sink = (struct ora_sink){.ops = &keep->ops, .inlined = true};
	return keep;
}

void ora_keep_destroy(struct ora_keep *keep)
{
	if (!keep)
		return;
	let_go(keep);
	free(keep->path);
	free(keep);
}

struct ora_sink *ora_keep_sink(struct ora_keep *keep)
{
	return &keep->sink;
}

uint64_t ora_keep_trace(const struct ora_keep *keep)
{
	return keep->trace;
}

uint64_t ora_keep_size(const struct ora_keep *keep)
{
	return keep->file ? ora_store_size(keep->file->store) : 0;
}
