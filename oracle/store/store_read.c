/* store_read.c - reads a trace back: from change to change, and the whole state at any stop.
 *
 * What a trace refers to is read when the reader is made; stops are read one after the other. A
 * file may be damaged in ways that SQLite does not notice: whatever is out of place is an error. */
#include <errno.h>
#include <zlib.h>

#include "base/map.h"
#include "oracle/store/store_db.h"

struct stack {
	uint32_t frame, outer, depth;
};

struct leaf {
	uint32_t variable, depth;
	const char *path, *type;
};

struct saying {
	enum ora_state state;
	bool number, text; /* the form */
	const char *enumerator, *message, *why;
	bool shadowed, undeclared;
};

struct transition {
	uint32_t prev, place;
	uint64_t count, first;
};

/* An element of a leaf as it stands. */
struct known {
	uint32_t leaf;
	uint64_t element;
	uint32_t saying; /* 0: nothing was said yet */
	int64_t value;
	char *path;
	unsigned frame; /* that it was told from */
};

struct span {
	uint64_t first, last;
};

struct reg {
	char *name, *text;
	bool told, known;
	uint64_t value;
};

struct ora_reader {
	struct ora_store *store;
	int64_t trace;
	bool has_frames, has_regs;
	struct xs_map texts; /* id -> index into strings, plus 1 */
	XS_VEC(char *) strings;
	XS_VEC(struct ora_store_place) places;
	XS_VEC(struct transition) transitions;
	XS_VEC(struct ora_store_frame) frames;
	XS_VEC(struct stack) stacks;
	XS_VEC(struct ora_store_variable) variables;
	XS_VEC(uint32_t) ordinals;
	XS_VEC(struct leaf) leaves;
	XS_VEC(struct saying) sayings;
	XS_VEC(const char *) values;
	struct xs_map biases;   /* by number of a place: bias, plus 1, of its module */
	struct xs_map unstable; /* (leaf, element) -> 1 */
	sqlite3_stmt *find_text, *stops, *regs, *spans;

	struct xs_map known_index; /* (leaf, element) -> index, plus 1 */
	XS_VEC(struct known) known;
	XS_VEC(struct reg) reg_list;
	struct ora_told told;   /* the stop it is at */
	XS_VEC(char *) scratch; /* texts of that stop */
	bool ended;
};

static struct xs_error *damaged(const struct ora_reader *reader, const char *what)
{
	return xs_error_corrupt(
		"%s: trace %" PRId64 " is damaged: %s", reader->store->path, reader->trace, what);
}

/* --- what stops refer to ---------------------------------------------------------------------- */

static const char *keep(struct ora_reader *reader, const char *text)
{
	xs_vec_push(&reader->strings, xs_strdup(text));
	return reader->strings.data[reader->strings.len - 1];
}

/* The text that a column refers to; NULL if it is NULL or there is none. */
static const char *text_of(struct ora_reader *reader, sqlite3_stmt *row, int column)
{
	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return NULL;
	int64_t id = sqlite3_column_int64(row, column);
	uint64_t *index = xs_map_at(&reader->texts, (uint64_t)id, 0);
	if (*index)
		return reader->strings.data[*index - 1];
	const char *ret = NULL;
	sqlite3_bind_int64(reader->find_text, 1, id);
	if (sqlite3_step(reader->find_text) == SQLITE_ROW) {
		ret = keep(reader, ora_column_text(reader->find_text, 0));
		*index = reader->strings.len;
	}
	sqlite3_reset(reader->find_text);
	return ret;
}

static uint32_t number_of(sqlite3_stmt *row, int column)
{
	return (uint32_t)sqlite3_column_int64(row, column);
}

typedef struct xs_error *on_row(struct ora_reader *reader, sqlite3_stmt *row);

