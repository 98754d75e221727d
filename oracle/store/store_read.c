/* store_read.c - reads a trace back: from change to change, and the whole state at any stop.
 *
 * What a trace refers to is read when the reader is made; stops are read one after the other. A
 * file may be damaged in ways that SQLite does not notice: whatever is out of place is an error. */
#include <errno.h>
#include <zlib.h>

#include "oracle/store/store_reader.h"

enum {
	ELEMENT_MAX = 1000000000, /* an index has nine digits at most: see store_facts.c */
	REGS_MOST = 1024,
};

static uint32_t id_or_null(struct ora_checked *row, int column)
{
	return (uint32_t)ora_checked_number_or_null(row, column, UINT32_MAX);
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
	sqlite3_finalize(reader->stops);
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

/* Where what is known of an element is; SIZE_MAX: it takes more memory than such a file can ask
 * for. */
static size_t known_at(struct ora_reader *reader, uint32_t number, uint64_t element)
{
	const uint64_t *found = xs_map_find(&reader->known_index, number, element);
	if (found)
		return *found - 1;
	const struct leaf *leaf = &reader->leaves.data[number - 1];
	const char *name =
		*leaf->path == '$' ? reader->variables.data[leaf->variable - 1].name : "";
	const char *rest = leaf->path + 1, *star = *leaf->path == '$' ? strstr(rest, "[*]") : NULL;
	struct known known = {.leaf = number, .element = element};
	if (!ora_reader_spend(reader, strlen(name) + strlen(rest)))
		return SIZE_MAX;
	known.path = star ? xs_asprintf("%s%.*s[%" PRIu64 "]%s", name, (int)(star - rest), rest,
				    element, star + 3)
			  : xs_asprintf("%s%s", name, rest);
	xs_vec_push(&reader->known, known);
	*xs_map_at(&reader->known_index, number, element) = reader->known.len;
	return reader->known.len - 1;
}

static bool is_unstable(struct ora_reader *reader, const struct known *known)
{
	sqlite3_stmt *spans;
	if (!reader->unstable.len || !xs_map_find(&reader->unstable, known->leaf, known->element))
		return false;
	struct xs_error *err = ora_store_kept(reader->store, ORA_FIND_SPAN,
		"SELECT 1 FROM unstable WHERE trace = ? AND leaf = ? AND element = ? "
		"AND ? BETWEEN first AND last",
		&spans);
	if (err) {
		xs_error_destroy(err);
		return true; /* nobody is named on what may be unstable */
	}
	sqlite3_bind_int64(spans, 1, reader->trace);
	sqlite3_bind_int64(spans, 2, known->leaf);
	sqlite3_bind_int64(spans, 3, (int64_t)known->element);
	sqlite3_bind_int64(spans, 4, (int64_t)reader->told.number);
	bool ret = sqlite3_step(spans) != SQLITE_DONE;
	sqlite3_reset(spans);
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

/* Whether what is told may be told: a long text that stands in the file once can be said again and
 * again. */
static bool may_tell(struct ora_reader *reader, const char *const *texts, size_t count)
{
	for (size_t i = 0; reader->has_long && i < count; i++) {
		size_t length = texts[i] ? strlen(texts[i]) : 0;
		if (length > reader->breath)
			return false;
		reader->breath -= length;
	}
	return true;
}

static bool may_tell_fact(struct ora_reader *reader, const struct ora_told_fact *fact)
{
	const char *const texts[] = {fact->variable->scope, fact->variable->name,
		fact->variable->file, fact->path, fact->type, fact->value, fact->enumerator,
		fact->message, fact->why};
	return may_tell(reader, texts, sizeof texts / sizeof *texts);
}

/* Whether this breaks an invariant: before it is known. */
static void note_flaws(
	struct ora_reader *reader, struct known *known, uint32_t saying, int64_t value)
{
	bool first = !known->saying;
	reader->flaws.twice += !first && known->told == reader->told.number;
	reader->flaws.repeated += first ? reader->sayings.data[saying - 1].state == ORA_STATE_ABSENT
					: known->saying == saying && known->value == value;
	known->told = reader->told.number;
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
		(take(at, ',') && (!take_number(at, &saying, &none) || none)) ||
		(take(at, ',') && (!take_number(at, &element, &none) || none)) || !take(at, ']') ||
		leaf < 1 || (uint64_t)leaf > reader->leaves.len || saying < 1 ||
		(uint64_t)saying > reader->sayings.len || element < 0 || element > ELEMENT_MAX)
		return false;
	const struct saying *how = &reader->sayings.data[saying - 1];
	unsigned depth = reader->leaves.data[leaf - 1].depth;
	bool absent = how->state == ORA_STATE_ABSENT;
	unsigned frames = absent ? frames_before : reader->told.frame_count;
	reader->flaws.frameless += !absent && depth > frames;
	values += list;
	for (size_t i = 0; i < count; i++, values++) {
		if (!take_number(&values, &value, &null) || null != !(how->number || how->text) ||
			(how->text && (value < 1 || (uint64_t)value > reader->values.len)))
			return false;
		size_t index = known_at(reader, (uint32_t)leaf, (uint64_t)element + i);
		if (index == SIZE_MAX)
			return false;
		struct known *known = &reader->known.data[index];
		note_flaws(reader, known, (uint32_t)saying, value);
		known->saying = (uint32_t)saying;
		known->value = value;
		known->frame = depth && depth <= frames ? frames - depth : 0;
		xs_vec_push(&reader->told.facts, fact_of(reader, known));
		if (!may_tell_fact(reader, &reader->told.facts.data[reader->told.facts.len - 1]))
			return false;
	}
	return true;
}

static struct xs_error *take_facts(
	struct ora_reader *reader, const char *json, unsigned frames_before)
{
	if (!json)
		return NULL;
	if (!take(&json, '['))
		return ora_reader_damaged(reader, 6, "facts that are no array");
	do {
		if (!take(&json, '[') || !take_fact(reader, &json, frames_before))
			return ora_reader_damaged(reader, 6, "a fact that makes no sense");
	} while (take(&json, ','));
	return take(&json, ']') && !*json ? NULL
					  : ora_reader_damaged(reader, 6, "facts without an end");
}

/* --- registers -------------------------------------------------------------------------------- */

/* The register of that name, made if it is new; NULL: there are too many. */
static struct reg *reg_named(struct ora_reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->reg_list.len; i++)
		if (!strcmp(reader->reg_list.data[i].name, name))
			return &reader->reg_list.data[i];
	if (reader->reg_list.len == REGS_MOST)
		return NULL;
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

/* One that the file tells. */
static struct xs_error *take_reg(struct ora_reader *reader, struct ora_checked *row)
{
	int type = sqlite3_column_type(row->statement, 2);
	if (sqlite3_column_type(row->statement, 0) != SQLITE_TEXT)
		return ora_reader_damaged(reader, 8, "registers that are no object");
	const char *kind = ora_checked_text(row, 1);
	if (strcmp(kind, "integer") != 0 && strcmp(kind, "text") != 0 && strcmp(kind, "null") != 0)
		return ora_reader_damaged(reader, 8, "a register that is no number and no text");
	struct reg *reg = reg_named(reader, ora_checked_text(row, 0));
	if (!reg)
		return ora_reader_damaged(reader, 8, "more registers than any processor has");
	const char *text = type == SQLITE_TEXT ? ora_checked_text(row, 2) : NULL;
	uint64_t value = type == SQLITE_INTEGER ? ora_checked_bits(row, 2) : 0;
	bool known = type != SQLITE_NULL;
	bool same = reg->listed && reg->known == known && !reg->text == !text &&
		    (text ? !strcmp(reg->text, text) : reg->value == value);
	reader->flaws.regs += same && strcmp(reg->name, "rip") != 0;
	char *copy = text ? xs_strdup(text) : NULL;
	free(reg->text);
	reg->text = copy;
	reg->told = reg->listed = true;
	reg->known = known;
	reg->value = value;
	tell_reg(reader, reg);
	return row->wrong ? ora_reader_damaged(reader, 8, row->wrong) : NULL;
}

static struct xs_error *take_listed(struct ora_reader *reader, const char *json)
{
	struct ora_checked row = {0};
	struct xs_error *err;
	int code = SQLITE_DONE;
	if (strlen(json) > ORA_STORE_TEXT_MAX)
		return ora_reader_damaged(reader, 8, "registers of more than a megabyte");
	if (*json != '{')
		return ora_reader_damaged(reader, 8, "registers that are no object");
	if ((err = ora_store_kept(reader->store, ORA_SPLIT_REGS,
		     "SELECT key, type, value FROM json_each(?)", &row.statement)))
		return err;
	sqlite3_bind_text(row.statement, 1, json, -1, SQLITE_STATIC);
	while (!err && (code = sqlite3_step(row.statement)) == SQLITE_ROW)
		err = take_reg(reader, &row);
	if (!err && code != SQLITE_DONE)
		err = ora_store_error(reader->store);
	sqlite3_reset(row.statement);
	sqlite3_clear_bindings(row.statement);
	return err;
}

static struct xs_error *take_regs(struct ora_reader *reader, const char *json, uint32_t place)
{
	struct xs_error *err = json ? take_listed(reader, json) : NULL;
	bool has_rip = false;
	if (err)
		return err;
	for (size_t i = 0; i < reader->told.regs.len; i++)
		has_rip |= !strcmp(reader->told.regs.data[i].name, "rip");
	const uint64_t *bias = xs_map_find(&reader->biases, place, 0);
	if (!reader->has_regs || has_rip || !bias)
		return NULL;
	struct reg *rip = reg_named(reader, "rip");
	if (!rip)
		return ora_reader_damaged(reader, 8, "more registers than any processor has");
	uint64_t value = reader->places.data[place - 1].address + *bias - 1;
	bool same = rip->told && rip->known && !rip->text && rip->value == value;
	free(xs_take(&rip->text));
	rip->told = rip->known = true;
	rip->value = value;
	if (!same)
		tell_reg(reader, rip);
	return NULL;
}

/* --- stops ------------------------------------------------------------------------------------ */

static struct xs_error *take_frames(struct ora_reader *reader, struct ora_checked *row)
{
	struct ora_told *told = &reader->told;
	uint32_t shown = id_or_null(row, 3), stack = id_or_null(row, 4);
	told->frames.len = 0;
	told->has_frames = ora_checked_is_null(row, 5);
	uint32_t count = id_or_null(row, 5);
	if (row->wrong)
		return ora_reader_damaged(reader, 6, row->wrong);
	if (shown > reader->frames.len || stack > reader->stacks.len)
		return ora_reader_damaged(reader, 6, "a stop in an unknown frame");
	if (!told->has_frames) {
		told->frame_count = count;
		return NULL;
	}
	told->frame_count = 1 + (stack ? reader->stacks.data[stack - 1].depth : 0);
	if (reader->no_frames)
		return NULL;
	struct ora_store_frame own = {.function = told->place->function,
		.file = told->place->file,
		.line = told->place->line,
		.column = told->place->column,
		.address = XS_ADDR_NONE};
	xs_vec_push(&told->frames, shown ? reader->frames.data[shown - 1] : own);
	for (; stack; stack = reader->stacks.data[stack - 1].outer)
		xs_vec_push(&told->frames,
			reader->frames.data[reader->stacks.data[stack - 1].frame - 1]);
	return NULL;
}

/* Where the stop is, and which one it is. */
static struct xs_error *take_place(
	struct ora_reader *reader, struct ora_checked *row, uint32_t *place)
{
	struct ora_told *told = &reader->told;
	uint64_t before = told->number;
	uint32_t number = id_or_null(row, 1);
	if (!number || number > reader->transitions.len)
		return ora_reader_damaged(reader, 6, "a stop without a transition");
	const struct transition *transition = &reader->transitions.data[number - 1];
	told->number = ora_checked_number(row, 0, INT64_MAX);
	told->n = ora_checked_number(row, 2, INT64_MAX);
	told->place_index = transition->place - 1;
	told->place = &reader->places.data[told->place_index];
	told->prev_index = transition->prev ? transition->prev - 1 : 0;
	told->prev = transition->prev ? &reader->places.data[told->prev_index] : NULL;
	told->note = ora_reader_text(reader, row, 6);
	*place = transition->place;
	if (row->wrong)
		return ora_reader_damaged(reader, 6, row->wrong);
	const char *const texts[] = {told->place->function, told->place->file, told->place->inlined,
		told->place->module, told->note};
	if (!may_tell(reader, texts, sizeof texts / sizeof *texts))
		return ora_reader_damaged(reader, 6, "more is said than fits into such a file");
	return told->number > before
		       ? NULL
		       : ora_reader_damaged(reader, 1, "stops that are not in their order");
}

struct xs_error *ora_reader_next(struct ora_reader *reader, const struct ora_told **ret)
{
	struct ora_checked row = {.statement = reader->stops};
	struct ora_told *told = &reader->told;
	struct xs_error *err;
	uint32_t place = 0;
	*ret = NULL;
	if (reader->ended)
		return NULL;
	int code = sqlite3_step(row.statement);
	reader->ended = code != SQLITE_ROW;
	if (code == SQLITE_DONE)
		return NULL;
	if (code != SQLITE_ROW)
		return ora_store_error(reader->store);
	forget_scratch(reader);
	told->facts.len = told->regs.len = 0;
	unsigned before = told->frame_count;
	const char *regs = ora_checked_long_text_or_null(&row, 7),
		   *facts = ora_checked_long_text_or_null(&row, 8);
	if ((err = take_place(reader, &row, &place)) || (err = take_frames(reader, &row)) ||
		(err = take_regs(reader, regs, place)) || (err = take_facts(reader, facts, before)))
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

/* The steps of an execution, as they come out of one piece. */
struct steps {
	struct ora_reader *reader;
	void (*on_step)(void *arg, const struct ora_store_place *place);
	void *arg;
	uint64_t id;    /* what was read of an id */
	unsigned shift; /* how many bits that are */
	uint64_t count; /* steps so far */
};

/* A byte of them; false: it makes no sense. */
static bool take_byte(struct steps *steps, unsigned char byte)
{
	const struct ora_reader *reader = steps->reader;
	if (steps->shift > 28) /* an id has five bytes at most */
		return false;
	steps->id |= (uint64_t)(byte & 0x7f) << steps->shift;
	steps->shift += 7;
	if (byte & 0x80)
		return true;
	if (!steps->id || steps->id > reader->transitions.len)
		return false;
	if (steps->on_step)
		steps->on_step(steps->arg,
			&reader->places.data[reader->transitions.data[steps->id - 1].place - 1]);
	steps->id = steps->shift = 0;
	steps->count++;
	return true;
}

/* One piece of an execution, in bits of a fixed size: a thousandth of it may be in the file. */
static struct xs_error *unpack(struct steps *steps, const void *data, size_t size, uint64_t count)
{
	struct ora_reader *reader = steps->reader;
	unsigned char bytes[1 << 14];
	z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data, .avail_in = (uInt)size};
	int code = inflateInit(&stream);
	bool fine = code == Z_OK;
	steps->count = steps->id = steps->shift = 0;
	while (fine && code == Z_OK && !ora_store_is_unwanted(reader->store)) {
		stream.next_out = bytes;
		stream.avail_out = sizeof bytes;
		code = inflate(&stream, Z_NO_FLUSH);
		fine = code == Z_OK || code == Z_STREAM_END;
		for (size_t i = 0; fine && i < sizeof bytes - stream.avail_out; i++)
			fine = take_byte(steps, bytes[i]) && steps->count <= count;
	}
	inflateEnd(&stream);
	if (reader->store->stopped == ORA_STOPPED_WISH)
		return xs_error_create("%s: interrupted", reader->store->path);
	if (!fine || code != Z_STREAM_END)
		return ora_reader_damaged(reader, 11, "an execution that cannot be unpacked");
	return steps->count == count && !steps->shift
		       ? NULL
		       : ora_reader_damaged(reader, 11, "an execution with steps missing");
}

struct xs_error *ora_reader_order(struct ora_reader *reader,
	void (*on_step)(void *arg, const struct ora_store_place *place), void *arg)
{
	struct steps steps = {.reader = reader, .on_step = on_step, .arg = arg};
	struct ora_checked row = {0};
	struct xs_error *err;
	uint64_t next = 1;
	int code = SQLITE_DONE;
	if ((err = ora_store_kept(reader->store, ORA_LOAD_EXECUTION,
		     "SELECT first, count, data FROM execution WHERE trace = ? ORDER BY first",
		     &row.statement)))
		return err;
	sqlite3_bind_int64(row.statement, 1, reader->trace);
	while (!err && (code = sqlite3_step(row.statement)) == SQLITE_ROW) {
		uint64_t count = ora_checked_number(&row, 1, INT64_MAX);
		const void *data = sqlite3_column_blob(row.statement, 2);
		if (ora_checked_bits(&row, 0) != next || row.wrong ||
			sqlite3_column_type(row.statement, 2) != SQLITE_BLOB || !data)
			err = ora_reader_damaged(reader, 11, "a piece of its execution is missing");
		else
			err = unpack(&steps, data, (size_t)sqlite3_column_bytes(row.statement, 2),
				count);
		next += count;
	}
	if (!err && code != SQLITE_DONE)
		err = ora_store_error(reader->store);
	sqlite3_reset(row.statement);
	return err;
}

struct xs_error *ora_store_order(struct ora_store *store, uint64_t trace,
	void (*on_step)(void *arg, const struct ora_store_place *place), void *arg)
{
	XS_AUTO(ora_reader) reader = NULL;
	struct xs_error *err = ora_reader_create(store, trace, &reader);
	return err ? err : ora_reader_order(reader, on_step, arg);
}

struct xs_error *ora_store_coverage(struct ora_store *store, uint64_t trace,
	void (*on_figure)(void *arg, const char *kind, const char *name, uint64_t selected,
		uint64_t evaluated),
	void *arg)
{
	ORA_AUTO_STATEMENT statement = NULL;
	int code;
	struct xs_error *err = ora_store_prepare(store,
		"SELECT kind, name, selected, evaluated FROM coverage WHERE trace = ? "
		"ORDER BY kind, name",
		&statement);
	if (err)
		return err;
	struct ora_checked row = {.statement = statement};
	sqlite3_bind_int64(statement, 1, (int64_t)trace);
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *kind = ora_checked_text(&row, 0), *name = ora_checked_text(&row, 1);
		uint64_t selected = ora_checked_number(&row, 2, INT64_MAX),
			 evaluated = ora_checked_number(&row, 3, INT64_MAX);
		if (row.wrong)
			return xs_error_corrupt("%s: trace %" PRIu64 " is damaged: %s", store->path,
				trace, row.wrong);
		on_figure(arg, kind, name, selected, evaluated);
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(store);
}
