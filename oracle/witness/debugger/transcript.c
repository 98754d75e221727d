#include "oracle/witness/debugger/transcript.h"

#include "oracle/witness/own/run.h"

/* A place as the witness has told it. */
struct ora_transcript_place {
	struct ora_store_place place; /* names are its own */
	bool told;                    /* more is known than the address */
	char *function, *file, *inlined;
};

struct ora_transcript_variable {
	struct ora_store_variable variable; /* names are its own */
	unsigned nth;                       /* of several that look the same */
	size_t next;                        /* another one with this hash, plus 1 */
	char *texts[4];                     /* what it points to */
};

/* What stays the same of a fact that is told again by its number. */
struct ora_transcript_leaf {
	struct ora_store_variable variable; /* as the driver has it; texts are the object's */
	struct ora_told_fact told;          /* likewise: depth, nth, path and type */
	json_t *object;                     /* as it was told */
};

void ora_transcript_deinit(struct ora_transcript *transcript)
{
	for (size_t i = 0; i < transcript->leaves.len; i++)
		json_decref(transcript->leaves.data[i].object);
	xs_vec_deinit(&transcript->leaves);
	for (size_t i = 0; i < transcript->places.len; i++) {
		struct ora_transcript_place *place = transcript->places.data[i];
		free(place->function);
		free(place->file);
		free(place->inlined);
		free(place);
	}
	for (size_t i = 0; i < transcript->variables.len; i++) {
		for (size_t k = 0; k < 4; k++)
			free(transcript->variables.data[i]->texts[k]);
		free(transcript->variables.data[i]);
	}
	xs_vec_deinit(&transcript->places);
	xs_vec_deinit(&transcript->variables);
	xs_map_deinit(&transcript->place_index);
	xs_map_deinit(&transcript->variable_index);
	for (size_t i = 0; i < transcript->frames.len; i++)
		json_decref(transcript->frames.data[i]);
	xs_vec_deinit(&transcript->frames);
	xs_vec_deinit(&transcript->told.frames);
	xs_vec_deinit(&transcript->told.facts);
	xs_vec_deinit(&transcript->told.regs);
	xs_vec_deinit(&transcript->told.texts);
	free(xs_take(&transcript->killer));
	ora_spellings_deinit(&transcript->spellings);
	for (size_t i = 0; i < transcript->paths.len; i++)
		free(transcript->paths.data[i]);
	xs_vec_deinit(&transcript->paths);
}

/* --- from JSON -------------------------------------------------------------------------------- */

static const char *text_of(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static char *copy_of(json_t *object, const char *key)
{
	const char *text = text_of(object, key);
	return text ? xs_strdup(text) : NULL;
}

static uint32_t number_of(json_t *object, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(object, key));
}

