/* store_write.c - adds a trace to a store: places, transitions, frames, stops, beginning and end.
 *
 * Everything that a trace refers to (texts, places, leaves, ...) is numbered in memory when it is
 * first met, and inserted then. */
#include "oracle/store/store_write.h"

#include <sys/utsname.h>
#include <zlib.h>

enum {
	BATCH_STOPS = 2000,   /* a transaction has so many stops at most, */
	BATCH_MS = 500,       /* and lasts so long */
	PIECE_SIZE = 1 << 18, /* of an execution, before it is compressed */
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
	[INSERT_SAYING] = "INSERT INTO saying VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_VALUE] = "INSERT INTO value VALUES (?, ?, ?)",
	[INSERT_EXECUTION] = "INSERT INTO execution VALUES (?, ?, ?, ?)",
	[INSERT_COVERAGE] = "INSERT INTO coverage VALUES (?, ?, ?, ?, ?)",
	[UPDATE_TRANSITION] =
		"UPDATE transition SET count = ?3, first = ?4 WHERE trace = ?1 AND id = ?2",
	[FIND_TEXT] = "SELECT id FROM text WHERE text = ?",
};

/* --- statements ------------------------------------------------------------------------------- */

bool ora_writer_stuck(const struct ora_writer *writer)
{
	return writer->err || writer->failed;
}

static struct xs_error *take_error(struct ora_writer *writer)
{
	writer->failed |= writer->err != NULL;
	return xs_take(&writer->err);
}

/* Others have the same transaction, and are told why it ended. */
static void remember(struct ora_store *store)
{
	if (!store->ended_by)
		store->ended_by = sqlite3_errstr(sqlite3_errcode(store->db));
}

static void fail(struct ora_writer *writer)
{
	remember(writer->store);
	if (!writer->err)
		writer->err = ora_store_error(writer->store);
}

static void run(struct ora_writer *writer, const char *sql)
{
	if (writer->err)
		return;
	writer->err = ora_store_run(writer->store, sql);
	if (writer->err)
		remember(writer->store);
}

/* Whether another writer's failure, a full disk say, has ended the transaction: what is written
 * after that would stand alone. */
static void look_for_end(struct ora_writer *writer)
{
	const struct ora_store *store = writer->store;
	if (store->in_batch && store->ended_by && !ora_writer_stuck(writer) &&
		sqlite3_get_autocommit(store->db))
		writer->err = xs_error_create("%s: %s", store->path, store->ended_by);
}

static void begin(struct ora_writer *writer)
{
	look_for_end(writer);
	if (writer->store->in_batch || ora_writer_stuck(writer))
		return;
	run(writer, "BEGIN IMMEDIATE");
	writer->store->in_batch = !writer->err;
	writer->store->batch_stops = 0;
	clock_gettime(CLOCK_MONOTONIC, &writer->store->batch_began);
}

static void commit(struct ora_writer *writer)
{
	look_for_end(writer);
	if (!writer->store->in_batch || ora_writer_stuck(writer))
		return;
	run(writer, "COMMIT");
	writer->store->in_batch = writer->err;
}

/* The statement with the trace as its first parameter. */
sqlite3_stmt *ora_writer_start(struct ora_writer *writer, enum insertion which)
{
	begin(writer);
	sqlite3_stmt *statement = writer->statement[which];
	if (!statement && !ora_writer_stuck(writer)) {
		writer->err = ora_store_prepare(writer->store, statements[which], &statement);
		writer->statement[which] = statement;
	}
	if (ora_writer_stuck(writer))
		return NULL;
	sqlite3_clear_bindings(statement);
	sqlite3_bind_int64(statement, 1, writer->trace);
	return statement;
}

void ora_writer_done(struct ora_writer *writer, sqlite3_stmt *statement)
{
	if (sqlite3_step(statement) != SQLITE_DONE)
		fail(writer);
	sqlite3_reset(statement);
}

/* --- texts ------------------------------------------------------------------------------------ */

