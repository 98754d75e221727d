#include "cli/report/campaign_compare.h"

#include "base/shown.h"
#include "cli/report/campaign_rows.h"
#include "oracle/session/json_text.h"

typedef struct ora_campaign_answer answer_t;

/* One campaign's side. */
struct side {
	answer_t cells;   /* ORA_ASK_EVERY_CELL */
	answer_t results; /* ORA_ASK_RESULTS */
	answer_t builds;  /* ORA_ASK_BUILDS */
	answer_t versions, totals;
	json_t *counts; /* by `id\ncompiler\nlevel`: findings */
	json_t *asked;  /* by `oracle\ncompiler\nlevel`: there was a job that is done */
};

/* Columns of ORA_ASK_EVERY_CELL and ORA_ASK_RESULTS that are used. */
enum { C_ID, C_TEXT, C_ORACLE, C_COMPILER, C_LEVEL, C_FINDINGS };
enum { R_ORACLE, R_COMPILER, R_LEVEL, R_JOBS, R_TO_DO = 8 };

static char *key_of(const char *what, const char *compiler, const char *level)
{
	return xs_asprintf("%s\n%s\n%s", what, compiler, level);
}

static void note(json_t *object, const char *what, const char *compiler, const char *level,
	const char *number)
{
	XS_AUTO_FREE char *key = key_of(what, compiler, level);
	json_object_set_new_nocheck(object, key, json_integer(strtoll(number, NULL, 10)));
}

/* NULL: there is none. */
static json_t *noted(
	const json_t *object, const char *what, const char *compiler, const char *level)
{
	XS_AUTO_FREE char *key = key_of(what, compiler, level);
	return json_object_get(object, key);
}

static struct xs_error *load(struct side *side, struct ora_campaign_store *store)
{
	struct xs_error *err;
	side->counts = json_object();
	side->asked = json_object();
	if ((err = ora_campaign_ask(store, ORA_ASK_EVERY_CELL, NULL, &side->cells)) ||
		(err = ora_campaign_ask(store, ORA_ASK_RESULTS, NULL, &side->results)) ||
		(err = ora_campaign_ask(store, ORA_ASK_BUILDS, NULL, &side->builds)) ||
		(err = ora_campaign_ask(store, ORA_ASK_VERSIONS, NULL, &side->versions)) ||
		(err = ora_campaign_ask(store, ORA_ASK_TOTALS, NULL, &side->totals)))
		return err;
	for (size_t i = 0; i < ora_campaign_rows(&side->cells); i++)
		note(side->counts, cli_rows_cell(&side->cells, i, C_ID),
			cli_rows_cell(&side->cells, i, C_COMPILER),
			cli_rows_cell(&side->cells, i, C_LEVEL),
			cli_rows_cell(&side->cells, i, C_FINDINGS));
	for (size_t i = 0; i < ora_campaign_rows(&side->results); i++)
		if (strcmp(cli_rows_cell(&side->results, i, R_JOBS),
			    cli_rows_cell(&side->results, i, R_TO_DO)) != 0)
			note(side->asked, cli_rows_cell(&side->results, i, R_ORACLE),
				cli_rows_cell(&side->results, i, R_COMPILER),
				cli_rows_cell(&side->results, i, R_LEVEL), "1");
	/* Of compilers that crash nobody has to ask. */
	for (size_t i = 0; i < ora_campaign_rows(&side->builds); i++)
		note(side->asked, "build", cli_rows_cell(&side->builds, i, 0),
			cli_rows_cell(&side->builds, i, 1), "1");
	return NULL;
}

static void unload(struct side *side)
{
	ora_campaign_answer_deinit(&side->cells);
	ora_campaign_answer_deinit(&side->results);
	ora_campaign_answer_deinit(&side->builds);
	ora_campaign_answer_deinit(&side->versions);
	ora_campaign_answer_deinit(&side->totals);
	json_decref(side->counts);
	json_decref(side->asked);
}

/* --- versions --------------------------------------------------------------------------------- */

static const char *version_of(const struct side *side, const char *tool)
{
	for (size_t i = 0; i < ora_campaign_rows(&side->versions); i++)
		if (!strcmp(cli_rows_cell(&side->versions, i, 0), tool))
			return cli_rows_cell(&side->versions, i, 1);
	return NULL;
}

/* Tools of one side that the other has not, or has in another version; `both`: the latter, too. */
static void add_versions(json_t *list, const struct side *before, const struct side *now,
	const struct side *side, bool both)
{
	for (size_t i = 0; i < ora_campaign_rows(&side->versions); i++) {
		const char *tool = cli_rows_cell(&side->versions, i, 0);
		const char *was = version_of(before, tool), *is = version_of(now, tool);
		if (was && is && (!both || !strcmp(was, is)))
			continue;
		json_t *one = json_object();
		json_object_set_new(one, "tool", ora_json_text(tool));
		json_object_set_new(one, "before", ora_json_text(was));
		json_object_set_new(one, "now", ora_json_text(is));
		json_array_append_new(list, one);
	}
}

