#include "cli/report/campaign_rows.h"

#include "oracle/session/json_text.h"

typedef struct ora_campaign_answer answer_t;

const char *cli_rows_cell(const answer_t *answer, size_t row, size_t column)
{
	const char *text = ora_campaign_cell(answer, row, column);
	return text ? text : "";
}

json_t *cli_rows_object(const answer_t *answer, size_t row, const char *keys)
{
	json_t *object = json_object();
	for (size_t i = 0; i < answer->columns && *keys; i++) {
		size_t length = strcspn(keys, " ");
		XS_AUTO_FREE char *key = xs_asprintf("%.*s", (int)length, keys);
		const char *cell = ora_campaign_cell(answer, row, i);
		if (*key == '#')
			json_object_set_new(object, key + 1,
				!cell                 ? json_null()
				: strpbrk(cell, ".e") ? json_real(strtod(cell, NULL))
						      : json_integer(strtoll(cell, NULL, 10)));
		else if (*key != '-')
			json_object_set_new(object, key, ora_json_text(cell));
		keys += length + (keys[length] == ' ');
	}
	return object;
}

json_t *cli_rows_array(const answer_t *answer, const char *keys)
{
	json_t *rows = json_array();
	for (size_t i = 0; i < ora_campaign_rows(answer); i++)
		json_array_append_new(rows, cli_rows_object(answer, i, keys));
	return rows;
}

struct xs_error *cli_rows_put(json_t *object, const char *key, struct ora_campaign_store *store,
	enum ora_campaign_question question, const char *about, const char *keys)
{
	answer_t answer;
	struct xs_error *err = ora_campaign_ask(store, question, about, &answer);
	if (!err)
		json_object_set_new(object, key, cli_rows_array(&answer, keys));
	ora_campaign_answer_deinit(&answer);
	return err;
}

/* --- signatures ------------------------------------------------------------------------------- */

struct xs_error *cli_campaign_known(const struct xs_strings *files, struct ora_known *ret)
{
	struct xs_error *err = NULL;
	ora_known_shipped(ret);
	for (size_t i = 0; !err && i < files->vec.len; i++)
		err = ora_known_load(ret, files->vec.data[i]);
	return err;
}

struct xs_error *cli_rows_signatures(
	struct ora_campaign_store *store, const struct ora_known *known, answer_t *ret)
{
	struct xs_error *err = ora_campaign_ask(store, ORA_ASK_SIGNATURES, NULL, ret);
	for (size_t i = 0; !err && i < ora_campaign_rows(ret); i++) {
		char *reference = ora_known_find(known, cli_rows_cell(ret, i, CLI_SIGNATURE_TEXT));
		char **kept = &ret->cells.data[i * ret->columns + CLI_SIGNATURE_KNOWN];
		if (!reference)
			continue;
		free(*kept);
		*kept = reference;
	}
	return err;
}

json_t *cli_rows_signature(const answer_t *all, size_t row)
{
	json_t *object = cli_rows_object(all, row,
		"id signature basis wrong oracle #count #programs #builds compilers known");
	json_t *exemplar = cli_rows_object(
		all, row, "- - - - - - - - - - program origin #size compiler level finding");
	json_object_set_new(object, "exemplar", exemplar);
	return object;
}

json_t *cli_rows_exemplars(const answer_t *exemplars)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ora_campaign_rows(exemplars); i++) {
		json_t *one = cli_rows_object(exemplars, i,
			"which program origin #size flags compiler level oracle finding function "
			"#line variable -");
		const char *text = cli_rows_cell(exemplars, i, exemplars->columns - 1);
		json_t *report = json_loads(text, 0, NULL);
		json_object_set_new(one, "report", report ? report : json_null());
		json_array_append_new(list, one);
	}
	return list;
}