/* The number of a text in this writer, 0 for NULL. */
void ora_writer_limit(struct ora_writer *writer, const char *text)
{
	if (strlen(text) > ORA_STORE_TEXT_MAX && !writer->err)
		writer->err = xs_error_create("%s: a text of %zu bytes, and a store keeps at most "
					      "%d: `%.40s...`",
			writer->store->path, strlen(text), ORA_STORE_TEXT_MAX, text);
}

uint32_t ora_writer_text(struct ora_writer *writer, const char *text)
{
	bool fresh;
	if (!text)
		return 0;
	uint32_t number = ora_intern(&writer->texts, text, strlen(text), &fresh);
	if (!fresh)
		return number;
	ora_writer_limit(writer, text);
	int64_t id = 0;
	sqlite3_stmt *statement = ora_writer_start(writer, FIND_TEXT);
	if (statement) {
		ora_bind_text(statement, 1, text);
		int code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			id = sqlite3_column_int64(statement, 0);
		else if (code != SQLITE_DONE)
			fail(writer);
		sqlite3_reset(statement);
	}
	if (!id && (statement = ora_writer_start(writer, INSERT_TEXT))) {
		ora_bind_text(statement, 1, text);
		ora_writer_done(writer, statement);
		id = sqlite3_last_insert_rowid(writer->store->db);
	}
	xs_vec_push(&writer->text_ids, id);
	return number;
}

/* Its id in the file, 0 for NULL. */
uint64_t ora_writer_text_id(struct ora_writer *writer, const char *text)
{
	uint32_t number = ora_writer_text(writer, text);
	return number ? (uint64_t)writer->text_ids.data[number - 1] : 0;
}

/* --- places and transitions ------------------------------------------------------------------- */

uint32_t ora_writer_find_place(struct ora_writer *writer, const char *module, xs_addr address)
{
	const uint64_t *number =
		xs_map_find(&writer->places, ora_writer_text(writer, module), address);
	return number ? (uint32_t)*number : 0;
}

uint32_t ora_writer_place(struct ora_writer *writer, const struct ora_store_place *place)
{
	uint64_t *number =
		xs_map_at(&writer->places, ora_writer_text(writer, place->module), place->address);
	if (*number)
		return (uint32_t)*number;
	xs_vec_push(&writer->addresses, place->address);
	xs_vec_push(&writer->modules, ora_writer_text(writer, place->module));
	*number = writer->addresses.len;
	uint32_t ret = (uint32_t)*number;
	struct site_key key = {.function = ora_writer_text_id(writer, place->function),
		.entry = place->function ? place->address - (uint64_t)place->offset : 0,
		.file = ora_writer_text_id(writer, place->file),
		.line = place->line,
		.column = place->column,
		.inlined = ora_writer_text_id(writer, place->inlined),
		.has_row = place->has_row};
	xs_vec_push(&writer->place_sites, key);
	bool fresh;
	uint32_t site = ora_intern(&writer->sites, &key, sizeof key, &fresh);
	sqlite3_stmt *statement;
	if (fresh && (statement = ora_writer_start(writer, INSERT_SITE))) {
		ora_bind(statement, 2, site);
		ora_bind_reference(statement, 3, key.function);
		if (key.function)
			ora_bind(statement, 4, key.entry);
		ora_bind_reference(statement, 5, key.file);
		if (key.has_row) {
			ora_bind(statement, 6, key.line);
			ora_bind(statement, 7, key.column);
		}
		ora_bind_reference(statement, 8, key.inlined);
		ora_writer_done(writer, statement);
	}
	if ((statement = ora_writer_start(writer, INSERT_PLACE))) {
		ora_bind(statement, 2, ret);
		ora_bind_reference(statement, 3, ora_writer_text_id(writer, place->module));
		ora_bind(statement, 4, place->address);
		ora_bind(statement, 5, site);
		ora_writer_done(writer, statement);
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
	sqlite3_stmt *statement = ora_writer_start(writer, INSERT_TRANSITION);
	if (statement) {
		ora_bind(statement, 2, ret + 1);
		ora_bind_reference(statement, 3, prev);
		ora_bind(statement, 4, place);
		ora_bind_reference(statement, 5, first);
		ora_writer_done(writer, statement);
	}
	return ret;
}

void ora_writer_transition(
	struct ora_writer *writer, uint32_t prev, uint32_t place, uint64_t count, uint64_t first)
{
	if (ora_writer_stuck(writer))
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
		if (!transition->changed ||
			!(statement = ora_writer_start(writer, UPDATE_TRANSITION)))
			continue;
		ora_bind(statement, 2, i + 1);
		ora_bind_reference(statement, 3, transition->count);
		ora_bind_reference(statement, 4, transition->first);
		ora_writer_done(writer, statement);
	}
}

