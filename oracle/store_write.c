/* store_write.c - adds a trace to a store.
 *
 * Everything that a trace refers to (texts, places, leaves, ...) is numbered in memory when it is
 * first met, and inserted then. What each leaf was last said to be is kept, so that only changes
 * are stored. The facts of a stop wait for its end: elements that changed side by side become one
 * entry. */
#include <errno.h>
#include <sys/utsname.h>
#include <time.h>
#include <zlib.h>

#include "oracle/buffer.h"
#include "oracle/intern.h"
#include "oracle/store_db.h"

enum {
	BATCH_STOPS = 2000,   /* a transaction has so many stops at most, */
	BATCH_MS = 500,       /* and lasts so long */
	PIECE_SIZE = 1 << 18, /* of an execution, before it is compressed */
};

/* The insertions, in the order of this list. */
enum insertion {
	INSERT_TEXT,
	INSERT_LOADED,
	INSERT_SITE,
	INSERT_PLACE,
	INSERT_TRANSITION,
	INSERT_FRAME,
	INSERT_STACK,
	INSERT_STOP,
	INSERT_VARIABLE,
	INSERT_LEAF,
	INSERT_SAYING,
	INSERT_VALUE,
	INSERT_EXECUTION,
	INSERT_COVERAGE,
	UPDATE_TRANSITION,
	FIND_TEXT,
	STATEMENTS,
};

static const char *const statements[STATEMENTS] = {
	[INSERT_TEXT] = "INSERT INTO text (text) VALUES (?)",
	[INSERT_LOADED] = "INSERT INTO loaded VALUES (?, ?, ?)",
	[INSERT_SITE] = "INSERT INTO site VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_PLACE] = "INSERT INTO place VALUES (?, ?, ?, ?, ?)",
	[INSERT_TRANSITION] = "INSERT INTO transition VALUES (?, ?, ?, ?, NULL, ?)",
	[INSERT_FRAME] = "INSERT INTO frame VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_STACK] = "INSERT INTO stack VALUES (?, ?, ?, ?, ?)",
	[INSERT_STOP] = "INSERT INTO stop VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_VARIABLE] = "INSERT INTO variable VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_LEAF] = "INSERT INTO leaf VALUES (?, ?, ?, ?, ?, ?)",
	[INSERT_SAYING] = "INSERT INTO saying VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_VALUE] = "INSERT INTO value VALUES (?, ?, ?)",
	[INSERT_EXECUTION] = "INSERT INTO execution VALUES (?, ?, ?, ?)",
	[INSERT_COVERAGE] = "INSERT INTO coverage VALUES (?, ?, ?, ?, ?)",
	[UPDATE_TRANSITION] =
		"UPDATE transition SET count = ?3, first = ?4 WHERE trace = ?1 AND id = ?2",
	[FIND_TEXT] = "SELECT id FROM text WHERE text = ?",
};

/* What identifies things; compared byte by byte, so that padding must be zero. */
struct site_key {
	uint64_t function, entry, file, line, column, inlined, has_row;
};
struct frame_key {
	uint64_t function, file, line, column, inlined, module, address;
};
struct variable_key {
	uint64_t unit, scope, name, file, line;
};
struct leaf_key {
	uint64_t variable, depth, path, type;
};
struct saying_key {
	uint64_t state, form, enumerator, message, shadowed, undeclared;
};
enum form { FORM_NONE, FORM_NUMBER, FORM_TEXT };

/* What was said of an element of a leaf. */
struct known {
	uint32_t leaf;
	uint64_t element;
	uint32_t saying;  /* as it was stored last; 0: never */
	int64_t value;    /* likewise, by the saying's form */
	uint64_t told;    /* serial number of the last stop at which it was told */
	size_t pending;   /* its entry in `pending`, if that is this stop */
};

/* What is said of it at this stop. */
struct pending {
	size_t known;
	uint32_t saying;
	int64_t value;
};

struct transition {
	uint32_t prev, place;  /* 0: none */
	uint64_t count, first; /* 0: not known */
	bool changed;          /* since it was stored */
};

struct reg {
	char *name;
	bool told, available; /* whether there is a last time; whether it had a value then */
	char *text;           /* its value then, if it was no number */
	uint64_t value;
	uint64_t serial; /* of that stop */
};

struct ora_writer {
	struct ora_store *store;
	int64_t trace;                    /* its number in the file */
	sqlite3_stmt *statement[STATEMENTS];
	struct xs_error *err;             /* what went wrong, until somebody is told */
	bool failed;                      /* somebody was; nothing is done from then on */
	bool in_batch;                    /* a transaction is open */
	unsigned batch_stops;             /* in it */
	struct timespec batch_began;

