#include "cli/report/campaign_export.h"

#include <errno.h>

#include "base/markdown.h"
#include "base/private.h"
#include "base/quoting.h"
#include "base/shown.h"
#include "cli/report/campaign_compare.h"
#include "cli/report/campaign_rows.h"
#include "cli/report/csv.h"
#include "cli/report/html_campaign.h"
#include "cli/report/json.h"
#include "oracle/session/json_text.h"

typedef struct ora_campaign_answer answer_t;

/* What is exported; keys as for cli_rows_object(). */
static const struct table {
	const char *name;  /* key in JSON, and NAME.csv */
	const char *title; /* in Markdown; NULL: not there */
	enum ora_campaign_question question;
	const char *keys;
} tables[] = {
	{"options", "Options", ORA_ASK_CHOSEN, "option value"},
	{"versions", "Versions", ORA_ASK_VERSIONS, "tool version"},
	{"totals", "Totals", ORA_ASK_TOTALS,
		"#programs #kept #builds #jobs #done #findings #signatures #seconds"},
	{"left_out", "Programs left out", ORA_ASK_REASONS, "reason #programs detail"},
	{"programs", NULL, ORA_ASK_PROGRAMS,
		"program origin flags #size #steps left_out detail #builds #jobs #findings "
		"#signatures #seconds"},
	{"builds", "Builds", ORA_ASK_BUILDS,
		"compiler level #builds #built #refused #crashed #hung #seconds"},
	{"oracles", "Oracles", ORA_ASK_ORACLES,
		"oracle #jobs #clean #found #unasked #failed #to_do #findings #signatures "
		"#seconds"},
	{"results", "Oracles by build", ORA_ASK_RESULTS,
		"oracle compiler level #jobs #clean #found #unasked #failed #to_do #findings "
		"#signatures #seconds"},
	{"failed", "Jobs that failed or were not asked", ORA_ASK_FAILED,
		"oracle outcome detail #jobs program"},
	{"figures", "Figures", ORA_ASK_FIGURES, "oracle figure #jobs #sum"},
	{"stages", "Seconds", ORA_ASK_STAGES, "stage #count #seconds #mean #most"},
	{"signatures", "Signatures", ORA_ASK_SIGNATURES,
		"id signature basis wrong oracle #count #programs #builds compilers known program "
		"smallest #size compiler level finding first"},
	{"causes", "Causes", ORA_ASK_CAUSES,
		"signature stage outcome reason file #lines #bytes sameness culprit where "
		"#seconds"},
	{"cells", "Signatures by build", ORA_ASK_EVERY_CELL,
		"id signature oracle compiler level #findings #programs"},
};
enum { TABLES = sizeof tables / sizeof *tables };