/* Calls back for each row of the trace; the ids in column 0 must count from 1. */
static struct xs_error *load(
	struct ora_reader *reader, const char *sql, const char *what, on_row *on_one)
{
	ORA_AUTO_STATEMENT row = NULL;
	struct xs_error *err = ora_store_prepare(reader->store, sql, &row);
	int code = 0;
	if (err)
		return err;
	sqlite3_bind_int64(row, 1, reader->trace);
	for (int64_t id = 1; (code = sqlite3_step(row)) == SQLITE_ROW; id++) {
		if (sqlite3_column_int64(row, 0) != id)
			return damaged(reader, what);
		if ((err = on_one(reader, row)))
			return err;
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(reader->store);
}

static struct xs_error *on_place(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct ora_store_place place = {.module = text_of(reader, row, 1),
		.address = (uint64_t)sqlite3_column_int64(row, 2),
		.function = text_of(reader, row, 3),
		.file = text_of(reader, row, 5),
		.has_row = sqlite3_column_type(row, 6) != SQLITE_NULL,
		.line = number_of(row, 6),
		.column = number_of(row, 7),
		.inlined = text_of(reader, row, 8)};
	if (place.function)
		place.offset = (int64_t)(place.address - (uint64_t)sqlite3_column_int64(row, 4));
	xs_vec_push(&reader->places, place);
	if (sqlite3_column_type(row, 9) != SQLITE_NULL)
		*xs_map_at(&reader->biases, reader->places.len, 0) =
			(uint64_t)sqlite3_column_int64(row, 9) + 1;
	return NULL;
}

static struct xs_error *on_transition(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct transition transition = {.prev = number_of(row, 1),
		.place = number_of(row, 2),
		.count = (uint64_t)sqlite3_column_int64(row, 3),
		.first = (uint64_t)sqlite3_column_int64(row, 4)};
	if (transition.prev > reader->places.len || !transition.place ||
		transition.place > reader->places.len)
		return damaged(reader, "a transition from or to nowhere");
	xs_vec_push(&reader->transitions, transition);
	return NULL;
}

static struct xs_error *on_frame(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct ora_store_frame frame = {.function = text_of(reader, row, 1),
		.file = text_of(reader, row, 2),
		.line = number_of(row, 3),
		.column = number_of(row, 4),
		.inlined = number_of(row, 5) & ORA_FRAME_INLINED,
		.tail = number_of(row, 5) & ORA_FRAME_TAIL,
		.module = text_of(reader, row, 6),
		.address = sqlite3_column_type(row, 7) == SQLITE_NULL
				   ? XS_ADDR_NONE
				   : (uint64_t)sqlite3_column_int64(row, 7)};
	xs_vec_push(&reader->frames, frame);
	return NULL;
}

static struct xs_error *on_stack(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct stack stack = {number_of(row, 1), number_of(row, 2), number_of(row, 3)};
	/* An outer one was stored before: no walk goes in circles. */
	if (!stack.frame || stack.frame > reader->frames.len || stack.outer > reader->stacks.len)
		return damaged(reader, "a stack of unknown frames");
	xs_vec_push(&reader->stacks, stack);
	return NULL;
}

static struct xs_error *on_variable(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct ora_store_variable variable = {.unit = text_of(reader, row, 1),
		.scope = text_of(reader, row, 2),
		.name = text_of(reader, row, 3),
		.file = text_of(reader, row, 4),
		.line = number_of(row, 5)};
	if (!variable.name)
		return damaged(reader, "a variable without a name");
	xs_vec_push(&reader->variables, variable);
	xs_vec_push(&reader->ordinals, number_of(row, 6));
	return NULL;
}

static struct xs_error *on_leaf(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct leaf leaf = {.variable = number_of(row, 1),
		.depth = number_of(row, 2),
		.path = text_of(reader, row, 3),
		.type = text_of(reader, row, 4)};
	if (!leaf.variable || leaf.variable > reader->variables.len || !leaf.path ||
		(*leaf.path != '$' && *leaf.path != '='))
		return damaged(reader, "a leaf of no variable");
	xs_vec_push(&reader->leaves, leaf);
	return NULL;
}

static struct xs_error *on_saying(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct saying saying = {.number = !strcmp(ora_column_text(row, 2), "number"),
		.text = !strcmp(ora_column_text(row, 2), "text"),
		.enumerator = text_of(reader, row, 3),
		.message = text_of(reader, row, 4),
		.shadowed = number_of(row, 5),
		.undeclared = !number_of(row, 6)};
	if (!ora_state_parse(ora_column_text(row, 1), &saying.state))
		return damaged(reader, "an unknown state");
	if (sqlite3_column_type(row, 7) != SQLITE_NULL)
		saying.why = keep(reader, ora_column_text(row, 7));
	xs_vec_push(&reader->sayings, saying);
	return NULL;
}

static struct xs_error *on_value(struct ora_reader *reader, sqlite3_stmt *row)
{
	xs_vec_push(&reader->values, keep(reader, ora_column_text(row, 1)));
	return NULL;
}

static struct xs_error *on_unstable(struct ora_reader *reader, sqlite3_stmt *row)
{
	*xs_map_at(&reader->unstable, (uint64_t)sqlite3_column_int64(row, 1),
		(uint64_t)sqlite3_column_int64(row, 2)) = 1;
	return NULL;
}

static struct xs_error *load_places(struct ora_reader *reader)
{
	return load(reader,
		"SELECT place.id, place.module, place.address, site.function, site.entry, "
		"site.file, site.line, site.\"column\", site.inlined, loaded.bias "
		"FROM place JOIN site ON site.trace = place.trace AND site.id = place.site "
		"LEFT JOIN text ON text.id = place.module "
		"LEFT JOIN loaded ON loaded.trace = place.trace "
		"AND loaded.name = coalesce(text.text, '') "
		"WHERE place.trace = ? ORDER BY place.id",
		"a place is missing", on_place);
}

static struct xs_error *load_all(struct ora_reader *reader)
{
	struct xs_error *err;
	if ((err = load_places(reader)) ||
		(err = load(reader,
			 "SELECT id, prev, place, count, first FROM transition WHERE trace = ? "
			 "ORDER BY id",
			 "a transition is missing", on_transition)) ||
		(err = load(reader,
			 "SELECT id, function, file, line, \"column\", inlined, module, address "
			 "FROM frame WHERE trace = ? ORDER BY id",
			 "a frame is missing", on_frame)) ||
		(err = load(reader,
			 "SELECT id, frame, outer, depth FROM stack WHERE trace = ? ORDER BY id",
			 "a stack is missing", on_stack)) ||
		(err = load(reader,
			 "SELECT id, unit, scope, name, file, line, ordinal FROM variable "
			 "WHERE trace = ? ORDER BY id",
			 "a variable is missing", on_variable)) ||
		(err = load(reader,
			 "SELECT id, variable, depth, path, type FROM leaf WHERE trace = ? "
			 "ORDER BY id",
			 "a leaf is missing", on_leaf)) ||
		(err = load(reader,
			 "SELECT id, state, form, enumerator, message, shadowed, declared, why "
			 "FROM saying WHERE trace = ? ORDER BY id",
			 "a saying is missing", on_saying)) ||
		(err = load(reader, "SELECT id, text FROM value WHERE trace = ? ORDER BY id",
			 "a value is missing", on_value)))
		return err;
	return load(reader,
		"SELECT row_number() OVER (), leaf, element FROM unstable WHERE trace = ?", "",
		on_unstable);
}

struct xs_error *ora_reader_create(struct ora_store *store, uint64_t trace, struct ora_reader **ret)
{
	XS_AUTO(ora_reader) reader = xs_calloc(1, sizeof *reader);
	ORA_AUTO_STATEMENT row = NULL;
	struct xs_error *err;
	reader->store = store;
	reader->trace = (int64_t)trace;
	if ((err = ora_store_prepare(store, "SELECT frames, regs FROM trace WHERE id = ?", &row)))
		return err;
	sqlite3_bind_int64(row, 1, reader->trace);
	int code = sqlite3_step(row);
	if (code == SQLITE_DONE)
		return xs_error_create("%s: no trace %" PRIu64, store->path, trace);
	if (code != SQLITE_ROW)
		return ora_store_error(store);
	reader->has_frames = number_of(row, 0);
	reader->has_regs = number_of(row, 1);
	if ((err = ora_store_prepare(
		     store, "SELECT text FROM text WHERE id = ?", &reader->find_text)) ||
		(err = ora_store_prepare(store,
			 "SELECT number, transition, n, shown, stack, frames, note, regs, facts "
			 "FROM stop WHERE trace = ? ORDER BY number",
			 &reader->stops)) ||
		(err = ora_store_prepare(
			 store, "SELECT key, type, value FROM json_each(?)", &reader->regs)) ||
		(err = ora_store_prepare(store,
			 "SELECT 1 FROM unstable WHERE trace = ? AND leaf = ? AND element = ? "
			 "AND ? BETWEEN first AND last",
			 &reader->spans)) ||
		(err = load_all(reader)))
		return err;
	sqlite3_bind_int64(reader->stops, 1, reader->trace);
	*ret = xs_take(&reader);
	return NULL;
}

static void forget_scratch(struct ora_reader *reader)
{
	for (size_t i = 0; i < reader->scratch.len; i++)
		free(reader->scratch.data[i]);
	reader->scratch.len = 0;
}

void ora_reader_destroy(struct ora_reader *reader)
{
	if (!reader)
		return;
	sqlite3_finalize(reader->find_text);
	sqlite3_finalize(reader->stops);
	sqlite3_finalize(reader->regs);
	sqlite3_finalize(reader->spans);
	forget_scratch(reader);
	for (size_t i = 0; i < reader->strings.len; i++)
		free(reader->strings.data[i]);
	for (size_t i = 0; i < reader->known.len; i++)
		free(reader->known.data[i].path);
	for (size_t i = 0; i < reader->reg_list.len; i++) {
		free(reader->reg_list.data[i].name);
		free(reader->reg_list.data[i].text);
	}
	xs_map_deinit(&reader->texts);
	xs_map_deinit(&reader->biases);
	xs_map_deinit(&reader->unstable);
	xs_map_deinit(&reader->known_index);
	xs_vec_deinit(&reader->strings);
	xs_vec_deinit(&reader->places);
	xs_vec_deinit(&reader->transitions);
	xs_vec_deinit(&reader->frames);
	xs_vec_deinit(&reader->stacks);
	xs_vec_deinit(&reader->variables);
	xs_vec_deinit(&reader->ordinals);
	xs_vec_deinit(&reader->leaves);
	xs_vec_deinit(&reader->sayings);
	xs_vec_deinit(&reader->values);
	xs_vec_deinit(&reader->known);
	xs_vec_deinit(&reader->reg_list);
	xs_vec_deinit(&reader->scratch);
	xs_vec_deinit(&reader->told.frames);
	xs_vec_deinit(&reader->told.facts);
	xs_vec_deinit(&reader->told.regs);
	free(reader);
}

/* --- facts ------------------------------------------------------------------------------------ */

static size_t known_at(struct ora_reader *reader, uint32_t number, uint64_t element)
{
	uint64_t *index = xs_map_at(&reader->known_index, number, element);
	if (*index)
		return *index - 1;
	const struct leaf *leaf = &reader->leaves.data[number - 1];
	const char *name =
		*leaf->path == '$' ? reader->variables.data[leaf->variable - 1].name : "";
	const char *rest = leaf->path + 1, *star = *leaf->path == '$' ? strstr(rest, "[*]") : NULL;
	struct known known = {.leaf = number, .element = element};
	known.path = star ? xs_asprintf("%s%.*s[%" PRIu64 "]%s", name, (int)(star - rest), rest,
				    element, star + 3)
			  : xs_asprintf("%s%s", name, rest);
	xs_vec_push(&reader->known, known);
	*index = reader->known.len;
	return reader->known.len - 1;
}

static bool is_unstable(struct ora_reader *reader, const struct known *known)
{
	if (!reader->unstable.len || !xs_map_find(&reader->unstable, known->leaf, known->element))
		return false;
	sqlite3_bind_int64(reader->spans, 1, reader->trace);
	sqlite3_bind_int64(reader->spans, 2, known->leaf);
	sqlite3_bind_int64(reader->spans, 3, (int64_t)known->element);
	sqlite3_bind_int64(reader->spans, 4, (int64_t)reader->told.number);
	bool ret = sqlite3_step(reader->spans) == SQLITE_ROW;
	sqlite3_reset(reader->spans);
	return ret;
}

static struct ora_told_fact fact_of(struct ora_reader *reader, const struct known *known)
{
	const struct leaf *leaf = &reader->leaves.data[known->leaf - 1];
	const struct saying *saying = &reader->sayings.data[known->saying - 1];
	struct ora_told_fact fact = {.leaf = known->leaf,
		.element = known->element,
		.key = reader->ordinals.data[leaf->variable - 1],
		.variable = &reader->variables.data[leaf->variable - 1],
		.depth = leaf->depth,
		.frame = known->frame,
		.path = known->path,
		.type = leaf->type,
		.state = saying->state,
		.enumerator = saying->enumerator,
		.message = saying->message,
		.why = saying->why,
		.shadowed = saying->shadowed,
		.undeclared = saying->undeclared,
		.unstable = is_unstable(reader, known)};
	if (saying->text)
		fact.value = reader->values.data[known->value - 1];
	if (saying->number) {
		xs_vec_push(&reader->scratch, xs_asprintf("%" PRId64, known->value));
		fact.value = reader->scratch.data[reader->scratch.len - 1];
	}
	return fact;
}

/* Takes the next number, or null, of the JSON that the writer makes. */
static bool take_number(const char **at, int64_t *ret, bool *null)
{
	char *end;
	if ((*null = !strncmp(*at, "null", 4))) {
		*at += 4;
		*ret = 0;
		return true;
	}
	if (**at != '-' && (**at < '0' || **at > '9'))
		return false;
	errno = 0;
	*ret = strtoll(*at, &end, 10);
	*at = end;
	return !errno;
}

static bool take(const char **at, char what)
{
	if (**at != what)
		return false;
	(*at)++;
	return true;
}

/* One fact, with all its elements. *at is behind its '['. */
static bool take_fact(struct ora_reader *reader, const char **at, unsigned frames_before)
{
	int64_t leaf, saying = 1, element = 0, value;
	bool null, none;
	if (!take_number(at, &leaf, &null) || null || !take(at, ','))
		return false;
	const char *values = *at;
	bool list = take(at, '[');
	size_t count = 0;
	do {
		if (!take_number(at, &value, &null))
			return false;
		count++;
	} while (list && take(at, ','));
	if ((list && (!take(at, ']') || count < 2)) ||
		(take(at, ',') && !take_number(at, &saying, &none)) ||
		(take(at, ',') && !take_number(at, &element, &none)) || !take(at, ']') ||
		leaf < 1 || (uint64_t)leaf > reader->leaves.len || saying < 1 ||
		(uint64_t)saying > reader->sayings.len || element < 0)
		return false;
	const struct saying *how = &reader->sayings.data[saying - 1];
	unsigned depth = reader->leaves.data[leaf - 1].depth;
	unsigned frames = how->state == ORA_STATE_ABSENT ? frames_before : reader->told.frame_count;
	values += list;
	for (size_t i = 0; i < count; i++, values++) {
		if (!take_number(&values, &value, &null) || null != !(how->number || how->text) ||
			(how->text && (value < 1 || (uint64_t)value > reader->values.len)))
			return false;
		size_t index = known_at(reader, (uint32_t)leaf, (uint64_t)element + i);
		struct known *known = &reader->known.data[index];
		known->saying = (uint32_t)saying;
		known->value = value;
		known->frame = depth && depth <= frames ? frames - depth : 0;
		xs_vec_push(&reader->told.facts, fact_of(reader, known));
	}
	return true;
}

static struct xs_error *take_facts(
	struct ora_reader *reader, const char *json, unsigned frames_before)
{
	if (!json)
		return NULL;
	if (!take(&json, '['))
		return damaged(reader, "facts that are no array");
	do {
		if (!take(&json, '[') || !take_fact(reader, &json, frames_before))
			return damaged(reader, "a fact that makes no sense");
	} while (take(&json, ','));
	return take(&json, ']') && !*json ? NULL : damaged(reader, "facts without an end");
}

/* --- registers -------------------------------------------------------------------------------- */

static struct reg *reg_named(struct ora_reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->reg_list.len; i++)
		if (!strcmp(reader->reg_list.data[i].name, name))
			return &reader->reg_list.data[i];
	xs_vec_push(&reader->reg_list, ((struct reg){.name = xs_strdup(name)}));
	return &reader->reg_list.data[reader->reg_list.len - 1];
}