	struct ora_intern texts;          /* all that were used */
	XS_VEC(int64_t) text_ids;         /* their ids in the file, by number */
	struct ora_intern sites, frames, variables, leaves, sayings, values;
	struct xs_map places;             /* (module's text id, address) -> number */
	XS_VEC(uint64_t) addresses;       /* of places, by number */
	XS_VEC(uint64_t) modules;         /* of places: number of the name, 0: the executable */
	XS_VEC(struct site_key) place_sites; /* of places */
	struct xs_map stacks;             /* (frame, outer) -> number */
	XS_VEC(uint32_t) depths;          /* of stacks, by number */
	struct xs_map transition_index;   /* (prev, place) -> index, plus 1 */
	XS_VEC(struct transition) transitions;
	struct xs_map variable_keys;      /* (identity, caller's key) -> number */
	XS_VEC(uint32_t) variable_names;  /* number of the name, by number */
	struct xs_map biases;             /* (number of module's name, 0) -> bias, plus 1 */
	struct xs_map known_index;        /* (leaf, element) -> index, plus 1 */
	XS_VEC(struct known) known;
	XS_VEC(struct reg) regs;
	uint64_t sampled;                 /* stops that were stored */

	/* The stop that has begun. */
	uint64_t serial;                  /* counts them */
	uint64_t number, n;
	uint32_t prev, place;
	unsigned frame_count;             /* as told by ora_writer_frames() */
	XS_VEC(uint32_t) stop_frames;     /* innermost first */
	struct frame_key shown;           /* the first of them */
	int64_t note;                     /* id of the text, 0: none */
	XS_VEC(struct pending) pending;
	struct ora_buffer facts, reg_text;

	/* The piece of the execution that is not stored yet. */
	XS_VEC(unsigned char) piece;
	uint64_t piece_first, piece_count, steps;
};

/* --- statements ------------------------------------------------------------------------------- */

static bool is_stuck(const struct ora_writer *writer)
{
	return writer->err || writer->failed;
}

static struct xs_error *take_error(struct ora_writer *writer)
{
	writer->failed |= writer->err != NULL;
	return xs_take(&writer->err);
}

static void fail(struct ora_writer *writer)
{
	if (!writer->err)
		writer->err = ora_store_error(writer->store);
}

static void run(struct ora_writer *writer, const char *sql)
{
	if (!writer->err)
		writer->err = ora_store_run(writer->store, sql);
}

static void begin(struct ora_writer *writer)
{
	if (writer->in_batch || is_stuck(writer))
		return;
	run(writer, "BEGIN IMMEDIATE");
	writer->in_batch = !writer->err;
	writer->batch_stops = 0;
	clock_gettime(CLOCK_MONOTONIC, &writer->batch_began);
}

static void commit(struct ora_writer *writer)
{
	if (!writer->in_batch || is_stuck(writer))
		return;
	run(writer, "COMMIT");
	writer->in_batch = writer->err;
}

/* The statement with the trace as its first parameter. */
static sqlite3_stmt *start(struct ora_writer *writer, enum insertion which)
{
	begin(writer);
	sqlite3_stmt *statement = writer->statement[which];
	if (!statement && !is_stuck(writer)) {
		writer->err = ora_store_prepare(writer->store, statements[which], &statement);
		writer->statement[which] = statement;
	}
	if (is_stuck(writer))
		return NULL;
	sqlite3_clear_bindings(statement);
	sqlite3_bind_int64(statement, 1, writer->trace);
	return statement;
}

static void finish(struct ora_writer *writer, sqlite3_stmt *statement)
{
	if (sqlite3_step(statement) != SQLITE_DONE)
		fail(writer);
	sqlite3_reset(statement);
}

static void bind(sqlite3_stmt *statement, int at, uint64_t number)
{
	sqlite3_bind_int64(statement, at, (int64_t)number);
}

