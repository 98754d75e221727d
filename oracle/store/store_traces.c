/* store_traces.c - which traces a store holds, and how they were made. */
#include "base/map.h"
#include "oracle/store/checked.h"

enum { ARGUMENTS_MAX = 16 << 20 }; /* bytes: more than a kernel takes */

void ora_trace_list_deinit(struct ora_trace_list *list)
{
	for (size_t i = 0; i < list->texts.len; i++)
		free(list->texts.data[i]);
	xs_vec_deinit(&list->texts);
	xs_vec_deinit(&list->vec);
}

/* A copy of a text that the list owns; NULL stays NULL. */
static const char *keep(struct ora_trace_list *list, const char *text)
{
	if (!text)
		return NULL;
	xs_vec_push(&list->texts, xs_strdup(text));
	return list->texts.data[list->texts.len - 1];
}

static const char *text_or_null(struct ora_trace_list *list, struct ora_checked *row, int column)
{
	return keep(list, ora_checked_long_text_or_null(row, column));
}

static const char *text_of(struct ora_trace_list *list, struct ora_checked *row, int column)
{
	const char *text = text_or_null(list, row, column);
	if (!text)
		row->wrong = "nothing where a text should be";
	return text ? text : "";
}

static struct xs_error *damaged(const struct ora_store *store, const char *what)
{
	return xs_error_corrupt("%s: damaged: %s", store->path, what);
}

/* --- subjects --------------------------------------------------------------------------------- */

/* Executables, each once, however many traces there are of it. */
struct subjects {
	struct xs_map index; /* id -> index, plus 1 */
	XS_VEC(struct ora_store_subject) vec;
};

static struct xs_error *load_subjects(
	struct ora_store *store, struct subjects *subjects, struct ora_trace_list *list)
{
	ORA_AUTO_STATEMENT statement = NULL;
	int code;
	struct xs_error *err = ora_store_prepare(store,
		"SELECT id, path, build_id, hash, producer, flags, dwarf_version FROM subject",
		&statement);
	if (err)
		return err;
	struct ora_checked row = {.statement = statement};
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		uint64_t *index = xs_map_at(&subjects->index, ora_checked_bits(&row, 0), 0);
		if (*index)
			return damaged(store, "a subject that is there twice");
		struct ora_store_subject one = {text_of(list, &row, 1), text_or_null(list, &row, 2),
			text_of(list, &row, 3), text_or_null(list, &row, 4),
			text_or_null(list, &row, 5),
			(int)ora_checked_number_or_null(&row, 6, INT32_MAX)};
		if (row.wrong)
			return damaged(store, row.wrong);
		xs_vec_push(&subjects->vec, one);
		*index = subjects->vec.len;
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(store);
}

/* --- traces ----------------------------------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

/* What others rely on, and run programs by. */
static const char *wrong_words(const struct ora_store_trace *trace)
{
	static const char *const levels[] = {"instruction", "line", "break", NULL};
	static const char *const vars[] = {"none", "locals", "all", NULL};
	/* A name, never a path: `gdb`, `gdb:print`. */
	if (!*trace->witness ||
		trace->witness[strspn(trace->witness, "abcdefghijklmnopqrstuvwxyz0123456789:-_")])
		return "a witness that cannot be one";
	if (!is_one_of(trace->level, levels))
		return "an unknown level";
	if (!is_one_of(trace->vars, vars))
		return "unknown variables that are told";
	return strlen(trace->arguments) > ARGUMENTS_MAX ? "arguments without an end" : NULL;
}

static struct ora_trace_info info_of(struct ora_trace_list *list, struct ora_checked *row)
{
	return (struct ora_trace_info){.id = ora_checked_bits(row, 0),
		.trace = {.witness = text_of(list, row, 2),
			.version = text_of(list, row, 3),
			.mode = text_or_null(list, row, 4),
			.level = text_of(list, row, 5),
			.sample = text_of(list, row, 6),
			.seed = ora_checked_bits(row, 7),
			.arguments = text_of(list, row, 8),
			.from = text_or_null(list, row, 9),
			.vars = text_of(list, row, 10),
			.frames = ora_checked_bits(row, 11),
			.regs = ora_checked_bits(row, 12),
			.max_leaves = ora_checked_bits(row, 13)},
		.host = text_of(list, row, 14),
		.began = text_of(list, row, 15),
		.ended = text_or_null(list, row, 16),
		.end = {.complete = ora_checked_bits(row, 17),
			.how = text_or_null(list, row, 18),
			.trouble = text_or_null(list, row, 19),
			.stops = ora_checked_number_or_null(row, 20, INT64_MAX),
			.cut = ora_checked_number_or_null(row, 21, INT64_MAX)},
		.sampled = ora_checked_number(row, 22, INT64_MAX),
		.transitions = ora_checked_number(row, 23, INT64_MAX)};
}

static struct xs_error *load_traces(
	struct ora_store *store, const struct subjects *subjects, struct ora_trace_list *list)
{
	static const char sql[] =
		"SELECT trace.id, subject, witness, version, mode, level, sample, seed, arguments, "
		"begin_at, vars, frames, regs, max_leaves, host, began, ended, complete, how, "
		"trouble, executed, cut, "
		"(SELECT count(*) FROM stop WHERE stop.trace = trace.id), "
		"(SELECT count(*) FROM transition WHERE transition.trace = trace.id) "
		"FROM trace ORDER BY trace.id";
	ORA_AUTO_STATEMENT statement = NULL;
	int code;
	struct xs_error *err = ora_store_prepare(store, sql, &statement);
	if (err)
		return err;
	struct ora_checked row = {.statement = statement};
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		const uint64_t *subject =
			xs_map_find(&subjects->index, ora_checked_bits(&row, 1), 0);
		struct ora_trace_info info = info_of(list, &row);
		const char *wrong = row.wrong  ? row.wrong
				    : !subject ? "a trace of no subject"
					       : wrong_words(&info.trace);
		if (!wrong && list->vec.len &&
			(int64_t)info.id <= (int64_t)list->vec.data[list->vec.len - 1].id)
			wrong = "traces that are not in their order";
		if (wrong)
			return damaged(store, wrong);
		info.subject = subjects->vec.data[*subject - 1];
		xs_vec_push(&list->vec, info);
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(store);
}

struct xs_error *ora_store_traces(struct ora_store *store, struct ora_trace_list *ret)
{
	struct subjects subjects = {0};
	ora_store_allow(store);
	struct xs_error *err = load_subjects(store, &subjects, ret);
	if (!err)
		err = load_traces(store, &subjects, ret);
	xs_map_deinit(&subjects.index);
	xs_vec_deinit(&subjects.vec);
	return err;
}