static void tell_reg(struct ora_reader *reader, const struct reg *reg)
{
	xs_vec_push(&reader->told.regs, ((struct ora_told_reg){.name = reg->name,
						.known = reg->known,
						.text = reg->text,
						.value = reg->value}));
}

static struct xs_error *take_regs(struct ora_reader *reader, const char *json, uint32_t place)
{
	bool has_rip = false;
	int code = SQLITE_DONE;
	if (json) {
		sqlite3_bind_text(reader->regs, 1, json, -1, SQLITE_STATIC);
		while ((code = sqlite3_step(reader->regs)) == SQLITE_ROW) {
			const char *name = ora_column_text(reader->regs, 0);
			struct reg *reg = reg_named(reader, name);
			int type = sqlite3_column_type(reader->regs, 2);
			free(xs_take(&reg->text));
			reg->told = true;
			reg->known = type != SQLITE_NULL;
			if (type == SQLITE_TEXT)
				reg->text = xs_strdup(ora_column_text(reader->regs, 2));
			reg->value = (uint64_t)sqlite3_column_int64(reader->regs, 2);
			has_rip |= !strcmp(name, "rip");
			tell_reg(reader, reg);
		}
		sqlite3_reset(reader->regs);
	}
	if (code != SQLITE_DONE)
		return ora_store_error(reader->store);
	const uint64_t *bias = xs_map_find(&reader->biases, place, 0);
	if (!reader->has_regs || has_rip || !bias)
		return NULL;
	struct reg *rip = reg_named(reader, "rip");
	uint64_t value = reader->places.data[place - 1].address + *bias - 1;
	bool same = rip->told && rip->known && !rip->text && rip->value == value;
	rip->told = rip->known = true;
	rip->value = value;
	if (!same)
		tell_reg(reader, rip);
	return NULL;
}

