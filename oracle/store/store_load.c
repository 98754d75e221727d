/* store_load.c - what the stops of a trace refer to, read when its reader is made.
 *
 * A file may be damaged in ways that SQLite does not notice, and may have been made to do harm:
 * whatever is out of place is an error. */
#include "oracle/store/store_reader.h"

enum {
	TEXT_LONG = 4096,         /* bytes: one such makes the reader count what it tells */
	COPIES_LEAST = 128 << 20, /* bytes that copies of texts may take in any case */
	COPIES_FACTOR = 64,       /* the same, times the size of the file */
	TOLD_LEAST = 256 << 20,   /* bytes that may be told, if there are long texts */
	TOLD_FACTOR = 2000,       /* likewise */
};

struct xs_error *ora_reader_damaged(struct ora_reader *reader, int invariant, const char *what)
{
	reader->store->invariant = invariant;
	return xs_error_corrupt(
		"%s: trace %" PRId64 " is damaged: %s", reader->store->path, reader->trace, what);
}

bool ora_reader_spend(struct ora_reader *reader, size_t bytes)
{
	bool enough = bytes <= reader->spare;
	reader->spare -= enough ? bytes : reader->spare;
	return enough;
}

static const char *keep(struct ora_reader *reader, const char *text)
{
	reader->has_long |= strlen(text) > TEXT_LONG;
	xs_vec_push(&reader->strings, xs_strdup(text));
	return reader->strings.data[reader->strings.len - 1];
}

const char *ora_reader_text(struct ora_reader *reader, struct ora_checked *row, int column)
{
	sqlite3_stmt *find;
	if (ora_checked_is_null(row, column))
		return NULL;
	uint64_t id = ora_checked_bits(row, column);
	const uint64_t *known = xs_map_find(&reader->texts, id, 0);
	if (known)
		return reader->strings.data[*known - 1];
	struct xs_error *err = ora_store_kept(
		reader->store, ORA_FIND_TEXT, "SELECT text FROM text WHERE id = ?", &find);
	if (err) {
		xs_error_destroy(err);
		row->wrong = "texts that cannot be read";
		return NULL;
	}
	struct ora_checked text = {.statement = find};
	const char *ret = NULL;
	sqlite3_bind_int64(find, 1, (int64_t)id);
	if (sqlite3_step(find) == SQLITE_ROW) {
		ret = keep(reader, ora_checked_text(&text, 0));
		*xs_map_at(&reader->texts, id, 0) = reader->strings.len;
	} else {
		text.wrong = "a text that is not there";
	}
	if (text.wrong)
		row->wrong = text.wrong;
	sqlite3_reset(find);
	return ret;
}

static uint32_t id_of(struct ora_checked *row, int column)
{
	return (uint32_t)ora_checked_number(row, column, UINT32_MAX);
}

static uint32_t id_or_null(struct ora_checked *row, int column)
{
	return (uint32_t)ora_checked_number_or_null(row, column, UINT32_MAX);
}

typedef struct xs_error *on_row(struct ora_reader *reader, struct ora_checked *row);

/* Calls back for each row of the trace; the ids in column 0 must count from 1. */
static struct xs_error *load(struct ora_reader *reader, enum ora_store_statement which,
	const char *sql, const char *what, on_row *on_one)
{
	struct ora_checked row = {0};
	struct xs_error *err = ora_store_kept(reader->store, which, sql, &row.statement);
	int code = 0;
	if (err)
		return err;
	sqlite3_bind_int64(row.statement, 1, reader->trace);
	for (uint64_t id = 1; !err && (code = sqlite3_step(row.statement)) == SQLITE_ROW; id++) {
		if (ora_checked_number(&row, 0, UINT32_MAX) != id)
			err = ora_reader_damaged(reader, 6, row.wrong ? row.wrong : what);
		else if (!(err = on_one(reader, &row)) && row.wrong)
			err = ora_reader_damaged(reader, 6, row.wrong);
	}
	if (!err && code != SQLITE_DONE)
		err = ora_store_error(reader->store);
	sqlite3_reset(row.statement);
	return err;
}

static struct xs_error *on_place(struct ora_reader *reader, struct ora_checked *row)
{
	struct ora_store_place place = {.module = ora_reader_text(reader, row, 1),
		.address = ora_checked_bits(row, 2),
		.function = ora_reader_text(reader, row, 3),
		.file = ora_reader_text(reader, row, 5),
		.has_row = !ora_checked_is_null(row, 6),
		.line = id_or_null(row, 6),
		.column = id_or_null(row, 7),
		.inlined = ora_reader_text(reader, row, 8)};
	if (place.function)
		place.offset = (int64_t)(place.address - ora_checked_bits(row, 4));
	xs_vec_push(&reader->places, place);
	if (!ora_checked_is_null(row, 9))
		*xs_map_at(&reader->biases, reader->places.len, 0) = ora_checked_bits(row, 9) + 1;
	return NULL;
}