static struct xs_error *ask(
	const struct cli_export *export, const struct table *table, answer_t *ret)
{
	return table->question == ORA_ASK_SIGNATURES
		       ? cli_rows_signatures(export->store, export->known, ret)
		       : ora_campaign_ask(export->store, table->question, NULL, ret);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* The signatures, each with its cases and its builds. */
static struct xs_error *put_signatures(json_t *object, const struct cli_export *export)
{
	answer_t all = {0};
	json_t *list = json_array();
	struct xs_error *err = cli_rows_signatures(export->store, export->known, &all);
	for (size_t i = 0; !err && i < ora_campaign_rows(&all); i++) {
		const char *id = cli_rows_cell(&all, i, CLI_SIGNATURE_ID);
		json_t *one = cli_rows_object(&all, i,
			"id signature basis wrong oracle #count #programs #builds compilers known");
		answer_t exemplars = {0};
		json_array_append_new(list, one);
		if (!(err = ora_campaign_ask(export->store, ORA_ASK_EXEMPLARS, id, &exemplars))) {
			json_object_set_new(one, "exemplars", cli_rows_exemplars(&exemplars));
			err = cli_rows_put(one, "cells", export->store, ORA_ASK_CELLS, id,
				"compiler level #findings #programs");
		}
		ora_campaign_answer_deinit(&exemplars);
	}
	json_object_set_new(object, "signatures", list);
	ora_campaign_answer_deinit(&all);
	return err;
}

/* programs: they, too. */
static struct xs_error *make_json(const struct cli_export *export, bool programs, json_t **ret)
{
	json_t *object = json_object();
	struct xs_error *err = NULL;
	json_object_set_new(object, "xstep", json_string(XSTEP_VERSION));
	for (size_t i = 0; !err && i < TABLES; i++) {
		const struct table *table = &tables[i];
		if (table->question == ORA_ASK_SIGNATURES)
			err = put_signatures(object, export);
		else if (table->question != ORA_ASK_EVERY_CELL &&
			 (programs || table->question != ORA_ASK_PROGRAMS))
			err = cli_rows_put(object, table->name, export->store, table->question,
				NULL, table->keys);
	}
	*ret = object;
	return err;
}

static struct xs_error *write_json(FILE *out, const struct cli_export *export)
{
	json_t *object = NULL;
	struct xs_error *err = make_json(export, true, &object);
	if (!err)
		cli_json_dump(out, object);
	json_decref(object);
	return err;
}

/* --- a page ----------------------------------------------------------------------------------- */

/* One campaign of a page. The reports of all cases but the first are long, and not shown. */
static struct xs_error *add_campaign(json_t *list, const struct cli_export *export,
	struct ora_campaign_store *store, const char *folder)
{
	const struct cli_export one = {.store = store, .known = export->known};
	XS_AUTO_FREE char *quoted = xs_quote_paste(folder);
	json_t *object = NULL, *signature, *exemplar;
	size_t i, k;
	struct xs_error *err = make_json(&one, false, &object);
	json_object_set_new(object, "folder", ora_json_text(folder));
	json_object_set_new(object, "quoted", ora_json_text(quoted));
	json_array_foreach(json_object_get(object, "signatures"), i, signature)
	{
		json_array_foreach(json_object_get(signature, "exemplars"), k, exemplar)
		{
			if (k || store != export->store)
				json_object_del(exemplar, "report");
		}
	}
	json_array_append_new(list, object);
	return err;
}

static struct xs_error *write_html(FILE *out, const struct cli_export *export)
{
	json_t *campaigns = json_array();
	struct cli_comparison comparison = {0};
	size_t count = export->older_count;
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < count; i++)
		err = add_campaign(campaigns, export, export->older[i], export->older_folders[i]);
	if (!err)
		err = add_campaign(campaigns, export, export->store, export->folder);
	if (!err && count)
		err = cli_compare(export->older[count - 1], export->store, NULL, &comparison);
	if (!err)
		cli_html_campaign(out, campaigns, count ? &comparison : NULL);
	cli_comparison_deinit(&comparison);
	json_decref(campaigns);
	return err;
}

/* --- columns ---------------------------------------------------------------------------------- */

/* The next of keys, by blanks: without its `#`, which *number tells of; to be freed. NULL: there is
 * none. */
static char *next_key(const char **keys, bool *number)
{
	if (!**keys)
		return NULL;
	size_t length = strcspn(*keys, " ");
	*number = **keys == '#';
	char *key = xs_asprintf("%.*s", (int)(length - *number), *keys + *number);
	*keys += length + ((*keys)[length] == ' ');
	return key;
}

