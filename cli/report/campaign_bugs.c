#include "cli/report/campaign_bugs.h"

#include "base/shown.h"
#include "cli/report/campaign_rows.h"
#include "oracle/session/json_text.h"

typedef struct ora_campaign_answer answer_t;

/* Columns of ORA_ASK_CAUSES. */
enum {
	C_SIGNATURE,
	C_STAGE,
	C_OUTCOME,
	C_REASON,
	C_FILE,
	C_LINES,
	C_BYTES,
	C_SAMENESS,
	C_CULPRIT,
	C_VECTOR,
	C_SECONDS
};

static const char *about(const struct cli_bugs *bugs, size_t row, enum cli_signature_column column)
{
	return cli_rows_cell(bugs->signatures, row, column);
}

/* The row of a signature's stage; the number of rows: there is none. */
static size_t find(const struct cli_bugs *bugs, const char *id, const char *stage)
{
	size_t row = 0;
	while (row < ora_campaign_rows(&bugs->causes) &&
		(strcmp(cli_rows_cell(&bugs->causes, row, C_SIGNATURE), id) != 0 ||
			strcmp(cli_rows_cell(&bugs->causes, row, C_STAGE), stage) != 0))
		row++;
	return row;
}

/* A cell of a cause; "": there is none. */
static const char *cell_of(const struct cli_bugs *bugs, size_t at, size_t column)
{
	return at < ora_campaign_rows(&bugs->causes) ? cli_rows_cell(&bugs->causes, at, column)
						     : "";
}

static const char *reduced(const struct cli_bugs *bugs, size_t row, size_t column)
{
	return cell_of(bugs, bugs->reduced.data[row], column);
}

static const char *culprit(const struct cli_bugs *bugs, size_t row, size_t column)
{
	return cell_of(bugs, bugs->culprits.data[row], column);
}

/* --- which are one ---------------------------------------------------------------------------- */

/* How long a signature is without its features. */
static size_t symptom(const char *text)
{
	const char *bracket = strstr(text, " [");
	return bracket ? (size_t)(bracket - text) : strlen(text);
}

static bool is_same(const struct cli_bugs *bugs, size_t one, size_t other)
{
	const char *text = about(bugs, one, CLI_SIGNATURE_TEXT);
	const char *who = culprit(bugs, one, C_CULPRIT);
	const char *sameness = reduced(bugs, one, C_SAMENESS);
	if (strcmp(about(bugs, one, CLI_SIGNATURE_WRONG),
		    about(bugs, other, CLI_SIGNATURE_WRONG)) != 0)
		return false;
	if (*sameness && !strcmp(reduced(bugs, one, C_OUTCOME), "done") &&
		!strcmp(reduced(bugs, other, C_OUTCOME), "done") &&
		!strcmp(sameness, reduced(bugs, other, C_SAMENESS)))
		return true;
	return *who && !strcmp(who, culprit(bugs, other, C_CULPRIT)) &&
	       !strcmp(about(bugs, one, CLI_SIGNATURE_ORACLE),
		       about(bugs, other, CLI_SIGNATURE_ORACLE)) &&
	       symptom(text) == symptom(about(bugs, other, CLI_SIGNATURE_TEXT)) &&
	       !strncmp(text, about(bugs, other, CLI_SIGNATURE_TEXT), symptom(text));
}

/* What is the same as two others makes these one. */
static void join(struct cli_bugs *bugs, size_t one, size_t other)
{
	size_t a = bugs->first.data[one], b = bugs->first.data[other];
	size_t least = a < b ? a : b, most = a < b ? b : a;
	for (size_t i = 0; i < bugs->first.len; i++)
		if (bugs->first.data[i] == most)
			bugs->first.data[i] = least;
}

/* Rows of signatures of which causes are known: only these can be joined. */
struct rows {
	XS_VEC(size_t) vec;
};

static void find_known(const struct cli_bugs *bugs, struct rows *ret)
{
	for (size_t i = 0; i < bugs->first.len; i++)
		if (*culprit(bugs, i, C_CULPRIT) || *reduced(bugs, i, C_SAMENESS))
			xs_vec_push(&ret->vec, i);
}

struct xs_error *cli_bugs_load(
	struct ora_campaign_store *store, const answer_t *signatures, struct cli_bugs *ret)
{
	struct rows known = {0};
	*ret = (struct cli_bugs){.signatures = signatures};
	struct xs_error *err = ora_campaign_ask(store, ORA_ASK_CAUSES, NULL, &ret->causes);
	for (size_t i = 0; !err && i < ora_campaign_rows(signatures); i++) {
		const char *id = about(ret, i, CLI_SIGNATURE_ID);
		xs_vec_push(&ret->first, i);
		xs_vec_push(&ret->reduced, find(ret, id, "reduce"));
		xs_vec_push(&ret->culprits, find(ret, id, "culprit"));
	}
	if (!err)
		find_known(ret, &known);
	for (size_t i = 0; i < known.vec.len; i++)
		for (size_t k = 0; k < i; k++)
			if (is_same(ret, known.vec.data[k], known.vec.data[i]))
				join(ret, known.vec.data[k], known.vec.data[i]);
	xs_vec_deinit(&known.vec);
	return err;
}

void cli_bugs_deinit(struct cli_bugs *bugs)
{
	ora_campaign_answer_deinit(&bugs->causes);
	xs_vec_deinit(&bugs->first);
	xs_vec_deinit(&bugs->reduced);
	xs_vec_deinit(&bugs->culprits);
}

/* --- as text ---------------------------------------------------------------------------------- */

