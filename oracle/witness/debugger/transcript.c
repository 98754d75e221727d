#include "oracle/witness/debugger/transcript.h"

#include "dwarf/leaf.h"
#include "oracle/store/buffer.h"
#include "oracle/store/identity.h"

struct ora_transcript {
	const struct ora_testimony *testimony;
	struct ora_store *store;
	struct ora_writer *writer;
	struct ora_buffer how;     /* how the program ended, in words */
	struct ora_buffer trouble; /* what the witness could not do, so far */
	uint64_t stops;            /* executed ones */
	bool whole;                /* it was traced to its end */
};

void ora_transcript_destroy(struct ora_transcript *transcript)
{
	if (!transcript)
		return;
	ora_writer_destroy(transcript->writer);
	ora_store_destroy(transcript->store);
	free(transcript->how.data);
	free(transcript->trouble.data);
	free(transcript);
}

struct xs_error *ora_transcript_create(
	const char *path, const struct ora_testimony *testimony, struct ora_transcript **ret)
{
	XS_AUTO(ora_transcript) transcript = xs_calloc(1, sizeof *transcript);
	const struct ora_run *run = testimony->run;
	const struct ora_witness *witness = testimony->witness;
	struct ora_buffer arguments = {0};
	struct ora_identity identity;
	struct xs_error *err;
	transcript->testimony = testimony;
	if ((err = ora_store_open(path, ORA_STORE_WRITE, &transcript->store)))
		return err;
	for (char *const *word = run->argv; *word; word++) {
		ora_buffer_put(&arguments, arguments.len ? "," : "[");
		ora_buffer_json(&arguments, *word);
	}
	ora_buffer_put(&arguments, "]");
	struct ora_store_trace about = {.witness = ora_witness_label(witness),
		.version = witness->version ? witness->version : "",
		.mode = testimony->shared ? "shared"
			: testimony->plan ? "native, planned"
					  : "native",
		.level = testimony->level,
		.sample = testimony->sample,
		.seed = testimony->seed,
		.arguments = arguments.data,
		.from = testimony->from,
		.vars = testimony->vars,
		.frames = testimony->frames,
		.regs = testimony->regs,
		.max_leaves = testimony->max_leaves ? testimony->max_leaves : DI_LEAF_MAX};
	if (!(err = ora_identity_init(&identity, run->path, run->subject->modules.data[0].info)))
		err = ora_writer_create(
			transcript->store, &identity.subject, &about, &transcript->writer);
	ora_identity_deinit(&identity);
	free(arguments.data);
	if (!err)
		*ret = xs_take(&transcript);
	return err;
}

uint64_t ora_transcript_trace(const struct ora_transcript *transcript)
{
	return ora_writer_trace(transcript->writer);
}

/* --- from JSON -------------------------------------------------------------------------------- */

static const char *text_of(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static uint32_t number_of(json_t *object, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(object, key));
}

/* An address is a text in hex; XS_ADDR_NONE if it is null. */
static xs_addr address_of(json_t *object, const char *key)
{
	const char *text = text_of(object, key);
	return text ? strtoull(text, NULL, 16) : XS_ADDR_NONE;
}

/* The place of an address that may have been told, or of which nothing is known but that. */
static uint32_t bare_place(struct ora_transcript *transcript, xs_addr address)
{
	if (address == XS_ADDR_NONE)
		return 0;
	uint32_t known = ora_writer_find_place(transcript->writer, NULL, address);
	return known ? known
		     : ora_writer_place(
			       transcript->writer, &(struct ora_store_place){.address = address});
}

/* The inlined calls as the store has them: [{"function":...}, ...]; NULL if there are none. */
static char *inlined_of(json_t *stop)
{
	json_t *list = json_array(), *name;
	size_t i;
	json_array_foreach(json_object_get(stop, "inlined"), i, name)
		json_array_append_new(list, json_pack("{s:O}", "function", name));
	char *ret = json_array_size(list) ? json_dumps(list, JSON_COMPACT) : NULL;
	json_decref(list);
	return ret;
}

static uint32_t place_of(struct ora_transcript *transcript, json_t *stop)
{
	const struct di_module *info = transcript->testimony->run->subject->modules.data[0].info;
	xs_addr address = address_of(stop, "pc");
	uint32_t known = ora_writer_find_place(transcript->writer, NULL, address);
	if (known)
		return known;
	const struct di_function *function = di_functions_find(&info->functions, address);
	XS_AUTO_FREE char *inlined = inlined_of(stop);
	struct ora_store_place place = {.address = address,
		.function = text_of(stop, "function"),
		.offset = function ? (int64_t)(address - function->entry) : 0,
		.has_row = json_is_integer(json_object_get(stop, "line")),
		.file = text_of(stop, "file"),
		.line = number_of(stop, "line"),
		.column = number_of(stop, "column"),
		.inlined = inlined};
	return ora_writer_place(transcript->writer, &place);
}