/* --- stops ------------------------------------------------------------------------------------ */

static struct xs_error *take_frames(struct ora_reader *reader, sqlite3_stmt *row)
{
	struct ora_told *told = &reader->told;
	uint32_t shown = number_of(row, 3), stack = number_of(row, 4);
	told->frames.len = 0;
	told->has_frames = sqlite3_column_type(row, 5) == SQLITE_NULL;
	if (shown > reader->frames.len || stack > reader->stacks.len)
		return damaged(reader, "a stop in an unknown frame");
	if (!told->has_frames) {
		told->frame_count = number_of(row, 5);
		return NULL;
	}
	struct ora_store_frame own = {.function = told->place->function,
		.file = told->place->file,
		.line = told->place->line,
		.column = told->place->column,
		.address = XS_ADDR_NONE};
	xs_vec_push(&told->frames, shown ? reader->frames.data[shown - 1] : own);
	for (; stack; stack = reader->stacks.data[stack - 1].outer)
		xs_vec_push(&told->frames,
			reader->frames.data[reader->stacks.data[stack - 1].frame - 1]);
	told->frame_count = (unsigned)told->frames.len;
	return NULL;
}

struct xs_error *ora_reader_next(struct ora_reader *reader, const struct ora_told **ret)
{
	sqlite3_stmt *row = reader->stops;
	struct ora_told *told = &reader->told;
	struct xs_error *err;
	*ret = NULL;
	if (reader->ended)
		return NULL;
	int code = sqlite3_step(row);
	reader->ended = code != SQLITE_ROW;
	if (code == SQLITE_DONE)
		return NULL;
	if (code != SQLITE_ROW)
		return ora_store_error(reader->store);
	forget_scratch(reader);
	told->facts.len = told->regs.len = 0;
	unsigned before = told->frame_count;
	uint32_t number = number_of(row, 1);
	if (!number || number > reader->transitions.len)
		return damaged(reader, "a stop without a transition");
	const struct transition *transition = &reader->transitions.data[number - 1];
	told->number = (uint64_t)sqlite3_column_int64(row, 0);
	told->n = (uint64_t)sqlite3_column_int64(row, 2);
	told->place_index = transition->place - 1;
	told->place = &reader->places.data[told->place_index];
	told->prev_index = transition->prev ? transition->prev - 1 : 0;
	told->prev = transition->prev ? &reader->places.data[told->prev_index] : NULL;
	told->note = text_of(reader, row, 6);
	if ((err = take_frames(reader, row)) ||
		(err = take_regs(reader, ora_column_text(row, 7), transition->place)) ||
		(err = take_facts(reader, ora_column_text(row, 8), before)))
		return err;
	*ret = told;
	return NULL;
}

