/* store_traces.c - which traces a store holds, and how they were made. */
#include "oracle/store/store_db.h"

void ora_trace_list_deinit(struct ora_trace_list *list)
{
	for (size_t i = 0; i < list->texts.len; i++)
		free(list->texts.data[i]);
	xs_vec_deinit(&list->texts);
	xs_vec_deinit(&list->vec);
}

/* A copy of a column that the list owns. */
static const char *column_copy(struct ora_trace_list *list, sqlite3_stmt *row, int column)
{
	const char *text = ora_column_text(row, column);
	if (!text)
		return NULL;
	xs_vec_push(&list->texts, xs_strdup(text));
	return list->texts.data[list->texts.len - 1];
}

struct xs_error *ora_store_traces(struct ora_store *store, struct ora_trace_list *ret)
{
	static const char sql[] =
		"SELECT trace.id, path, build_id, hash, producer, flags, dwarf_version, witness, "
		"version, mode, level, sample, seed, arguments, begin_at, vars, frames, regs, "
		"max_leaves, host, began, ended, complete, how, trouble, executed, cut, "
		"(SELECT count(*) FROM stop WHERE stop.trace = trace.id), "
		"(SELECT count(*) FROM transition WHERE transition.trace = trace.id) "
		"FROM trace JOIN subject ON subject.id = trace.subject ORDER BY trace.id";
	ORA_AUTO_STATEMENT row = NULL;
	int code;
	struct xs_error *err = ora_store_prepare(store, sql, &row);
	if (err)
		return err;
	while ((code = sqlite3_step(row)) == SQLITE_ROW) {
		struct ora_trace_info info = {.id = (uint64_t)sqlite3_column_int64(row, 0),
			.subject = {column_copy(ret, row, 1), column_copy(ret, row, 2),
				column_copy(ret, row, 3), column_copy(ret, row, 4),
				column_copy(ret, row, 5), sqlite3_column_int(row, 6)},
			.trace = {.witness = column_copy(ret, row, 7),
				.version = column_copy(ret, row, 8),
				.mode = column_copy(ret, row, 9),
				.level = column_copy(ret, row, 10),
				.sample = column_copy(ret, row, 11),
				.seed = (uint64_t)sqlite3_column_int64(row, 12),
				.arguments = column_copy(ret, row, 13),
				.from = column_copy(ret, row, 14),
				.vars = column_copy(ret, row, 15),
				.frames = sqlite3_column_int(row, 16),
				.regs = sqlite3_column_int(row, 17),
				.max_leaves = (uint64_t)sqlite3_column_int64(row, 18)},
			.host = column_copy(ret, row, 19),
			.began = column_copy(ret, row, 20),
			.ended = column_copy(ret, row, 21),
			.end = {.complete = sqlite3_column_int(row, 22),
				.how = column_copy(ret, row, 23),
				.trouble = column_copy(ret, row, 24),
				.stops = (uint64_t)sqlite3_column_int64(row, 25),
				.cut = (uint64_t)sqlite3_column_int64(row, 26)},
			.sampled = (uint64_t)sqlite3_column_int64(row, 27),
			.transitions = (uint64_t)sqlite3_column_int64(row, 28)};
		xs_vec_push(&ret->vec, info);
	}
	return code == SQLITE_DONE ? NULL : ora_store_error(store);
}