/* 0 is NULL: for references. */
static void bind_reference(sqlite3_stmt *statement, int at, uint64_t id)
{
	if (id)
		bind(statement, at, id);
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
	sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

/* --- texts ------------------------------------------------------------------------------------- */

/* The number of a text in this writer, 0 for NULL. */
static uint32_t text_number(struct ora_writer *writer, const char *text)
{
	bool fresh;
	if (!text)
		return 0;
	uint32_t number = ora_intern(&writer->texts, text, strlen(text), &fresh);
	if (!fresh)
		return number;
	int64_t id = 0;
	sqlite3_stmt *statement = start(writer, FIND_TEXT);
	if (statement) {
		bind_text(statement, 1, text);
		int code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			id = sqlite3_column_int64(statement, 0);
		else if (code != SQLITE_DONE)
			fail(writer);
		sqlite3_reset(statement);
	}
	if (!id && (statement = start(writer, INSERT_TEXT))) {
		bind_text(statement, 1, text);
		finish(writer, statement);
		id = sqlite3_last_insert_rowid(writer->store->db);
	}
	xs_vec_push(&writer->text_ids, id);
	return number;
}

/* Its id in the file, 0 for NULL. */
static uint64_t text_id(struct ora_writer *writer, const char *text)
{
	uint32_t number = text_number(writer, text);
	return number ? (uint64_t)writer->text_ids.data[number - 1] : 0;
}

/* --- places and transitions --------------------------------------------------------------------- */

uint32_t ora_writer_find_place(struct ora_writer *writer, const char *module, xs_addr address)
{
	const uint64_t *number =
		xs_map_find(&writer->places, text_number(writer, module), address);
	return number ? (uint32_t)*number : 0;
}

uint32_t ora_writer_place(struct ora_writer *writer, const struct ora_store_place *place)
{
	uint64_t *number =
		xs_map_at(&writer->places, text_number(writer, place->module), place->address);
	if (*number)
		return (uint32_t)*number;
	xs_vec_push(&writer->addresses, place->address);
	xs_vec_push(&writer->modules, text_number(writer, place->module));
	*number = writer->addresses.len;
	uint32_t ret = (uint32_t)*number;
	struct site_key key = {.function = text_id(writer, place->function),
		.entry = place->function ? place->address - (uint64_t)place->offset : 0,
		.file = text_id(writer, place->file),
		.line = place->line,
		.column = place->column,
		.inlined = text_id(writer, place->inlined),
		.has_row = place->has_row};
	xs_vec_push(&writer->place_sites, key);
	bool fresh;
	uint32_t site = ora_intern(&writer->sites, &key, sizeof key, &fresh);
	sqlite3_stmt *statement;
	if (fresh && (statement = start(writer, INSERT_SITE))) {
		bind(statement, 2, site);
		bind_reference(statement, 3, key.function);
		if (key.function)
			bind(statement, 4, key.entry);
		bind_reference(statement, 5, key.file);
		if (key.has_row) {
			bind(statement, 6, key.line);
			bind(statement, 7, key.column);
		}
		bind_reference(statement, 8, key.inlined);
		finish(writer, statement);
	}
	if ((statement = start(writer, INSERT_PLACE))) {
		bind(statement, 2, ret);
		bind_reference(statement, 3, text_id(writer, place->module));
		bind(statement, 4, place->address);
		bind(statement, 5, site);
		finish(writer, statement);
	}
	return ret;
}

/* The index of a transition; a new one is stored. */
static size_t transition_at(
	struct ora_writer *writer, uint32_t prev, uint32_t place, uint64_t first)
{
	uint64_t *index = xs_map_at(&writer->transition_index, prev, place);
	if (*index)
		return *index - 1;
	xs_vec_push(&writer->transitions,
		((struct transition){.prev = prev, .place = place, .first = first}));
	*index = writer->transitions.len;
	size_t ret = *index - 1;
	sqlite3_stmt *statement = start(writer, INSERT_TRANSITION);
	if (statement) {
		bind(statement, 2, ret + 1);
		bind_reference(statement, 3, prev);
		bind(statement, 4, place);
		bind_reference(statement, 5, first);
		finish(writer, statement);
	}
	return ret;
}

void ora_writer_transition(
	struct ora_writer *writer, uint32_t prev, uint32_t place, uint64_t count, uint64_t first)
{
	if (is_stuck(writer))
		return;
	size_t index = transition_at(writer, prev, place, first); /* which may move the table */
	struct transition *transition = &writer->transitions.data[index];
	transition->changed |= transition->count != count || (first && transition->first != first);
	transition->count = count;
	transition->first = first ? first : transition->first;
}

/* Counts change all the time: they are stored at the end. */
static void store_counts(struct ora_writer *writer)
{
	for (size_t i = 0; i < writer->transitions.len; i++) {
		struct transition *transition = &writer->transitions.data[i];
		sqlite3_stmt *statement;
		if (!transition->changed || !(statement = start(writer, UPDATE_TRANSITION)))
			continue;
		bind(statement, 2, i + 1);
		bind_reference(statement, 3, transition->count);
		bind_reference(statement, 4, transition->first);
		finish(writer, statement);
	}
}

/* --- the order of execution -------------------------------------------------------------------- */

static void store_piece(struct ora_writer *writer)
{
	if (!writer->piece_count || is_stuck(writer))
		return;
	uLongf size = compressBound(writer->piece.len);
	XS_AUTO_FREE unsigned char *packed = xs_calloc(size, 1);
	xs_assert(compress2(packed, &size, writer->piece.data, writer->piece.len, 9) == Z_OK);
	sqlite3_stmt *statement = start(writer, INSERT_EXECUTION);
	if (statement) {
		bind(statement, 2, writer->piece_first);
		bind(statement, 3, writer->piece_count);
		sqlite3_bind_blob(statement, 4, packed, (int)size, SQLITE_STATIC);
		finish(writer, statement);
	}
	writer->piece.len = 0;
	writer->piece_count = 0;
}

void ora_writer_order(struct ora_writer *writer, uint32_t prev, uint32_t place)
{
	if (is_stuck(writer))
		return;
	writer->steps++;
	if (!writer->piece_count++)
		writer->piece_first = writer->steps;
	uint64_t id = transition_at(writer, prev, place, writer->steps) + 1;
	do {
		unsigned char low = id & 0x7f;
		id >>= 7;
		xs_vec_push(&writer->piece, (unsigned char)(low | (id ? 0x80 : 0)));
	} while (id);
	if (writer->piece.len >= PIECE_SIZE)
		store_piece(writer);
}

/* --- variables and leaves ------------------------------------------------------------------------ */

uint32_t ora_writer_variable(
	struct ora_writer *writer, const struct ora_store_variable *variable, uint64_t key)
{
	struct variable_key identity = {.unit = text_id(writer, variable->unit),
		.scope = text_id(writer, variable->scope),
		.name = text_id(writer, variable->name),
		.file = text_id(writer, variable->file),
		.line = variable->line};
	bool fresh;
	uint32_t looks = ora_intern(&writer->variables, &identity, sizeof identity, &fresh);
	uint64_t *number = xs_map_at(&writer->variable_keys, looks, key);
	if (*number)
		return (uint32_t)*number;
	xs_vec_push(&writer->variable_names, text_number(writer, variable->name));
	*number = writer->variable_names.len;
	uint32_t ret = (uint32_t)*number;
	/* How many there are that look the same. The key 2^64-1 of a second map would do as well;
	 * one map serves both. */
	uint64_t ordinal = ++*xs_map_at(&writer->variable_keys, UINT64_MAX, looks);
	sqlite3_stmt *statement = start(writer, INSERT_VARIABLE);
	if (statement) {
		bind(statement, 2, ret);
		bind_reference(statement, 3, identity.unit);
		bind_reference(statement, 4, identity.scope);
		bind(statement, 5, identity.name);
		bind_reference(statement, 6, identity.file);
		bind(statement, 7, identity.line);
		bind(statement, 8, ordinal);
		finish(writer, statement);
	}
	return ret;
}

/* The last index in a path: from '[' to behind ']'. False if there is none in the usual form. */
static bool last_index(const char *path, const char **from, const char **to, uint64_t *index)
{
	bool found = false;
	for (const char *at = strchr(path, '['); at; at = strchr(at + 1, '[')) {
		size_t digits = strspn(at + 1, "0123456789");
		if (!digits || digits > 9 || at[1 + digits] != ']' || (digits > 1 && at[1] == '0'))
			continue;
		*from = at;
		*to = at + digits + 2;
		*index = strtoull(at + 1, NULL, 10);
		found = true;
	}
	return found;
}

/* What schema.sql calls the path of a leaf, to be freed. */
static char *path_pattern(const char *name, const char *path, uint64_t *element)
{
	const char *from, *to;
	size_t length = strlen(name);
	*element = 0;
	if (strncmp(path, name, length) || strstr(path, "[*]"))
		return xs_asprintf("=%s", path);
	path += length;
	if (!last_index(path, &from, &to, element))
		return xs_asprintf("$%s", path);
	return xs_asprintf("$%.*s[*]%s", (int)(from - path), path, to);
}

/* Where what is known of a leaf is. */
static size_t known_at(struct ora_writer *writer, const struct ora_store_fact *fact)
{
	uint64_t element;
	const char *name = writer->texts.list
				   .data[writer->variable_names.data[fact->variable - 1] - 1]
				   .bytes;
	XS_AUTO_FREE char *pattern = path_pattern(name, fact->path, &element);
	struct leaf_key key = {.variable = fact->variable,
		.depth = fact->depth,
		.path = text_id(writer, pattern),
		.type = text_id(writer, fact->type)};
	bool fresh;
	uint32_t leaf = ora_intern(&writer->leaves, &key, sizeof key, &fresh);
	sqlite3_stmt *statement;
	if (fresh && (statement = start(writer, INSERT_LEAF))) {
		bind(statement, 2, leaf);
		bind(statement, 3, key.variable);
		bind(statement, 4, key.depth);
		bind(statement, 5, key.path);
		bind_reference(statement, 6, key.type);
		finish(writer, statement);
	}
	uint64_t *index = xs_map_at(&writer->known_index, leaf, element);
	if (!*index) {
		xs_vec_push(&writer->known, ((struct known){.leaf = leaf, .element = element}));
		*index = writer->known.len;
	}
	return *index - 1;
}

/* --- what is said --------------------------------------------------------------------------------- */

static uint32_t saying_of(struct ora_writer *writer, const struct saying_key *key)
{
	static const char *const forms[] = {
		[FORM_NONE] = "none", [FORM_NUMBER] = "number", [FORM_TEXT] = "text"};
	bool fresh;
	uint32_t saying = ora_intern(&writer->sayings, key, sizeof *key, &fresh);
	sqlite3_stmt *statement;
	if (fresh && (statement = start(writer, INSERT_SAYING))) {
		bind(statement, 2, saying);
		bind_text(statement, 3, ora_state_text((enum ora_state)key->state));
		bind_text(statement, 4, forms[key->form]);
		bind_reference(statement, 5, key->enumerator);
		bind_reference(statement, 6, key->message);
		bind(statement, 7, key->shadowed);
		bind(statement, 8, !key->undeclared);
		finish(writer, statement);
	}
	return saying;
}

static const struct saying_key *saying_key(const struct ora_writer *writer, uint32_t saying)
{
	return (const struct saying_key *)(const void *)writer->sayings.list.data[saying - 1].bytes;
}

/* Whether a text is exactly what printing a number gives. */
static bool is_number(const char *text, int64_t *ret)
{
	const char *digits = text + (*text == '-');
	size_t length = strspn(digits, "0123456789");
	if (!length || length > 19 || digits[length] || (*digits == '0' && (length > 1 || digits != text)))
		return false;
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	*ret = value;
	return !errno && value != INT64_MIN;
}

static void tell(struct ora_writer *writer, size_t index, uint32_t saying, int64_t value)
{
	struct known *known = &writer->known.data[index];
	struct pending pending = {.known = index, .saying = saying, .value = value};
	if (known->told == writer->serial) { /* twice at one stop: the last one counts */
		writer->pending.data[known->pending] = pending;
		return;
	}
	known->told = writer->serial;
	known->pending = writer->pending.len;
	xs_vec_push(&writer->pending, pending);
}

void ora_writer_fact(struct ora_writer *writer, const struct ora_store_fact *fact)
{
	int64_t value = 0;
	bool fresh;
	if (is_stuck(writer))
		return;
	struct saying_key key = {.state = fact->state,
		.enumerator = text_id(writer, fact->enumerator),
		.message = text_id(writer, fact->message),
		.shadowed = fact->shadowed,
		.undeclared = fact->undeclared};
	if (fact->value && is_number(fact->value, &value)) {
		key.form = FORM_NUMBER;
	} else if (fact->value) {
		key.form = FORM_TEXT;
		value = ora_intern(&writer->values, fact->value, strlen(fact->value), &fresh);
		sqlite3_stmt *statement;
		if (fresh && (statement = start(writer, INSERT_VALUE))) {
			bind(statement, 2, (uint64_t)value);
			bind_text(statement, 3, fact->value);
			finish(writer, statement);
		}
	}
	size_t known = known_at(writer, fact);
	tell(writer, known, saying_of(writer, &key), value);
}

static bool is_absent(const struct ora_writer *writer, uint32_t saying)
{
	return !saying || saying_key(writer, saying)->state == ORA_STATE_ABSENT;
}

void ora_writer_rest_absent(struct ora_writer *writer)
{
	struct saying_key key = {.state = ORA_STATE_ABSENT};
	for (size_t i = 0; !is_stuck(writer) && i < writer->known.len; i++)
		if (writer->known.data[i].told != writer->serial &&
			!is_absent(writer, writer->known.data[i].saying))
			tell(writer, i, saying_of(writer, &key), 0);
}

/* Keeps of what is pending what is new, and takes it as known. */
static void keep_changes(struct ora_writer *writer)
{
	size_t kept = 0;
	for (size_t i = 0; i < writer->pending.len; i++) {
		struct pending *pending = &writer->pending.data[i];
		struct known *known = &writer->known.data[pending->known];
		bool same = known->saying == pending->saying && known->value == pending->value;
		if (same || (is_absent(writer, known->saying) && is_absent(writer, pending->saying)))
			continue;
		known->saying = pending->saying;
		known->value = pending->value;
		writer->pending.data[kept++] = *pending;
	}
	writer->pending.len = kept;
}

static void put_value(struct ora_writer *writer, const struct pending *pending)
{
	if (saying_key(writer, pending->saying)->form == FORM_NONE)
		ora_buffer_put(&writer->facts, "null");
	else
		ora_buffer_number(&writer->facts, pending->value);
}

/* The facts of the stop as JSON, or "" if there are none. */
static void make_facts(struct ora_writer *writer)
{
	struct ora_buffer *facts = &writer->facts;
	facts->len = 0;
	keep_changes(writer);
	for (size_t i = 0, end; i < writer->pending.len; i = end) {
		const struct pending *first = &writer->pending.data[i];
		const struct known *known = &writer->known.data[first->known];
		for (end = i + 1; end < writer->pending.len; end++) {
			const struct pending *next = &writer->pending.data[end];
			const struct known *other = &writer->known.data[next->known];
			if (next->saying != first->saying || other->leaf != known->leaf ||
				other->element != known->element + (end - i))
				break;
		}
		ora_buffer_put(facts, i ? ",[" : "[[");
		ora_buffer_number(facts, known->leaf);
		ora_buffer_put(facts, end - i > 1 ? ",[" : ",");
		for (size_t k = i; k < end; k++) {
			if (k > i)
				ora_buffer_put(facts, ",");
			put_value(writer, &writer->pending.data[k]);
		}
		if (end - i > 1)
			ora_buffer_put(facts, "]");
		if (first->saying != 1 || known->element) {
			ora_buffer_put(facts, ",");
			ora_buffer_number(facts, first->saying);
		}
		if (known->element) {
			ora_buffer_put(facts, ",");
			ora_buffer_number(facts, (int64_t)known->element);
		}
		ora_buffer_put(facts, "]");
	}
	if (facts->len)
		ora_buffer_put(facts, "]");
	writer->pending.len = 0;
}

/* --- registers ------------------------------------------------------------------------------------- */

static struct reg *reg_named(struct ora_writer *writer, const char *name)
{
	for (size_t i = 0; i < writer->regs.len; i++)
		if (!strcmp(writer->regs.data[i].name, name))
			return &writer->regs.data[i];
	xs_vec_push(&writer->regs, ((struct reg){.name = xs_strdup(name)}));
	return &writer->regs.data[writer->regs.len - 1];
}

static void put_reg_name(struct ora_writer *writer, const char *name)
{
	ora_buffer_put(&writer->reg_text, writer->reg_text.len ? "," : "{");
	ora_buffer_json(&writer->reg_text, name);
	ora_buffer_put(&writer->reg_text, ":");
}

/* Whether rip is what the pc of this stop makes one expect. */
static bool rip_is_known(struct ora_writer *writer, uint64_t value)
{
	uint64_t module = writer->modules.data[writer->place - 1];
	uint64_t bias = value - writer->addresses.data[writer->place - 1];
	uint64_t *known = xs_map_at(&writer->biases, module, 0);
	sqlite3_stmt *statement;
	if (*known)
		return *known - 1 == bias;
	*known = bias + 1;
	if ((statement = start(writer, INSERT_LOADED))) {
		bind_text(statement, 2,
			module ? writer->texts.list.data[module - 1].bytes : "");
		bind(statement, 3, bias);
		finish(writer, statement);
	}
	return true;
}

void ora_writer_reg(struct ora_writer *writer, const char *name, uint64_t value)
{
	if (is_stuck(writer))
		return;
	struct reg *reg = reg_named(writer, name);
	bool same = reg->told && reg->available && !reg->text && reg->value == value;
	bool implied = !strcmp(name, "rip") && rip_is_known(writer, value);
	free(xs_take(&reg->text));
	reg->told = reg->available = true;
	reg->value = value;
	/* One that was implied at the stop before and is not at this one must be said even if it is
	 * the same: whoever reads takes the implied one otherwise. */
	if (implied || (same && strcmp(name, "rip") != 0))
		return;
	put_reg_name(writer, name);
	ora_buffer_number(&writer->reg_text, (int64_t)value);
}

void ora_writer_reg_text(struct ora_writer *writer, const char *name, const char *value)
{
	if (is_stuck(writer))
		return;
	struct reg *reg = reg_named(writer, name);
	bool same = reg->told && reg->available == (value != NULL) && !reg->text == !value &&
		    (!value || !strcmp(reg->text, value));
	if (same)
		return;
	free(xs_take(&reg->text));
	reg->told = true;
	reg->available = value;
	reg->text = value ? xs_strdup(value) : NULL;
	put_reg_name(writer, name);
	ora_buffer_json(&writer->reg_text, value);
}

/* --- stops ------------------------------------------------------------------------------------------ */

void ora_writer_stop_begin(
	struct ora_writer *writer, uint64_t number, uint32_t prev, uint32_t place, uint64_t n)
{
	writer->serial++;
	writer->number = number;
	writer->prev = prev;
	writer->place = place;
	writer->n = n;
	writer->frame_count = 0;
	writer->note = 0;
	writer->stop_frames.len = 0;
	writer->pending.len = 0;
	writer->reg_text.len = 0;
}

void ora_writer_frame(struct ora_writer *writer, const struct ora_store_frame *frame)
{
	if (is_stuck(writer))
		return;
	struct frame_key key = {.function = text_id(writer, frame->function),
		.file = text_id(writer, frame->file),
		.line = frame->line,
		.column = frame->column,
		.inlined = frame->inlined,
		.module = text_id(writer, frame->module),
		.address = frame->address};
	/* What frame 0 mostly shows is what the line table says, and need not be said again. Its pc
	 * is the stop's. */
	if (!writer->stop_frames.len) {
		const struct site_key *site = &writer->place_sites.data[writer->place - 1];
		key.module = 0;
		key.address = XS_ADDR_NONE;
		if (key.function == site->function && key.file == site->file &&
			key.line == site->line && key.column == site->column && !key.inlined) {
			xs_vec_push(&writer->stop_frames, 0);
			return;
		}
	}
	bool fresh;
	uint32_t number = ora_intern(&writer->frames, &key, sizeof key, &fresh);
	sqlite3_stmt *statement;
	if (fresh && (statement = start(writer, INSERT_FRAME))) {
		bind(statement, 2, number);
		bind_reference(statement, 3, key.function);
		bind_reference(statement, 4, key.file);
		bind(statement, 5, key.line);
		bind(statement, 6, key.column);
		bind(statement, 7, key.inlined);
		bind_reference(statement, 8, key.module);
		if (key.address != XS_ADDR_NONE)
			bind(statement, 9, key.address);
		finish(writer, statement);
	}
	xs_vec_push(&writer->stop_frames, number);
}

void ora_writer_frames(struct ora_writer *writer, unsigned count)
{
	writer->frame_count = count;
}

void ora_writer_note(struct ora_writer *writer, const char *text)
{
	writer->note = (int64_t)text_id(writer, text);
}

/* The number of the stack of all frames but the innermost, 0 if there are none. */
static uint32_t stack_of(struct ora_writer *writer)
{
	uint32_t outer = 0;
	for (size_t i = writer->stop_frames.len; i-- > 1;) {
		uint32_t frame = writer->stop_frames.data[i];
		uint64_t *number = xs_map_at(&writer->stacks, frame, outer);
		if (*number) {
			outer = (uint32_t)*number;
			continue;
		}
		uint32_t depth = outer ? writer->depths.data[outer - 1] + 1 : 1;
		xs_vec_push(&writer->depths, depth);
		*number = writer->depths.len;
		sqlite3_stmt *statement = start(writer, INSERT_STACK);
		if (statement) {
			bind(statement, 2, *number);
			bind(statement, 3, frame);
			bind_reference(statement, 4, outer);
			bind(statement, 5, depth);
			finish(writer, statement);
		}
		outer = (uint32_t)*number;
	}
	return outer;
}

static bool batch_is_full(const struct ora_writer *writer)
{
	struct timespec now;
	if (writer->batch_stops >= BATCH_STOPS)
		return true;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - writer->batch_began.tv_sec) * 1000 +
		       (now.tv_nsec - writer->batch_began.tv_nsec) / 1000000 >=
	       BATCH_MS;
}