static struct xs_error *on_transition(struct ora_reader *reader, struct ora_checked *row)
{
	struct transition transition = {.prev = id_or_null(row, 1),
		.place = id_of(row, 2),
		.count = ora_checked_number_or_null(row, 3, INT64_MAX),
		.first = ora_checked_number_or_null(row, 4, INT64_MAX)};
	if (transition.prev > reader->places.len || !transition.place ||
		transition.place > reader->places.len)
		return ora_reader_damaged(reader, 6, "a transition from or to nowhere");
	xs_vec_push(&reader->transitions, transition);
	return NULL;
}

static struct xs_error *on_frame(struct ora_reader *reader, struct ora_checked *row)
{
	uint32_t kind = id_of(row, 5);
	struct ora_store_frame frame = {.function = ora_reader_text(reader, row, 1),
		.file = ora_reader_text(reader, row, 2),
		.line = id_of(row, 3),
		.column = id_of(row, 4),
		.inlined = kind & ORA_FRAME_INLINED,
		.tail = kind & ORA_FRAME_TAIL,
		.module = ora_reader_text(reader, row, 6),
		.address = ora_checked_is_null(row, 7) ? XS_ADDR_NONE : ora_checked_bits(row, 7)};
	xs_vec_push(&reader->frames, frame);
	return NULL;
}

static struct xs_error *on_stack(struct ora_reader *reader, struct ora_checked *row)
{
	struct stack stack = {id_of(row, 1), id_or_null(row, 2), id_of(row, 3)};
	/* An outer one was stored before: no walk goes in circles. */
	if (!stack.frame || stack.frame > reader->frames.len || stack.outer > reader->stacks.len)
		return ora_reader_damaged(reader, 6, "a stack of unknown frames");
	uint32_t around = stack.outer ? reader->stacks.data[stack.outer - 1].depth : 0;
	if (stack.depth != around + 1)
		return ora_reader_damaged(reader, 9, "a stack of a wrong depth");
	xs_vec_push(&reader->stacks, stack);
	return NULL;
}

static struct xs_error *on_variable(struct ora_reader *reader, struct ora_checked *row)
{
	struct ora_store_variable variable = {.unit = ora_reader_text(reader, row, 1),
		.scope = ora_reader_text(reader, row, 2),
		.name = ora_reader_text(reader, row, 3),
		.file = ora_reader_text(reader, row, 4),
		.line = id_of(row, 5)};
	if (!variable.name)
		return ora_reader_damaged(reader, 6, "a variable without a name");
	xs_vec_push(&reader->variables, variable);
	xs_vec_push(&reader->ordinals, id_of(row, 6));
	return NULL;
}

static struct xs_error *on_leaf(struct ora_reader *reader, struct ora_checked *row)
{
	struct leaf leaf = {.variable = id_of(row, 1),
		.depth = id_of(row, 2),
		.path = ora_reader_text(reader, row, 3),
		.type = ora_reader_text(reader, row, 4)};
	if (!leaf.variable || leaf.variable > reader->variables.len || !leaf.path ||
		(*leaf.path != '$' && *leaf.path != '='))
		return ora_reader_damaged(reader, 6, "a leaf of no variable");
	xs_vec_push(&reader->leaves, leaf);
	return NULL;
}

static struct xs_error *on_saying(struct ora_reader *reader, struct ora_checked *row)
{
	const char *form = ora_checked_text(row, 2), *why = ora_checked_text_or_null(row, 7);
	struct saying saying = {.number = !strcmp(form, "number"),
		.text = !strcmp(form, "text"),
		.enumerator = ora_reader_text(reader, row, 3),
		.message = ora_reader_text(reader, row, 4),
		.shadowed = id_of(row, 5),
		.undeclared = !id_of(row, 6)};
	if (!ora_state_parse(ora_checked_text(row, 1), &saying.state))
		return ora_reader_damaged(reader, 6, "an unknown state");
	if (!saying.number && !saying.text && strcmp(form, "none") != 0)
		return ora_reader_damaged(reader, 6, "a value of an unknown form");
	if (why)
		saying.why = keep(reader, why);
	xs_vec_push(&reader->sayings, saying);
	return NULL;
}

static struct xs_error *on_value(struct ora_reader *reader, struct ora_checked *row)
{
	xs_vec_push(&reader->values, keep(reader, ora_checked_text(row, 1)));
	return NULL;
}