void ora_reader_state(struct ora_reader *reader,
	void (*on_fact)(void *arg, const struct ora_told_fact *fact),
	void (*on_reg)(void *arg, const struct ora_told_reg *reg), void *arg)
{
	for (size_t i = 0; on_fact && i < reader->known.len; i++) {
		struct known *known = &reader->known.data[i];
		if (!known->saying ||
			reader->sayings.data[known->saying - 1].state == ORA_STATE_ABSENT)
			continue;
		unsigned depth = reader->leaves.data[known->leaf - 1].depth;
		struct ora_told_fact fact = fact_of(reader, known);
		fact.frame = depth && depth <= reader->told.frame_count
				     ? reader->told.frame_count - depth
				     : 0;
		on_fact(arg, &fact);
	}
	for (size_t i = 0; on_reg && i < reader->reg_list.len; i++) {
		const struct reg *reg = &reader->reg_list.data[i];
		if (reg->told)
			on_reg(arg, &(struct ora_told_reg){.name = reg->name,
					    .known = reg->known,
					    .text = reg->text,
					    .value = reg->value});
	}
}

/* --- the rest of a trace ---------------------------------------------------------------------- */

struct xs_error *ora_store_transitions(struct ora_store *store, uint64_t trace,
	void (*on_one)(void *arg, const struct ora_store_place *prev,
		const struct ora_store_place *place, uint64_t count, uint64_t first),
	void *arg)
{
	XS_AUTO(ora_reader) reader = NULL;
	struct xs_error *err = ora_reader_create(store, trace, &reader);
	for (size_t i = 0; !err && i < reader->transitions.len; i++) {
		const struct transition *transition = &reader->transitions.data[i];
		on_one(arg, transition->prev ? &reader->places.data[transition->prev - 1] : NULL,
			&reader->places.data[transition->place - 1], transition->count,
			transition->first);
	}
	return err;
}