struct xs_error *ora_writer_stop_end(struct ora_writer *writer)
{
	if (is_stuck(writer))
		return take_error(writer);
	size_t transition = transition_at(writer, writer->prev, writer->place, writer->number);
	uint32_t stack = stack_of(writer);
	make_facts(writer);
	if (writer->reg_text.len)
		ora_buffer_put(&writer->reg_text, "}");
	sqlite3_stmt *statement = start(writer, INSERT_STOP);
	if (statement) {
		bind(statement, 2, writer->number);
		bind(statement, 3, transition + 1);
		bind(statement, 4, writer->n);
		bind_reference(statement, 5,
			writer->stop_frames.len ? writer->stop_frames.data[0] : 0);
		bind_reference(statement, 6, stack);
		if (!writer->stop_frames.len)
			bind(statement, 7, writer->frame_count);
		bind_reference(statement, 8, (uint64_t)writer->note);
		if (writer->reg_text.len)
			bind_text(statement, 9, writer->reg_text.data);
		if (writer->facts.len)
			bind_text(statement, 10, writer->facts.data);
		finish(writer, statement);
	}
	writer->sampled++;
	writer->batch_stops++;
	if (batch_is_full(writer))
		commit(writer);
	return take_error(writer);
}

void ora_writer_coverage(struct ora_writer *writer, const char *kind, const char *name,
	uint64_t selected, uint64_t evaluated)
{
	sqlite3_stmt *statement = start(writer, INSERT_COVERAGE);
	if (!statement)
		return;
	bind_text(statement, 2, kind);
	bind_text(statement, 3, name);
	bind(statement, 4, selected);
	bind(statement, 5, evaluated);
	finish(writer, statement);
}