static struct xs_error *on_unstable(struct ora_reader *reader, struct ora_checked *row)
{
	uint32_t leaf = id_of(row, 1);
	*xs_map_at(&reader->unstable, leaf, ora_checked_number(row, 2, INT64_MAX)) = 1;
	return NULL;
}

static struct xs_error *load_all(struct ora_reader *reader)
{
	static const struct {
		enum ora_store_statement which;
		const char *sql, *missing;
		on_row *on_one;
	} tables[] = {
		{ORA_LOAD_PLACES,
			"SELECT place.id, place.module, place.address, site.function, site.entry, "
			"site.file, site.line, site.\"column\", site.inlined, loaded.bias "
			"FROM place CROSS JOIN site ON site.trace = place.trace "
			"AND site.id = place.site LEFT JOIN text ON text.id = place.module "
			"LEFT JOIN loaded ON loaded.trace = place.trace "
			"AND loaded.name = coalesce(text.text, '') "
			"WHERE place.trace = ? ORDER BY place.id",
			"a place is missing", on_place},
		{ORA_LOAD_TRANSITIONS,
			"SELECT id, prev, place, count, first FROM transition WHERE trace = ? "
			"ORDER BY id",
			"a transition is missing", on_transition},
		{ORA_LOAD_FRAMES,
			"SELECT id, function, file, line, \"column\", inlined, module, address "
			"FROM frame WHERE trace = ? ORDER BY id",
			"a frame is missing", on_frame},
		{ORA_LOAD_STACKS,
			"SELECT id, frame, outer, depth FROM stack WHERE trace = ? ORDER BY id",
			"a stack is missing", on_stack},
		{ORA_LOAD_VARIABLES,
			"SELECT id, unit, scope, name, file, line, ordinal FROM variable "
			"WHERE trace = ? ORDER BY id",
			"a variable is missing", on_variable},
		{ORA_LOAD_LEAVES,
			"SELECT id, variable, depth, path, type FROM leaf WHERE trace = ? "
			"ORDER BY id",
			"a leaf is missing", on_leaf},
		{ORA_LOAD_SAYINGS,
			"SELECT id, state, form, enumerator, message, shadowed, declared, why "
			"FROM saying WHERE trace = ? ORDER BY id",
			"a saying is missing", on_saying},
		{ORA_LOAD_VALUES, "SELECT id, text FROM value WHERE trace = ? ORDER BY id",
			"a value is missing", on_value},
		{ORA_LOAD_UNSTABLE,
			"SELECT row_number() OVER (), leaf, element FROM unstable WHERE trace = ?",
			"", on_unstable},
	};
	struct xs_error *err = NULL;
	reader->spare = COPIES_LEAST + COPIES_FACTOR * reader->store->size;
	reader->breath = TOLD_LEAST + TOLD_FACTOR * reader->store->size;
	for (size_t i = 0; !err && i < sizeof tables / sizeof *tables; i++)
		err = load(reader, tables[i].which, tables[i].sql, tables[i].missing,
			tables[i].on_one);
	return err;
}

struct xs_error *ora_reader_open(struct ora_store *store, uint64_t trace, struct ora_reader **ret)
{
	XS_AUTO(ora_reader) reader = xs_calloc(1, sizeof *reader);
	struct ora_checked row = {0};
	struct xs_error *err;
	reader->store = store;
	reader->trace = (int64_t)trace;
	if ((err = ora_store_kept(store, ORA_FIND_TRACE,
		     "SELECT frames, regs FROM trace WHERE id = ?", &row.statement)))
		return err;
	sqlite3_bind_int64(row.statement, 1, reader->trace);
	int code = sqlite3_step(row.statement);
	if (code == SQLITE_DONE)
		return xs_error_create("%s: no trace %" PRIu64, store->path, trace);
	if (code != SQLITE_ROW)
		return ora_store_error(store);
	reader->has_frames = id_of(&row, 0);
	reader->has_regs = id_of(&row, 1);
	sqlite3_reset(row.statement);
	if (row.wrong)
		return ora_reader_damaged(reader, 6, row.wrong);
	if ((err = ora_store_prepare(store,
		     "SELECT number, transition, n, shown, stack, frames, note, regs, facts "
		     "FROM stop WHERE trace = ? ORDER BY number",
		     &reader->stops)) ||
		(err = load_all(reader)))
		return err;
	sqlite3_bind_int64(reader->stops, 1, reader->trace);
	*ret = xs_take(&reader);
	return NULL;
}

struct xs_error *ora_reader_create(struct ora_store *store, uint64_t trace, struct ora_reader **ret)
{
	ora_store_allow(store);
	return ora_reader_open(store, trace, ret);
}