/* A number to be read: seconds and means with one digit behind the point. */
static void put_number(FILE *out, const char *text)
{
	if (strpbrk(text, ".e"))
		xs_print(out, "%.1f", strtod(text, NULL));
	else
		xs_print(out, "%s", text);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void write_csv(FILE *out, const answer_t *answer, const char *keys)
{
	bool number = false;
	const char *left = keys;
	for (char *key; (key = next_key(&left, &number)); free(key)) {
		xs_print(out, "%s", key);
		fputs(*left ? "," : "\n", out);
	}
	for (size_t row = 0; row < ora_campaign_rows(answer); row++)
		for (size_t i = 0; i < answer->columns; i++) {
			cli_csv_field(out, cli_rows_cell(answer, row, i));
			fputs(i + 1 < answer->columns ? "," : "\n", out);
		}
}

/* --- Markdown --------------------------------------------------------------------------------- */

static void put_rows(FILE *out, const answer_t *answer, const char *keys)
{
	bool number = false;
	const char *left = keys;
	putc('|', out);
	for (char *key; (key = next_key(&left, &number)); free(key)) {
		for (char *at = key; (at = strchr(at, '_'));)
			*at = ' ';
		xs_print(out, " %s |", key);
	}
	fputs("\n|", out);
	left = keys;
	for (char *key; (key = next_key(&left, &number)); free(key))
		xs_print(out, "%s", number ? "---:|" : "---|");
	putc('\n', out);
	for (size_t row = 0; row < ora_campaign_rows(answer); row++) {
		left = keys;
		putc('|', out);
		for (size_t i = 0; i < answer->columns; i++) {
			const char *text = cli_rows_cell(answer, row, i);
			free(next_key(&left, &number));
			putc(' ', out);
			if (number)
				put_number(out, text);
			else
				xs_markdown_text(out, text);
			fputs(" |", out);
		}
		putc('\n', out);
	}
}

static struct xs_error *write_markdown(FILE *out, const struct cli_export *export)
{
	struct xs_error *err = NULL;
	xs_print(out, "# A campaign of xstep %s\n", XSTEP_VERSION);
	for (size_t i = 0; !err && i < TABLES; i++) {
		answer_t answer = {0};
		if (!tables[i].title)
			continue;
		err = ask(export, &tables[i], &answer);
		if (!err && ora_campaign_rows(&answer)) {
			xs_print(out, "\n## %s\n\n", tables[i].title);
			put_rows(out, &answer, tables[i].keys);
		}
		ora_campaign_answer_deinit(&answer);
	}
	return err;
}

/* --- files ------------------------------------------------------------------------------------ */

/* The end of a file that was written besides the one that it becomes. */
static struct xs_error *conclude(
	FILE *file, const char *part, const char *path, struct xs_error *err)
{
	bool good = !fflush(file) && !ferror(file);
	if (fclose(file))
		good = false;
	if (!err && (!good || rename(part, path)))
		err = xs_error_sys("%s", path);
	if (err)
		unlink(part);
	return err;
}

static struct xs_error *write_file(const char *path, const struct cli_export *export,
	struct xs_error *(*write)(FILE *, const struct cli_export *))
{
	XS_AUTO_FREE char *part = xs_asprintf("%s.part", path);
	FILE *file = xs_private_open(part, false);
	return file ? conclude(file, part, path, write(file, export)) : xs_error_sys("%s", part);
}

static struct xs_error *write_table(
	const char *folder, const struct cli_export *export, const struct table *table)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s/%s.csv", folder, table->name);
	XS_AUTO_FREE char *part = xs_asprintf("%s.part", path);
	answer_t answer = {0};
	struct xs_error *err = ask(export, table, &answer);
	FILE *file = err ? NULL : xs_private_open(part, false);
	if (file) {
		write_csv(file, &answer, table->keys);
		err = conclude(file, part, path, NULL);
	} else if (!err) {
		err = xs_error_sys("%s", part);
	}
	ora_campaign_answer_deinit(&answer);
	return err;
}

static struct xs_error *write_folder(const char *folder, const struct cli_export *export)
{
	struct xs_error *err = NULL;
	if (xs_private_folder(folder) && errno != EEXIST)
		return xs_error_sys("%s", folder);
	for (size_t i = 0; !err && i < TABLES; i++)
		err = write_table(folder, export, &tables[i]);
	return err;
}

struct xs_error *cli_campaign_export(
	const struct cli_export *export, enum cli_export_format format, const char *to)
{
	struct xs_error *(*write)(FILE *, const struct cli_export *) =
		format == CLI_EXPORT_JSON   ? write_json
		: format == CLI_EXPORT_HTML ? write_html
					    : write_markdown;
	if (format == CLI_EXPORT_CSV)
		return to ? write_folder(to, export)
			  : xs_error_create("campaign export: csv is several files: name a folder "
					    "for them with -o");
	if (to)
		return write_file(to, export, write);
	struct xs_error *err = write(stdout, export);
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = xs_error_sys("standard output");
	return err;
}