/* One piece of an execution. */
static struct xs_error *unpack(struct ora_reader *reader, sqlite3_stmt *row,
	void (*on_step)(void *arg, const struct ora_store_place *place), void *arg)
{
	uint64_t count = (uint64_t)sqlite3_column_int64(row, 1), steps = 0;
	/* An id has five bytes at most. */
	uLongf size = count < UINT32_MAX / 5 ? count * 5 : 0;
	XS_AUTO_FREE unsigned char *bytes = xs_calloc(size + 1, 1);
	if (uncompress(bytes, &size, sqlite3_column_blob(row, 2),
		    (uLong)sqlite3_column_bytes(row, 2)) != Z_OK)
		return damaged(reader, "an execution that cannot be unpacked");
	for (size_t at = 0; at < size; steps++) {
		uint64_t id = 0;
		unsigned shift = 0;
		do
			id |= (uint64_t)(bytes[at] & 0x7f) << shift;
		while (bytes[at++] & 0x80 && at < size && (shift += 7) < 35);
		if (!id || id > reader->transitions.len)
			return damaged(reader, "an execution of unknown transitions");
		if (on_step)
			on_step(arg,
				&reader->places.data[reader->transitions.data[id - 1].place - 1]);
	}
	return steps == count ? NULL : damaged(reader, "an execution with steps missing");
}