static uint64_t count_of(json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

/* An address is a text in hex; XS_ADDR_NONE if it is null. */
static xs_addr address_of(json_t *object, const char *key)
{
	const char *text = text_of(object, key);
	return text ? strtoull(text, NULL, 16) : XS_ADDR_NONE;
}

/* --- places ----------------------------------------------------------------------------------- */

/* The place of an address, of which nothing may be known but that; NULL for XS_ADDR_NONE. */
static struct ora_transcript_place *place_at(
	struct ora_transcript *transcript, xs_addr address, size_t *index)
{
	*index = 0;
	if (address == XS_ADDR_NONE)
		return NULL;
	uint64_t *known = xs_map_at(&transcript->place_index, address, 0);
	if (!*known) {
		struct ora_transcript_place *place = xs_calloc(1, sizeof *place);
		place->place.address = address;
		xs_vec_push(&transcript->places, place);
		*known = transcript->places.len;
	}
	*index = *known - 1;
	return transcript->places.data[*index];
}

/* The inlined calls as ora_store_place has them: [{"function":...}, ...]; NULL if there are
 * none. */
static char *inlined_of(struct ora_transcript *transcript, json_t *stop, xs_addr pc)
{
	json_t *list = json_array(), *name;
	size_t i;
	json_array_foreach(json_object_get(stop, "inlined"), i, name)
		json_array_append_new(list, json_pack("{s:s?}", "function",
						    ora_spelling_function(&transcript->spellings,
							    pc, true, json_string_value(name))));
	char *ret = json_array_size(list) ? json_dumps(list, JSON_COMPACT) : NULL;
	json_decref(list);
	return ret;
}

/* The place of a stop, with all that is said of it. */
static const struct ora_store_place *take_place(
	struct ora_transcript *transcript, json_t *stop, size_t *index)
{
	const struct ora_run *run = transcript->testimony->question->run;
	struct di_module *info = run->subject->modules.data[0].info;
	xs_addr address = address_of(stop, "pc");
	struct ora_transcript_place *place = place_at(transcript, address, index);
	if (!place || place->told)
		return place ? &place->place : NULL;
	const struct di_function *function = di_functions_find(info->functions, address);
	place->told = true;
	transcript->spellings.module = info;
	const char *name = ora_spelling_function(
		&transcript->spellings, address, false, text_of(stop, "function"));
	place->function = name ? xs_strdup(name) : NULL;
	place->file = copy_of(stop, "file");
	place->inlined = inlined_of(transcript, stop, address);
	place->place = (struct ora_store_place){.address = address,
		.function = place->function,
		.offset = function ? (int64_t)(address - function->entry) : 0,
		.has_row = json_is_integer(json_object_get(stop, "line")),
		.file = place->file,
		.line = number_of(stop, "line"),
		.column = number_of(stop, "column"),
		.inlined = place->inlined};
	return &place->place;
}

/* --- variables -------------------------------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_it(const struct ora_transcript_variable *one,
	const struct ora_store_variable *variable, unsigned nth)
{
	const struct ora_store_variable *known = &one->variable;
	return one->nth == nth && known->line == variable->line &&
	       is_same(known->unit, variable->unit) && is_same(known->scope, variable->scope) &&
	       is_same(known->name, variable->name) && is_same(known->file, variable->file);
}

/* The variable of an identity, as it is kept; returns its number, plus 1. */
static size_t take_variable(
	struct ora_transcript *transcript, const struct ora_store_variable *variable, unsigned nth)
{
	uint64_t hash = xs_hash_text(xs_mix(variable->line), variable->unit);
	hash = xs_hash_text(xs_hash_text(hash, variable->scope), variable->name);
	uint64_t *first = xs_map_at(&transcript->variable_index, hash, nth);
	for (size_t i = *first; i; i = transcript->variables.data[i - 1]->next)
		if (is_it(transcript->variables.data[i - 1], variable, nth))
			return i;
	const char *texts[] = {variable->unit, variable->scope, variable->name, variable->file};
	struct ora_transcript_variable *one = xs_calloc(1, sizeof *one);
	for (size_t i = 0; i < 4; i++)
		one->texts[i] = texts[i] ? xs_strdup(texts[i]) : NULL;
	one->variable = (struct ora_store_variable){.unit = one->texts[0],
		.scope = one->texts[1],
		.name = one->texts[2],
		.file = one->texts[3],
		.line = variable->line};
	one->nth = nth;
	one->next = *first;
	xs_vec_push(&transcript->variables, one);
	*first = transcript->variables.len;
	return *first;
}

/* Where a frame of the stop is, for lookups; XS_ADDR_NONE: not in the program. */
static xs_addr frame_pc(const struct ora_transcript *transcript, size_t number)
{
	const struct ora_told *told = &transcript->told;
	size_t i = 0;
	while (i < number && i < told->frames.len && told->frames.data[i].inlined)
		i++;
	if (i == number || !told->frames.len) /* of the innermost physical frame */
		return told->place->address;
	if (number >= told->frames.len || told->frames.data[number].address == XS_ADDR_NONE)
		return XS_ADDR_NONE;
	return told->frames.data[number].address - 1;
}

/* A path that begins with a variable's name, with the name that this one means. */
static const char *renamed(
	struct ora_transcript *transcript, const char *path, const char *name, const char *meant)
{
	size_t length = strlen(name);
	if (!strcmp(name, meant) || strncmp(path, name, length) != 0)
		return path;
	xs_vec_push(&transcript->paths, xs_asprintf("%s%s", meant, path + length));
	return transcript->paths.data[transcript->paths.len - 1];
}

/* A variable's leaf in a state, both as the driver has them. */
static void tell_fact(struct ora_transcript *transcript, struct ora_store_variable variable,
	struct ora_told_fact told, const char *state)
{
	if (told.depth) {
		variable.scope = ora_spelling_scope(
			&transcript->spellings, frame_pc(transcript, told.frame), variable.scope);
	} else if (variable.name && told.path) {
		const char *meant = ora_spelling_global(&transcript->spellings, variable.name);
		told.path = renamed(transcript, told.path, variable.name, meant);
		variable.name = meant;
	}
	if (state && !strcmp(state, "not-asked")) {
		state = ora_state_text(ORA_STATE_ERROR);
		told.why = ORA_WHY_NOT_ASKED;
	}
	if (!variable.name || !told.path || !state || !ora_state_parse(state, &told.state))
		return;
	told.key = take_variable(transcript, &variable, told.nth);
	told.variable = &transcript->variables.data[told.key - 1]->variable;
	xs_vec_push(&transcript->told.facts, told);
}

/* A fact that is told in full. One with a number is kept. */
static void take_whole_fact(struct ora_transcript *transcript, json_t *fact)
{
	json_t *declaration = json_object_get(fact, "decl");
	json_t *number = json_object_get(fact, "number");
	struct ora_transcript_leaf leaf = {.variable = {.scope = text_of(fact, "scope"),
						   .unit = text_of(fact, "unit"),
						   .name = text_of(fact, "var"),
						   .file = text_of(declaration, "file"),
						   .line = number_of(declaration, "line")},
		.told = {.depth = number_of(fact, "depth"),
			.nth = number_of(fact, "nth"),
			.path = text_of(fact, "path"),
			.type = text_of(fact, "type")},
		.object = fact};
	struct ora_told_fact told = leaf.told;
	if (json_is_integer(number) &&
		json_integer_value(number) == (json_int_t)transcript->leaves.len) {
		json_incref(fact);
		xs_vec_push(&transcript->leaves, leaf);
	}
	told.frame = number_of(fact, "frame");
	told.shadowed = json_is_true(json_object_get(fact, "shadowed"));
	told.value = text_of(fact, "value");
	told.enumerator = text_of(fact, "enumerator");
	told.message = text_of(fact, "message");
	tell_fact(transcript, leaf.variable, told, text_of(fact, "state"));
}

/* [number, frame, shadowed, state, value, enumerator, message] of a leaf that was told before. One
 * that was not is left out. */
static void take_numbered_fact(struct ora_transcript *transcript, json_t *fact)
{
	json_t *number = json_array_get(fact, 0);
	json_int_t index = json_integer_value(number);
	if (!json_is_integer(number) || index < 0 || index >= (json_int_t)transcript->leaves.len)
		return;
	const struct ora_transcript_leaf *leaf = &transcript->leaves.data[index];
	struct ora_told_fact told = leaf->told;
	told.frame = (uint32_t)json_integer_value(json_array_get(fact, 1));
	told.shadowed = json_is_true(json_array_get(fact, 2));
	told.value = json_string_value(json_array_get(fact, 4));
	told.enumerator = json_string_value(json_array_get(fact, 5));
	told.message = json_string_value(json_array_get(fact, 6));
	tell_fact(transcript, leaf->variable, told, json_string_value(json_array_get(fact, 3)));
}

static void take_fact(struct ora_transcript *transcript, json_t *fact)
{
	if (json_is_array(fact))
		take_numbered_fact(transcript, fact);
	else
		take_whole_fact(transcript, fact);
}

/* --- stops ------------------------------------------------------------------------------------ */

static void take_frame(struct ora_transcript *transcript, json_t *frame)
{
	xs_vec_push(&transcript->told.frames,
		((struct ora_store_frame){.function = NULL,
			.file = text_of(frame, "file"),
			.line = number_of(frame, "line"),
			.column = number_of(frame, "column"),
			.inlined = json_is_true(json_object_get(frame, "inlined")),
			.tail = json_is_true(json_object_get(frame, "tail")),
			.address = address_of(frame, "pc")}));
	struct ora_told *told = &transcript->told;
	struct ora_store_frame *last = &told->frames.data[told->frames.len - 1];
	xs_addr pc = frame_pc(transcript, told->frames.len - 1);
	/* One of a tail call is made up: its pc is not where it is. */
	last->function = ora_spelling_function(&transcript->spellings,
		last->tail ? XS_ADDR_NONE : pc, last->inlined, text_of(frame, "function"));
}

/* A frame, or the number of one that was told before. One that was not is left out. */
static void take_numbered(struct ora_transcript *transcript, json_t *item)
{
	json_int_t number = json_integer_value(item);
	if (json_is_object(item)) {
		xs_vec_push(&transcript->frames, json_incref(item));
		take_frame(transcript, item);
	} else if (json_is_integer(item) && number >= 0 &&
		   number < (json_int_t)transcript->frames.len) {
		take_frame(transcript, transcript->frames.data[number]);
	}
}

static struct xs_error *take_stop(struct ora_transcript *transcript, json_t *stop)
{
	struct ora_told *told = &transcript->told;
	const struct ora_transcript_place *prev =
		place_at(transcript, address_of(stop, "prev"), &told->prev_index);
	json_t *frames = json_object_get(stop, "frames"), *item;
	const char *name;
	size_t i;
	told->number = count_of(stop, "stop");
	told->n = count_of(stop, "n");
	told->prev = prev ? &prev->place : NULL;
	told->place = take_place(transcript, stop, &told->place_index);
	if (!told->place)
		return xs_error_create("%s: its driver told a stop without a pc",
			transcript->testimony->witness->path);
	for (i = 0; i < transcript->paths.len; i++)
		free(transcript->paths.data[i]);
	transcript->paths.len = 0;
	told->frames.len = told->facts.len = told->regs.len = told->texts.len = 0;
	told->has_frames = frames;
	json_array_foreach(frames, i, item) take_numbered(transcript, item);
	if (!frames && json_is_object(json_object_get(stop, "shown")))
		take_frame(transcript, json_object_get(stop, "shown"));
	told->frame_count = number_of(stop, "frame_count");
	json_object_foreach(json_object_get(stop, "regs"), name, item) xs_vec_push(
		&told->regs, ((struct ora_told_reg){.name = name,
				     .known = true,
				     .value = strtoull(json_string_value(item), NULL, 16)}));
	json_array_foreach(json_object_get(stop, "vars"), i, item) take_fact(transcript, item);
	json_object_foreach(json_object_get(stop, "texts"), name, item) xs_vec_push(&told->texts,
		((struct ora_told_text){.name = name, .text = json_string_value(item)}));
	return ora_sink_stop(transcript->testimony->sink, told);
}

static void tell_transition(
	struct ora_transcript *transcript, xs_addr prev, xs_addr pc, uint64_t count, bool foreign)
{
	struct ora_sink *sink = transcript->testimony->sink;
	struct ora_told_transition told = {.count = count, .foreign = foreign};
	const struct ora_transcript_place *from = place_at(transcript, prev, &told.prev_index),
					  *to = place_at(transcript, pc, &told.place_index);
	told.prev = from ? &from->place : NULL;
	told.place = to ? &to->place : NULL;
	if (told.place && sink->ops->transition)
		sink->ops->transition(sink, &told);
}

void ora_transcript_transition(
	struct ora_transcript *transcript, xs_addr prev, xs_addr pc, uint64_t count)
{
	tell_transition(transcript, prev, pc, count, true);
}

static void take_end(struct ora_transcript *transcript, json_t *line)
{
	const struct ora_question *question = transcript->testimony->question;
	struct ora_ending *ending = &transcript->end.ending;
	const char *end = text_of(line, "end"), *signal = text_of(line, "signal");
	json_t *status = json_object_get(line, "status"), *number = json_object_get(line, "signal");
	end = end ? end : "";
	*ending = (struct ora_ending){.from = question->from,
		.limit = question->limit,
		.over = !strcmp(end, "returned")  ? ORA_OVER_RETURN
			: !strcmp(end, "program") ? ORA_OVER_PROGRAM
			: !strcmp(end, "limit")   ? ORA_OVER_LIMIT
						  : ORA_OVER_CUT};
	transcript->end.stops = count_of(line, "stops");
	if (ending->over == ORA_OVER_LIMIT)
		return;
	if (json_is_integer(number) || signal) {
		free(transcript->killer);
		ending->fate = ORA_FATE_KILLED;
		ending->killed_by =
			signal ? ora_ending_signal(signal) : (int)json_integer_value(number);
		ending->killer = transcript->killer = signal ? xs_strdup(signal) : NULL;
	} else if (json_is_integer(status)) {
		ending->fate = ORA_FATE_EXITED;
		ending->status = (int)json_integer_value(status);
	}
}

struct xs_error *ora_transcript_line(
	struct ora_transcript *transcript, const char *kind, json_t *line)
{
	if (!strcmp(kind, "stop"))
		return take_stop(transcript, line);
	if (!strcmp(kind, "transition"))
		tell_transition(transcript, address_of(line, "prev"), address_of(line, "pc"),
			count_of(line, "count"), json_object_get(line, "counted_by"));
	else if (!strcmp(kind, "trouble") && text_of(line, "message"))
		ora_sink_trouble(transcript->testimony->sink, text_of(line, "message"));
	else if (!strcmp(kind, "end"))
		take_end(transcript, line);
	return NULL;
}