/* --- beginning and end ------------------------------------------------------------------------------ */

uint64_t ora_writer_trace(const struct ora_writer *writer)
{
	return (uint64_t)writer->trace;
}

static void now_text(char *text, size_t size)
{
	struct timespec now;
	struct tm parts;
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &parts);
	size_t length = strftime(text, size, "%Y-%m-%dT%H:%M:%S", &parts);
	snprintf(text + length, size - length, ".%03ldZ", now.tv_nsec / 1000000);
}

/* What machine this is. */
static char *host_text(void)
{
	struct utsname name;
	XS_AUTO_FILE FILE *cpu = fopen("/proc/cpuinfo", "re");
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	const char *model = "";
	if (uname(&name))
		return xs_strdup("unknown");
	while (cpu && getline(&line, &size, cpu) > 0)
		if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
			model = strchr(line, ':') + 2;
			line[strcspn(line, "\n")] = 0;
			break;
		}
	return xs_asprintf("%s, %s %s, %s", name.nodename, name.sysname, name.release, model);
}

static struct xs_error *add_subject(
	struct ora_store *store, const struct ora_store_subject *subject, int64_t *ret)
{
	ORA_AUTO_STATEMENT add = NULL;
	ORA_AUTO_STATEMENT find = NULL;
	struct xs_error *err;
	if ((err = ora_store_prepare(store,
		     "INSERT OR IGNORE INTO subject (path, build_id, hash, producer, flags, "
		     "dwarf_version) VALUES (?, ?, ?, ?, ?, nullif(?, 0))",
		     &add)) ||
		(err = ora_store_prepare(
			 store, "SELECT id FROM subject WHERE path = ? AND hash = ?", &find)))
		return err;
	bind_text(add, 1, subject->path);
	bind_text(add, 2, subject->build_id);
	bind_text(add, 3, subject->hash);
	bind_text(add, 4, subject->producer);
	bind_text(add, 5, subject->flags);
	sqlite3_bind_int(add, 6, subject->dwarf_version);
	if (sqlite3_step(add) != SQLITE_DONE)
		return ora_store_error(store);
	bind_text(find, 1, subject->path);
	bind_text(find, 2, subject->hash);
	if (sqlite3_step(find) != SQLITE_ROW)
		return ora_store_error(store);
	*ret = sqlite3_column_int64(find, 0);
	return NULL;
}