/* What a stage says that is not done, without what all of them say. */
static const char *complaint(const char *reason)
{
	static const char usual[] = "exit status 2: xstep: ";
	return strncmp(reason, usual, strlen(usual)) != 0 ? reason : reason + strlen(usual);
}

/* The levels, compilers and debuggers with which a finding is there, or is not. */
static void print_names(FILE *out, const json_t *vector, const char *end, const char *words)
{
	static const char *const kinds[] = {"level", "compiler", "debugger"};
	bool first = true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const json_t *names = json_object_get(json_object_get(vector, kinds[i]), end);
		for (size_t k = 0; k < json_array_size(names); k++) {
			const char *name = json_string_value(json_array_get(names, k));
			xs_print(out, "%s%s", first ? words : ", ", name ? name : "?");
			first = false;
		}
	}
}

static void print_culprit(FILE *out, const struct cli_bugs *bugs, size_t row)
{
	const char *outcome = culprit(bugs, row, C_OUTCOME);
	const char *name = culprit(bugs, row, C_CULPRIT);
	const char *reason = complaint(culprit(bugs, row, C_REASON));
	json_t *vector = json_loads(culprit(bugs, row, C_VECTOR), 0, NULL);
	if (!*outcome)
		return;
	xs_print(out, "     culprit: %s%s%s", *name ? name : outcome, !*name && *reason ? ": " : "",
		*name ? "" : reason);
	putc('\n', out);
	if (vector) {
		fputs("     versions:", out);
		print_names(out, vector, "found", " found with ");
		print_names(out, vector, "gone", "; gone with ");
		putc('\n', out);
	}
	json_decref(vector);
}

void cli_bugs_print(FILE *out, const struct cli_bugs *bugs, size_t row)
{
	const char *outcome = reduced(bugs, row, C_OUTCOME);
	const char *reason = complaint(reduced(bugs, row, C_REASON));
	const char *file = reduced(bugs, row, C_FILE);
	bool done = !strcmp(outcome, "done");
	print_culprit(out, bugs, row);
	if (*outcome) {
		xs_print(out, "     reduced: %s%s%s", done ? "" : outcome, *reason ? ": " : "",
			reason);
		if (*file)
			xs_print(out, "%s%s lines, %s bytes, %s", done ? "" : "; so far ",
				reduced(bugs, row, C_LINES), reduced(bugs, row, C_BYTES), file);
		putc('\n', out);
	}
	if (!*file && (*outcome || *culprit(bugs, row, C_OUTCOME)))
		xs_print(out, "     folder: signatures/%s\n", about(bugs, row, CLI_SIGNATURE_ID));
}

/* --- as JSON ---------------------------------------------------------------------------------- */

/* A cause as an object; null: there is none. */
static json_t *cause_json(const struct cli_bugs *bugs, size_t at, const char *keys)
{
	return at < ora_campaign_rows(&bugs->causes) ? cli_rows_object(&bugs->causes, at, keys)
						     : json_null();
}

void cli_bugs_put(json_t *object, const struct cli_bugs *bugs, size_t row)
{
	json_t *one = cause_json(
		bugs, bugs->culprits.data[row], "- - outcome reason - - - - name - #seconds");
	json_t *vector = json_loads(culprit(bugs, row, C_VECTOR), 0, NULL);
	if (json_is_object(one))
		json_object_set(one, "where", vector ? vector : json_null());
	json_object_set_new(object, "culprit", one);
	json_object_set_new(object, "reduced",
		cause_json(bugs, bugs->reduced.data[row],
			"- - outcome reason file #lines #bytes - - - #seconds"));
	json_decref(vector);
}

/* The first of some rows of which a column of causes has something, or "". */
static const char *any(const struct cli_bugs *bugs, const size_t *rows, size_t count,
	const char *(*ask)(const struct cli_bugs *bugs, size_t row, size_t column), size_t column)
{
	const char *text = "";
	for (size_t i = 0; !*text && i < count; i++)
		text = ask(bugs, rows[i], column);
	return text;
}

static json_t *text_or_null(const char *text)
{
	return *text ? ora_json_text(text) : json_null();
}

static json_t *number_or_null(const char *text)
{
	return *text ? json_integer(strtoll(text, NULL, 10)) : json_null();
}

json_t *cli_bugs_json(const struct cli_bugs *bugs, const size_t *rows, size_t count)
{
	json_t *object = cli_rows_object(
		bugs->signatures, rows[0], "id signature basis wrong oracle - - - compilers known");
	json_t *ids = json_array();
	json_int_t found = 0;
	for (size_t i = 0; i < count; i++) {
		json_array_append_new(ids, ora_json_text(about(bugs, rows[i], CLI_SIGNATURE_ID)));
		found += strtoll(about(bugs, rows[i], CLI_SIGNATURE_COUNT), NULL, 10);
	}
	json_object_set_new(object, "signatures", ids);
	json_object_set_new(object, "count", json_integer(found));
	json_object_set_new(
		object, "culprit", text_or_null(any(bugs, rows, count, culprit, C_CULPRIT)));
	const char *vector = any(bugs, rows, count, culprit, C_VECTOR);
	json_object_set_new(object, "where", *vector ? json_loads(vector, 0, NULL) : json_null());
	json_object_set_new(object, "file", text_or_null(any(bugs, rows, count, reduced, C_FILE)));
	json_object_set_new(
		object, "lines", number_or_null(any(bugs, rows, count, reduced, C_LINES)));
	json_object_set_new(
		object, "bytes", number_or_null(any(bugs, rows, count, reduced, C_BYTES)));
	XS_AUTO_FREE char *folder =
		xs_asprintf("signatures/%s", about(bugs, rows[0], CLI_SIGNATURE_ID));
	json_object_set_new(object, "folder", ora_json_text(folder));
	return object;
}