/* --- the order of execution ------------------------------------------------------------------- */

static void store_piece(struct ora_writer *writer)
{
	if (!writer->piece_count || ora_writer_stuck(writer))
		return;
	uLongf size = compressBound(writer->piece.len);
	XS_AUTO_FREE unsigned char *packed = xs_calloc(size, 1);
	xs_assert(compress2(packed, &size, writer->piece.data, writer->piece.len, 9) == Z_OK);
	sqlite3_stmt *statement = ora_writer_start(writer, INSERT_EXECUTION);
	if (statement) {
		ora_bind(statement, 2, writer->piece_first);
		ora_bind(statement, 3, writer->piece_count);
		sqlite3_bind_blob(statement, 4, packed, (int)size, SQLITE_STATIC);
		ora_writer_done(writer, statement);
	}
	writer->piece.len = 0;
	writer->piece_count = 0;
}

void ora_writer_order(struct ora_writer *writer, uint32_t prev, uint32_t place)
{
	if (ora_writer_stuck(writer))
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

/* --- stops ------------------------------------------------------------------------------------ */

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
	if (ora_writer_stuck(writer))
		return;
	struct frame_key key = {.function = ora_writer_text_id(writer, frame->function),
		.file = ora_writer_text_id(writer, frame->file),
		.line = frame->line,
		.column = frame->column,
		.inlined = (frame->inlined ? ORA_FRAME_INLINED : 0) |
			   (frame->tail ? ORA_FRAME_TAIL : 0),
		.module = ora_writer_text_id(writer, frame->module),
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
	if (fresh && (statement = ora_writer_start(writer, INSERT_FRAME))) {
		ora_bind(statement, 2, number);
		ora_bind_reference(statement, 3, key.function);
		ora_bind_reference(statement, 4, key.file);
		ora_bind(statement, 5, key.line);
		ora_bind(statement, 6, key.column);
		ora_bind(statement, 7, key.inlined);
		ora_bind_reference(statement, 8, key.module);
		if (key.address != XS_ADDR_NONE)
			ora_bind(statement, 9, key.address);
		ora_writer_done(writer, statement);
	}
	xs_vec_push(&writer->stop_frames, number);
}

void ora_writer_frames(struct ora_writer *writer, unsigned count)
{
	writer->frame_count = count;
}

void ora_writer_note(struct ora_writer *writer, const char *text)
{
	writer->note = (int64_t)ora_writer_text_id(writer, text);
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
		sqlite3_stmt *statement = ora_writer_start(writer, INSERT_STACK);
		if (statement) {
			ora_bind(statement, 2, *number);
			ora_bind(statement, 3, frame);
			ora_bind_reference(statement, 4, outer);
			ora_bind(statement, 5, depth);
			ora_writer_done(writer, statement);
		}
		outer = (uint32_t)*number;
	}
	return outer;
}

static bool batch_is_full(const struct ora_writer *writer)
{
	struct timespec now;
	if (writer->store->batch_stops >= BATCH_STOPS)
		return true;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - writer->store->batch_began.tv_sec) * 1000 +
		       (now.tv_nsec - writer->store->batch_began.tv_nsec) / 1000000 >=
	       BATCH_MS;
}