static struct xs_error *add_trace(
	struct ora_store *store, int64_t subject, const struct ora_store_trace *trace, int64_t *ret)
{
	ORA_AUTO_STATEMENT add = NULL;
	struct xs_error *err;
	char now[40];
	XS_AUTO_FREE char *host = host_text();
	if ((err = ora_store_prepare(store,
		     "INSERT INTO trace (subject, witness, version, mode, level, sample, seed, "
		     "arguments, begin_at, vars, frames, regs, max_leaves, host, began) "
		     "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		     &add)))
		return err;
	now_text(now, sizeof now);
	sqlite3_bind_int64(add, 1, subject);
	bind_text(add, 2, trace->witness);
	bind_text(add, 3, trace->version);
	bind_text(add, 4, trace->mode);
	bind_text(add, 5, trace->level);
	bind_text(add, 6, trace->sample);
	bind(add, 7, trace->seed);
	bind_text(add, 8, trace->arguments);
	bind_text(add, 9, trace->from);
	bind_text(add, 10, trace->vars);
	bind(add, 11, trace->frames);
	bind(add, 12, trace->regs);
	bind(add, 13, trace->max_leaves);
	bind_text(add, 14, host);
	bind_text(add, 15, now);
	if (sqlite3_step(add) != SQLITE_DONE)
		return ora_store_error(store);
	*ret = sqlite3_last_insert_rowid(store->db);
	return NULL;
}

struct xs_error *ora_writer_create(struct ora_store *store, const struct ora_store_subject *subject,
	const struct ora_store_trace *trace, struct ora_writer **ret)
{
	XS_AUTO(ora_writer) writer = xs_calloc(1, sizeof *writer);
	struct xs_error *err;
	int64_t id = 0;
	writer->store = store;
	begin(writer);
	if ((err = xs_take(&writer->err)) || (err = add_subject(store, subject, &id)) ||
		(err = add_trace(store, id, trace, &writer->trace)))
		return err;
	/* The usual saying is number 1: facts need not name it. */
	saying_of(writer, &(struct saying_key){.state = ORA_STATE_VALUE, .form = FORM_NUMBER});
	commit(writer);
	if ((err = xs_take(&writer->err)))
		return err;
	*ret = xs_take(&writer);
	return NULL;
}

struct xs_error *ora_writer_finish(struct ora_writer *writer, const struct ora_store_end *end)
{
	static const char sql[] =
		"UPDATE trace SET ended = ?2, how = ?3, complete = ?4, trouble = ?5, "
		"executed = nullif(?6, 0), sampled = ?7, cut = ?8 WHERE id = ?1";
	char now[40];
	store_piece(writer);
	store_counts(writer);
	begin(writer);
	ORA_AUTO_STATEMENT statement = NULL;
	if (!is_stuck(writer))
		writer->err = ora_store_prepare(writer->store, sql, &statement);
	if (!is_stuck(writer)) {
		now_text(now, sizeof now);
		sqlite3_bind_int64(statement, 1, writer->trace);
		bind_text(statement, 2, now);
		bind_text(statement, 3, end->how);
		bind(statement, 4, end->complete);
		bind_text(statement, 5, end->trouble);
		bind(statement, 6, end->stops);
		bind(statement, 7, writer->sampled);
		bind(statement, 8, end->cut);
		finish(writer, statement);
	}
	commit(writer);
	return take_error(writer);
}

void ora_writer_destroy(struct ora_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(writer->statement[i]);
	if (writer->in_batch && !sqlite3_get_autocommit(writer->store->db))
		sqlite3_exec(writer->store->db, "ROLLBACK", NULL, NULL, NULL);
	xs_error_destroy(writer->err);
	ora_intern_deinit(&writer->texts);
	ora_intern_deinit(&writer->sites);
	ora_intern_deinit(&writer->frames);
	ora_intern_deinit(&writer->variables);
	ora_intern_deinit(&writer->leaves);
	ora_intern_deinit(&writer->sayings);
	ora_intern_deinit(&writer->values);
	for (size_t i = 0; i < writer->regs.len; i++) {
		free(writer->regs.data[i].name);
		free(writer->regs.data[i].text);
	}
	xs_map_deinit(&writer->places);
	xs_map_deinit(&writer->stacks);
	xs_map_deinit(&writer->transition_index);
	xs_map_deinit(&writer->variable_keys);
	xs_map_deinit(&writer->biases);
	xs_map_deinit(&writer->known_index);
	xs_vec_deinit(&writer->text_ids);
	xs_vec_deinit(&writer->addresses);
	xs_vec_deinit(&writer->modules);
	xs_vec_deinit(&writer->place_sites);
	xs_vec_deinit(&writer->depths);
	xs_vec_deinit(&writer->transitions);
	xs_vec_deinit(&writer->variable_names);
	xs_vec_deinit(&writer->known);
	xs_vec_deinit(&writer->regs);
	xs_vec_deinit(&writer->stop_frames);
	xs_vec_deinit(&writer->pending);
	xs_vec_deinit(&writer->piece);
	free(writer->facts.data);
	free(writer->reg_text.data);
	free(writer);
}