struct xs_error *ora_store_order(struct ora_store *store, uint64_t trace,
	void (*on_step)(void *arg, const struct ora_store_place *place), void *arg)
{
	XS_AUTO(ora_reader) reader = NULL;
	ORA_AUTO_STATEMENT row = NULL;
	struct xs_error *err;
	uint64_t next = 1;
	int code;
	if ((err = ora_reader_create(store, trace, &reader)) ||
		(err = ora_store_prepare(store,
			 "SELECT first, count, data FROM execution WHERE trace = ? ORDER BY first",
			 &row)))
		return err;
	sqlite3_bind_int64(row, 1, reader->trace);
	while ((code = sqlite3_step(row)) == SQLITE_ROW) {
		if ((uint64_t)sqlite3_column_int64(row, 0) != next)
			return damaged(reader, "a piece of its execution is missing");
		if ((err = unpack(reader, row, on_step, arg)))
			return err;
		next += (uint64_t)sqlite3_column_int64(row, 1);
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(store);
}

struct xs_error *ora_store_coverage(struct ora_store *store, uint64_t trace,
	void (*on_figure)(void *arg, const char *kind, const char *name, uint64_t selected,
		uint64_t evaluated),
	void *arg)
{
	ORA_AUTO_STATEMENT row = NULL;
	int code;
	struct xs_error *err = ora_store_prepare(store,
		"SELECT kind, name, selected, evaluated FROM coverage WHERE trace = ? "
		"ORDER BY kind, name",
		&row);
	if (err)
		return err;
	sqlite3_bind_int64(row, 1, (int64_t)trace);
	while ((code = sqlite3_step(row)) == SQLITE_ROW)
		on_figure(arg, ora_column_text(row, 0), ora_column_text(row, 1),
			(uint64_t)sqlite3_column_int64(row, 2),
			(uint64_t)sqlite3_column_int64(row, 3));
	return code == SQLITE_DONE ? NULL : ora_store_error(store);
}