static void put_frame(struct ora_transcript *transcript, json_t *frame)
{
	ora_writer_frame(transcript->writer,
		&(struct ora_store_frame){.function = text_of(frame, "function"),
			.file = text_of(frame, "file"),
			.line = number_of(frame, "line"),
			.column = number_of(frame, "column"),
			.inlined = json_is_true(json_object_get(frame, "inlined")),
			.address = XS_ADDR_NONE});
}

static void put_fact(struct ora_transcript *transcript, json_t *fact)
{
	json_t *declaration = json_object_get(fact, "decl");
	const char *state = text_of(fact, "state");
	struct ora_store_variable variable = {.scope = text_of(fact, "scope"),
		.unit = text_of(fact, "unit"),
		.name = text_of(fact, "var"),
		.file = text_of(declaration, "file"),
		.line = number_of(declaration, "line")};
	struct ora_store_fact told = {.depth = number_of(fact, "depth"),
		.path = text_of(fact, "path"),
		.type = text_of(fact, "type"),
		.value = text_of(fact, "value"),
		.enumerator = text_of(fact, "enumerator"),
		.message = text_of(fact, "message"),
		.shadowed = json_is_true(json_object_get(fact, "shadowed"))};
	if (!variable.name || !told.path || !state || !ora_state_parse(state, &told.state))
		return;
	told.variable = ora_writer_variable(transcript->writer, &variable, number_of(fact, "nth"));
	ora_writer_fact(transcript->writer, &told);
}

static struct xs_error *put_stop(struct ora_transcript *transcript, json_t *stop)
{
	struct ora_writer *writer = transcript->writer;
	uint32_t prev = bare_place(transcript, address_of(stop, "prev"));
	uint32_t place = place_of(transcript, stop);
	json_t *frames = json_object_get(stop, "frames"), *item;
	const char *name;
	size_t i;
	ora_writer_stop_begin(writer, (uint64_t)json_integer_value(json_object_get(stop, "stop")),
		prev, place, (uint64_t)json_integer_value(json_object_get(stop, "n")));
	json_array_foreach(frames, i, item) put_frame(transcript, item);
	if (!frames && json_is_object(json_object_get(stop, "shown")))
		put_frame(transcript, json_object_get(stop, "shown"));
	if (number_of(stop, "frame_count"))
		ora_writer_frames(writer, number_of(stop, "frame_count"));
	json_object_foreach(json_object_get(stop, "regs"), name, item)
		ora_writer_reg(writer, name, strtoull(json_string_value(item), NULL, 16));
	json_array_foreach(json_object_get(stop, "vars"), i, item) put_fact(transcript, item);
	return ora_writer_stop_end(writer);
}

static void add_words(struct ora_buffer *buffer, const char *text)
{
	if (buffer->len)
		ora_buffer_put(buffer, "; ");
	ora_buffer_put(buffer, text);
}

static void put_end(struct ora_transcript *transcript, json_t *line)
{
	const struct ora_testimony *testimony = transcript->testimony;
	const char *end = text_of(line, "end");
	json_t *status = json_object_get(line, "status"), *signal = json_object_get(line, "signal");
	XS_AUTO_FREE char *words = NULL;
	end = end ? end : "";
	transcript->stops = (uint64_t)json_integer_value(json_object_get(line, "stops"));
	transcript->whole = !strcmp(end, "returned") || !strcmp(end, "program");
	if (!strcmp(end, "returned")) {
		ora_buffer_put(&transcript->how, testimony->from ? testimony->from : "main");
		ora_buffer_put(&transcript->how, " returned");
	}
	if (!strcmp(end, "limit"))
		words = xs_asprintf("ended by --limit %" PRIu64, testimony->limit);
	else if (json_is_integer(signal))
		words = xs_asprintf(
			"killed by signal %" JSON_INTEGER_FORMAT, json_integer_value(signal));
	else if (json_is_string(signal))
		words = xs_asprintf("killed by %s", json_string_value(signal));
	else if (json_is_integer(status))
		words = xs_asprintf(
			"exited with status %" JSON_INTEGER_FORMAT, json_integer_value(status));
	if (words)
		add_words(&transcript->how, words);
}

struct xs_error *ora_transcript_line(
	struct ora_transcript *transcript, const char *kind, json_t *line)
{
	if (!strcmp(kind, "stop"))
		return put_stop(transcript, line);
	if (!strcmp(kind, "transition"))
		ora_writer_transition(transcript->writer,
			bare_place(transcript, address_of(line, "prev")),
			bare_place(transcript, address_of(line, "pc")),
			(uint64_t)json_integer_value(json_object_get(line, "count")), 0);
	else if (!strcmp(kind, "trouble") && text_of(line, "message"))
		add_words(&transcript->trouble, text_of(line, "message"));
	else if (!strcmp(kind, "end"))
		put_end(transcript, line);
	return NULL;
}

struct xs_error *ora_transcript_end(struct ora_transcript *transcript, const char *trouble)
{
	if (trouble)
		add_words(&transcript->trouble, trouble);
	return ora_writer_finish(transcript->writer,
		&(struct ora_store_end){.complete = transcript->whole && !trouble,
			.how = transcript->how.data ? transcript->how.data : "cut short",
			.trouble = transcript->trouble.data,
			.stops = transcript->stops});
}