struct xs_error *ora_writer_stop_end(struct ora_writer *writer)
{
	if (ora_writer_stuck(writer))
		return take_error(writer);
	size_t transition = transition_at(writer, writer->prev, writer->place, writer->number);
	uint32_t stack = stack_of(writer);
	ora_writer_make_facts(writer);
	if (writer->reg_text.len)
		ora_buffer_put(&writer->reg_text, "}");
	sqlite3_stmt *statement = ora_writer_start(writer, INSERT_STOP);
	if (statement) {
		ora_bind(statement, 2, writer->number);
		ora_bind(statement, 3, transition + 1);
		ora_bind(statement, 4, writer->n);
		ora_bind_reference(
			statement, 5, writer->stop_frames.len ? writer->stop_frames.data[0] : 0);
		ora_bind_reference(statement, 6, stack);
		if (!writer->stop_frames.len)
			ora_bind(statement, 7, writer->frame_count);
		ora_bind_reference(statement, 8, (uint64_t)writer->note);
		if (writer->reg_text.len)
			ora_bind_text(statement, 9, writer->reg_text.data);
		if (writer->facts.len)
			ora_bind_text(statement, 10, writer->facts.data);
		ora_writer_done(writer, statement);
	}
	writer->sampled++;
	writer->store->batch_stops++;
	if (batch_is_full(writer))
		commit(writer);
	return take_error(writer);
}

void ora_writer_coverage(struct ora_writer *writer, const char *kind, const char *name,
	uint64_t selected, uint64_t evaluated)
{
	sqlite3_stmt *statement = ora_writer_start(writer, INSERT_COVERAGE);
	if (!statement)
		return;
	ora_bind_text(statement, 2, kind);
	ora_bind_text(statement, 3, name);
	ora_bind(statement, 4, selected);
	ora_bind(statement, 5, evaluated);
	ora_writer_done(writer, statement);
}

/* --- beginning and end ------------------------------------------------------------------------ */

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
	ora_bind_text(add, 1, subject->path);
	ora_bind_text(add, 2, subject->build_id);
	ora_bind_text(add, 3, subject->hash);
	ora_bind_text(add, 4, subject->producer);
	ora_bind_text(add, 5, subject->flags);
	sqlite3_bind_int(add, 6, subject->dwarf_version);
	if (sqlite3_step(add) != SQLITE_DONE)
		return ora_store_error(store);
	ora_bind_text(find, 1, subject->path);
	ora_bind_text(find, 2, subject->hash);
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
	ora_bind_text(add, 2, trace->witness);
	ora_bind_text(add, 3, trace->version);
	ora_bind_text(add, 4, trace->mode);
	ora_bind_text(add, 5, trace->level);
	ora_bind_text(add, 6, trace->sample);
	ora_bind(add, 7, trace->seed);
	ora_bind_text(add, 8, trace->arguments);
	ora_bind_text(add, 9, trace->from);
	ora_bind_text(add, 10, trace->vars);
	ora_bind(add, 11, trace->frames);
	ora_bind(add, 12, trace->regs);
	ora_bind(add, 13, trace->max_leaves);
	ora_bind_text(add, 14, host);
	ora_bind_text(add, 15, now);
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
	ora_writer_saying(
		writer, &(struct saying_key){.state = ORA_STATE_VALUE, .form = FORM_NUMBER});
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
	if (!ora_writer_stuck(writer))
		writer->err = ora_store_prepare(writer->store, sql, &statement);
	if (!ora_writer_stuck(writer)) {
		now_text(now, sizeof now);
		sqlite3_bind_int64(statement, 1, writer->trace);
		ora_bind_text(statement, 2, now);
		ora_bind_text(statement, 3, end->how);
		ora_bind(statement, 4, end->complete);
		ora_bind_text(statement, 5, end->trouble);
		ora_bind(statement, 6, end->stops);
		ora_bind(statement, 7, writer->sampled);
		ora_bind(statement, 8, end->cut);
		ora_writer_done(writer, statement);
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
	if (writer->store->in_batch && !sqlite3_get_autocommit(writer->store->db))
		sqlite3_exec(writer->store->db, "ROLLBACK", NULL, NULL, NULL);
	xs_error_destroy(writer->err);
	ora_intern_deinit(&writer->texts);
	ora_intern_deinit(&writer->sites);
	ora_intern_deinit(&writer->frames);
	ora_intern_deinit(&writer->variables);
	ora_intern_deinit(&writer->leaves);
	ora_intern_deinit(&writer->sayings);
	ora_intern_deinit(&writer->values);
	ora_intern_deinit(&writer->whys);
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