/* --- counts ----------------------------------------------------------------------------------- */

/* How many a side has in a build: a number, or null where nobody asked. */
static json_t *count_of(const struct side *side, const answer_t *cells, size_t row)
{
	const char *compiler = cli_rows_cell(cells, row, C_COMPILER);
	const char *level = cli_rows_cell(cells, row, C_LEVEL);
	json_t *count = noted(side->counts, cli_rows_cell(cells, row, C_ID), compiler, level);
	bool asked = noted(side->asked, cli_rows_cell(cells, row, C_ORACLE), compiler, level);
	return count ? json_incref(count) : asked ? json_integer(0) : json_null();
}

static const char *change_of(const json_t *before, const json_t *now)
{
	json_int_t was = json_integer_value(before), is = json_integer_value(now);
	if (json_is_null(before) || json_is_null(now))
		return "unasked"; /* rule 2 */
	return !was ? "came" : !is ? "gone" : is > was ? "more" : "fewer";
}

/* Rows of one side's cells; of the newer side those that both have were told before. */
static void add_changes(json_t *list, const struct side *before, const struct side *now,
	const answer_t *cells, bool told, const json_t *omit)
{
	for (size_t i = 0; i < ora_campaign_rows(cells); i++) {
		const char *id = cli_rows_cell(cells, i, C_ID);
		json_t *was = count_of(before, cells, i), *is = count_of(now, cells, i);
		if (!json_equal(was, is) && !(told && json_integer_value(was)) &&
			!json_object_get(omit, id)) {
			json_t *one =
				cli_rows_object(cells, i, "id signature oracle compiler level -");
			json_object_set_new(one, "change", json_string(change_of(was, is)));
			json_object_set(one, "before", was);
			json_object_set(one, "now", is);
			json_array_append_new(list, one);
		}
		json_decref(was);
		json_decref(is);
	}
}

struct xs_error *cli_compare(struct ora_campaign_store *older, struct ora_campaign_store *newer,
	const json_t *omit, struct cli_comparison *ret)
{
	struct side before = {0}, now = {0};
	struct xs_error *err = load(&before, older);
	if (!err && !(err = load(&now, newer))) {
		ret->versions = json_array();
		ret->changes = json_array();
		ret->programs = json_object();
		add_versions(ret->versions, &before, &now, &before, true);
		add_versions(ret->versions, &before, &now, &now, false);
		json_object_set_new(ret->programs, "before",
			json_integer(strtoll(cli_rows_cell(&before.totals, 0, 1), NULL, 10)));
		json_object_set_new(ret->programs, "now",
			json_integer(strtoll(cli_rows_cell(&now.totals, 0, 1), NULL, 10)));
		add_changes(ret->changes, &before, &now, &before.cells, false, omit);
		add_changes(ret->changes, &before, &now, &now.cells, true, omit);
	}
	unload(&before);
	unload(&now);
	return err;
}

void cli_comparison_deinit(struct cli_comparison *comparison)
{
	json_decref(comparison->versions);
	json_decref(comparison->programs);
	json_decref(comparison->changes);
}

/* --- as text ---------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key, const char *absent)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : absent;
}

/* A count; `-`: nobody asked. To be freed. */
static char *number_of(const json_t *object, const char *key)
{
	const json_t *number = json_object_get(object, key);
	return json_is_integer(number) ? xs_asprintf("%lld", (long long)json_integer_value(number))
				       : xs_strdup("-");
}

static void print_rows(FILE *out, const json_t *changes, const char *change)
{
	for (size_t i = 0; i < json_array_size(changes); i++) {
		const json_t *one = json_array_get(changes, i);
		XS_AUTO_FREE char *before = number_of(one, "before");
		XS_AUTO_FREE char *now = number_of(one, "now");
		if (strcmp(text_of(one, "change", ""), change) != 0)
			continue;
		xs_print(out, "  %-7s %7s %7s  %s %s  %s: %s  [%s]\n", change, before, now,
			text_of(one, "compiler", ""), text_of(one, "level", ""),
			text_of(one, "oracle", ""), text_of(one, "signature", ""),
			text_of(one, "id", ""));
	}
}

void cli_comparison_print(FILE *out, const struct cli_comparison *comparison)
{
	static const char *const order[] = {"came", "more", "fewer", "gone", "unasked"};
	XS_AUTO_FREE char *before = number_of(comparison->programs, "before");
	XS_AUTO_FREE char *now = number_of(comparison->programs, "now");
	xs_print(out, "By build; before: %s programs, now: %s\n", before, now);
	for (size_t i = 0; i < json_array_size(comparison->versions); i++) {
		const json_t *one = json_array_get(comparison->versions, i);
		xs_print(out, "  %s  before: %s; now: %s\n", text_of(one, "tool", ""),
			text_of(one, "before", "not there"), text_of(one, "now", "not there"));
	}
	if (!json_array_size(comparison->changes))
		xs_print(out, "  no count is another one\n");
	else
		xs_print(out, "  %-7s %7s %7s  build\n", "", "before", "now");
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		print_rows(out, comparison->changes, order[i]);
}
