#include "cli/report/campaign_print.h"

#include "base/shown.h"
#include "cli/report/campaign_bugs.h"
#include "cli/report/campaign_compare.h"
#include "cli/report/campaign_rows.h"
#include "cli/report/columns.h"
#include "cli/report/json.h"
#include "cli/report/shards_print.h"
#include "cli/report/screen.h"

typedef struct ora_campaign_answer answer_t;

static const char *cell(const answer_t *answer, size_t row, size_t column)
{
	return cli_rows_cell(answer, row, column);
}

/* --- status ----------------------------------------------------------------------------------- */

static struct xs_error *status_json(FILE *out, struct ora_campaign_store *store, const char *folder)
{
	static const struct {
		const char *key;
		enum ora_campaign_question question;
		const char *keys;
	} parts[] = {
		{"options", ORA_ASK_OPTIONS, "name value"},
		{"totals", ORA_ASK_TOTALS,
			"#programs #kept #builds #jobs #done #findings #signatures #seconds"},
		{"left_out", ORA_ASK_REASONS, "reason #programs detail"},
		{"builds", ORA_ASK_BUILDS,
			"compiler level #builds #built #refused #crashed #hung #seconds"},
		{"oracles", ORA_ASK_ORACLES,
			"oracle #jobs #clean #found #unasked #failed #to_do #findings #signatures "
			"#seconds"},
		{"failed", ORA_ASK_FAILED, "oracle outcome detail #jobs program"},
		{"figures", ORA_ASK_FIGURES, "oracle figure #jobs #sum"},
		{"causes", ORA_ASK_CAUSE_TOTALS,
			"stage #done #unfinished #failed #culprits #seconds"},
	};
	json_t *object = json_pack("{s:s}", "format", "xstep-campaign-status/1");
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < sizeof parts / sizeof *parts; i++)
		err = cli_rows_put(
			object, parts[i].key, store, parts[i].question, NULL, parts[i].keys);
	if (!err)
		err = cli_shards_json(object, folder);
	if (!err)
		cli_json_dump(out, object);
	json_decref(object);
	return err;
}

/* A cell that is a number of seconds, without its fractions. */
static double seconds(const answer_t *answer, size_t row, size_t column)
{
	return strtod(cell(answer, row, column), NULL);
}

/* Where all oracles have their line, so much room is left on a screen for kinds of each: */
enum { REASONS = 4, FAILURES = 3 };

/* A line of the status: it ends where a screen does. */
static void XS_PRINTF(2, 3) put_line(FILE *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	cli_columns_vprint(out, cli_screen_columns(out, CLI_COLUMNS), format, args);
	va_end(args);
	putc('\n', out);
}

static void print_totals(FILE *out, const answer_t *totals, const char *folder)
{
	put_line(out, "%s", folder);
	put_line(out, "%s programs, %s of them kept, %s builds; %s of %s jobs done, %.0f seconds",
		cell(totals, 0, 0), cell(totals, 0, 1), cell(totals, 0, 2), cell(totals, 0, 4),
		cell(totals, 0, 3), seconds(totals, 0, 7));
}

static void print_reasons(FILE *out, const answer_t *reasons)
{
	size_t rows = ora_campaign_rows(reasons);
	for (size_t i = 0; i < rows && i < REASONS; i++)
		put_line(out, "  left out  %5s  %s%s%s", cell(reasons, i, 1), cell(reasons, i, 0),
			*cell(reasons, i, 2) ? ": " : "", cell(reasons, i, 2));
	if (rows > REASONS)
		put_line(out, "  and for %zu more reasons (--format json)", rows - REASONS);
}

static void print_oracles(FILE *out, const answer_t *oracles)
{
	if (ora_campaign_rows(oracles))
		put_line(out, "  %-7s %6s %5s %5s %7s %6s %6s %8s %10s %7s", "oracle", "jobs",
			"clean", "found", "unasked", "failed", "to do", "findings", "signatures",
			"seconds");
	for (size_t i = 0; i < ora_campaign_rows(oracles); i++)
		put_line(out, "  %-7s %6s %5s %5s %7s %6s %6s %8s %10s %7.0f", cell(oracles, i, 0),
			cell(oracles, i, 1), cell(oracles, i, 2), cell(oracles, i, 3),
			cell(oracles, i, 4), cell(oracles, i, 5), cell(oracles, i, 6),
			cell(oracles, i, 7), cell(oracles, i, 8), seconds(oracles, i, 9));
}

/* What a failed job said, without what all of them say. */
static const char *complaint(const answer_t *failed, size_t row)
{
	static const char usual[] = "exit status 2: xstep: ";
	const char *text = cell(failed, row, 2);
	return strncmp(text, usual, strlen(usual)) != 0 ? text : text + strlen(usual);
}

static void print_failed(FILE *out, const answer_t *failed)
{
	size_t rows = ora_campaign_rows(failed);
	for (size_t i = 0; i < rows && i < FAILURES; i++)
		put_line(out, "  %s: %s of %s (%s): %s", cell(failed, i, 1), cell(failed, i, 3),
			cell(failed, i, 0), cell(failed, i, 4), complaint(failed, i));
	if (rows > FAILURES)
		put_line(out, "  and %zu more kinds of failed jobs (--format json)",
			rows - FAILURES);
}

/* How many were looked into, behind what is said of signatures; to be freed. */
static char *cause_words(const answer_t *causes)
{
	char *words = xs_strdup("");
	for (size_t i = 0; i < ora_campaign_rows(causes); i++) {
		static const char *const ends[] = {"done", "unfinished", "failed"};
		const char *gap = ": ";
		char *more = xs_asprintf("%s; %s", words, cell(causes, i, 0));
		free(words);
		words = more;
		for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
			if (!strcmp(cell(causes, i, 1 + k), "0"))
				continue;
			more = xs_asprintf(
				"%s%s%s %s", words, gap, cell(causes, i, 1 + k), ends[k]);
			free(words);
			words = more;
			gap = ", ";
		}
	}
	return words;
}

struct xs_error *cli_campaign_status(
	FILE *out, struct ora_campaign_store *store, const char *folder, bool json)
{
	if (json)
		return status_json(out, store, folder);
	answer_t totals = {0}, reasons = {0}, oracles = {0}, failed = {0}, causes = {0};
	struct xs_error *err;
	if (!(err = ora_campaign_ask(store, ORA_ASK_TOTALS, NULL, &totals)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_REASONS, NULL, &reasons)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_ORACLES, NULL, &oracles)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_CAUSE_TOTALS, NULL, &causes)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_FAILED, NULL, &failed))) {
		print_totals(out, &totals, folder);
		err = cli_shards_status(out, folder);
		print_reasons(out, &reasons);
		print_oracles(out, &oracles);
		print_failed(out, &failed);
		XS_AUTO_FREE char *stages = cause_words(&causes);
		put_line(out, "%s findings of %s signatures%s", cell(&totals, 0, 5),
			cell(&totals, 0, 6), stages);
	}
	ora_campaign_answer_deinit(&causes);
	ora_campaign_answer_deinit(&totals);
	ora_campaign_answer_deinit(&reasons);
	ora_campaign_answer_deinit(&oracles);
	ora_campaign_answer_deinit(&failed);
	return err;
}

struct xs_error *cli_campaign_vain(struct ora_campaign_store *store, const char *folder)
{
	answer_t totals = {0}, reasons = {0}, oracles = {0}, failed = {0};
	struct xs_error *err;
	if (!(err = ora_campaign_ask(store, ORA_ASK_TOTALS, NULL, &totals)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_REASONS, NULL, &reasons)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_FAILED, NULL, &failed)))
		err = ora_campaign_ask(store, ORA_ASK_ORACLES, NULL, &oracles);
	if (!err && !strcmp(cell(&totals, 0, 1), "0") && ora_campaign_rows(&reasons))
		err = xs_error_create("%s: no program was fit to be asked about: %s%s%s", folder,
			cell(&reasons, 0, 0), *cell(&reasons, 0, 2) ? ": " : "",
			cell(&reasons, 0, 2));
	for (size_t i = 0; !err && i < ora_campaign_rows(&oracles); i++) {
		size_t row = 0;
		if (strcmp(cell(&oracles, i, 1), cell(&oracles, i, 5)) != 0)
			continue;
		while (row + 1 < ora_campaign_rows(&failed) &&
			(strcmp(cell(&failed, row, 0), cell(&oracles, i, 0)) != 0 ||
				!strcmp(cell(&failed, row, 1), "unasked")))
			row++;
		err = xs_error_create("%s: every job of %s failed, such as that of %s: %s", folder,
			cell(&oracles, i, 0), cell(&failed, row, 4), complaint(&failed, row));
	}
	ora_campaign_answer_deinit(&totals);
	ora_campaign_answer_deinit(&failed);
	ora_campaign_answer_deinit(&reasons);
	ora_campaign_answer_deinit(&oracles);
	return err;
}

/* --- findings --------------------------------------------------------------------------------- */

static void print_signature(FILE *out, const answer_t *all, size_t row, size_t number)
{
	cli_ink(out, CLI_INK_TITLE);
	xs_print(out, "%zu.  %s", number, cell(all, row, CLI_SIGNATURE_TEXT));
	cli_ink(out, CLI_INK_NONE);
	xs_print(out, "  [%s]\n", cell(all, row, CLI_SIGNATURE_ID));
	xs_print(out, "     %s%s%s; wrong: %s%s%s\n", cell(all, row, CLI_SIGNATURE_ORACLE),
		*cell(all, row, CLI_SIGNATURE_BASIS) ? ", " : "",
		cell(all, row, CLI_SIGNATURE_BASIS),
		*cell(all, row, CLI_SIGNATURE_WRONG) ? cell(all, row, CLI_SIGNATURE_WRONG)
						     : "nobody is named",
		*cell(all, row, CLI_SIGNATURE_KNOWN) ? "; known: " : "",
		cell(all, row, CLI_SIGNATURE_KNOWN));
	xs_print(out,
		"     %s found in %s programs, %s builds, by %s; smallest: %s, %s bytes, %s %s\n",
		cell(all, row, CLI_SIGNATURE_COUNT), cell(all, row, CLI_SIGNATURE_PROGRAMS),
		cell(all, row, CLI_SIGNATURE_BUILDS), cell(all, row, CLI_SIGNATURE_COMPILERS),
		cell(all, row, CLI_SIGNATURE_ORIGIN), cell(all, row, CLI_SIGNATURE_SIZE),
		cell(all, row, CLI_SIGNATURE_COMPILER), cell(all, row, CLI_SIGNATURE_LEVEL));
}

static bool has(const answer_t *all, const char *id)
{
	for (size_t i = 0; i < ora_campaign_rows(all); i++)
		if (!strcmp(cell(all, i, CLI_SIGNATURE_ID), id))
			return true;
	return false;
}

/* What is told of some signatures. */
struct telling {
	FILE *out;             /* as text; may be NULL */
	json_t *list, *bugs;   /* as JSON; NULL: as text */
	const answer_t *all;   /* all signatures, */
	struct cli_bugs about; /* and their causes; to be let go of */
};

/* Whether a row is told: the other campaign has it not, nor need it be left out. */
static bool is_told(const struct telling *telling, size_t row, const answer_t *without,
	const struct cli_campaign_wishes *wishes)
{
	return !has(without, cell(telling->all, row, CLI_SIGNATURE_ID)) &&
	       !(wishes->no_known && *cell(telling->all, row, CLI_SIGNATURE_KNOWN));
}

static void print_entry(
	const struct telling *telling, const size_t *rows, size_t count, size_t number)
{
	print_signature(telling->out, telling->all, rows[0], number);
	cli_bugs_print(telling->out, &telling->about, rows[0]);
	for (size_t i = 1; i < count; i++)
		xs_print(telling->out, "     also: %s  [%s]%s%s\n",
			cell(telling->all, rows[i], CLI_SIGNATURE_TEXT),
			cell(telling->all, rows[i], CLI_SIGNATURE_ID),
			*cell(telling->all, rows[i], CLI_SIGNATURE_KNOWN) ? ", known: " : "",
			cell(telling->all, rows[i], CLI_SIGNATURE_KNOWN));
}

/* Those of one that another has not. Returns how many entries there are. */
static size_t tell_some(const struct telling *telling, const answer_t *without,
	const struct cli_campaign_wishes *wishes, const char *heading)
{
	FILE *out = telling->list ? NULL : telling->out;
	size_t count = 0, most = wishes->most, rows = ora_campaign_rows(telling->all);
	XS_VEC(size_t) one = {0};
	XS_VEC(bool) told = {0};
	for (size_t i = 0; i < rows; i++)
		xs_vec_push(&told, !is_told(telling, i, without, wishes));
	for (size_t i = 0; telling->list && i < rows; i++)
		if (!told.data[i]) {
			json_t *object = cli_rows_signature(telling->all, i);
			cli_bugs_put(object, &telling->about, i);
			json_array_append_new(telling->list, object);
		}
	for (size_t i = 0; i < rows; i++) {
		if (told.data[i])
			continue;
		one.len = 0;
		for (size_t k = i; k < rows; k++)
			if (k == i || (!(out && wishes->by_signature) && !told.data[k] &&
					      telling->about.first.data[k] ==
						      telling->about.first.data[i])) {
				xs_vec_push(&one, k);
				told.data[k] = true;
			}
		if (telling->bugs)
			json_array_append_new(
				telling->bugs, cli_bugs_json(&telling->about, one.data, one.len));
		if (!count++ && heading && out)
			xs_print(out, "%s\n", heading);
		if (out && (!most || count <= most))
			print_entry(telling, one.data, one.len, count);
	}
	xs_vec_deinit(&one);
	xs_vec_deinit(&told);
	if (out && !most && !count && !heading)
		xs_print(out, "no signature%s%s\n",
			wishes->older ? " that the older campaign has not" : "",
			wishes->no_known ? " that is not known" : "");
	if (out && most && count > most)
		xs_print(out, "and %zu more: xstep campaign findings\n", count - most);
	return count;
}

/* Ids of all that is reported, as keys of an object. */
static json_t *known_ids(const answer_t *all, const answer_t *before)
{
	json_t *ids = json_object();
	for (unsigned k = 0; k < 2; k++) {
		const answer_t *one = k ? before : all;
		for (size_t i = 0; i < ora_campaign_rows(one); i++)
			if (*cell(one, i, CLI_SIGNATURE_KNOWN))
				json_object_set_new_nocheck(
					ids, cell(one, i, CLI_SIGNATURE_ID), json_true());
	}
	return ids;
}

/* What the older campaign has and the newer has not, and what is else another one. */
static struct xs_error *tell_changes(FILE *out, struct ora_campaign_store *store,
	const struct cli_campaign_wishes *wishes, const answer_t *all, const answer_t *before,
	json_t *object)
{
	struct cli_comparison comparison = {0};
	struct telling telling = {.out = out, .all = before};
	json_t *omit = wishes->no_known ? known_ids(all, before) : NULL;
	json_t *gone = object ? json_array() : NULL;
	struct xs_error *err = cli_bugs_load(wishes->older, before, &telling.about);
	telling.list = gone;
	if (!err) {
		tell_some(&telling, all, wishes, "No longer found:");
		err = cli_compare(wishes->older, store, omit, &comparison);
	}
	cli_bugs_deinit(&telling.about);
	if (!err && object) {
		json_object_set(object, "gone", gone);
		json_object_set(object, "versions", comparison.versions);
		json_object_set(object, "programs", comparison.programs);
		json_object_set(object, "changes", comparison.changes);
	} else if (!err) {
		cli_comparison_print(out, &comparison);
	}
	cli_comparison_deinit(&comparison);
	json_decref(omit);
	json_decref(gone);
	return err;
}

struct xs_error *cli_campaign_findings(FILE *out, struct ora_campaign_store *store,
	const struct cli_campaign_wishes *wishes, size_t *count)
{
	answer_t all = {0}, before = {0};
	json_t *object =
		wishes->json ? json_pack("{s:s}", "format", "xstep-campaign-findings/1") : NULL;
	struct telling telling = {.out = out, .all = &all};
	struct xs_error *err = cli_rows_signatures(store, wishes->known, &all);
	if (!err && wishes->older)
		err = cli_rows_signatures(wishes->older, wishes->known, &before);
	if (!err && !(err = cli_bugs_load(store, &all, &telling.about))) {
		telling.list = wishes->json ? json_array() : NULL;
		telling.bugs = wishes->json ? json_array() : NULL;
		*count = tell_some(&telling, &before, wishes, NULL);
		json_object_set_new(object, "signatures", telling.list);
		json_object_set_new(object, "bugs", telling.bugs);
		if (wishes->older)
			err = tell_changes(out, store, wishes, &all, &before, object);
	}
	cli_bugs_deinit(&telling.about);
	if (!err && object)
		cli_json_dump(out, object);
	json_decref(object);
	ora_campaign_answer_deinit(&all);
	ora_campaign_answer_deinit(&before);
	return err;
}

/* --- one signature ---------------------------------------------------------------------------- */

/* Columns of ORA_ASK_EXEMPLARS that are told. */
enum {
	E_WHICH,
	E_PROGRAM,
	E_ORIGIN,
	E_SIZE,
	E_COMPILER = 5,
	E_LEVEL,
	E_FINDING = 8,
	E_FUNCTION,
	E_LINE,
	E_VARIABLE,
	E_REPORT
};

static void print_exemplar(FILE *out, const answer_t *all, size_t row)
{
	xs_print(out, "  %-8s  %s, %s bytes, %s %s: programs/%s.c\n", cell(all, row, E_WHICH),
		cell(all, row, E_ORIGIN), cell(all, row, E_SIZE), cell(all, row, E_COMPILER),
		cell(all, row, E_LEVEL), cell(all, row, E_PROGRAM));
	xs_print(out, "            finding %s", cell(all, row, E_FINDING));
	if (*cell(all, row, E_VARIABLE))
		xs_print(out, ", variable %s", cell(all, row, E_VARIABLE));
	if (*cell(all, row, E_FUNCTION))
		xs_print(out, " in %s", cell(all, row, E_FUNCTION));
	if (*cell(all, row, E_LINE))
		xs_print(out, ", line %s", cell(all, row, E_LINE));
	putc('\n', out);
	json_t *report = json_loads(cell(all, row, E_REPORT), 0, NULL);
	const char *reason = json_string_value(json_object_get(report, "reason"));
	const char *said = json_string_value(json_object_get(report, "said"));
	if (reason || said)
		xs_print(out, "            %s\n", reason ? reason : said);
	json_decref(report);
}

static struct xs_error *show_json(FILE *out, struct ora_campaign_store *store,
	const struct cli_bugs *bugs, size_t row, const answer_t *exemplars)
{
	const answer_t *all = bugs->signatures;
	json_t *object = cli_rows_signature(all, row);
	cli_bugs_put(object, bugs, row);
	const char *id = cell(all, row, CLI_SIGNATURE_ID);
	json_object_set_new(object, "exemplars", cli_rows_exemplars(exemplars));
	struct xs_error *err;
	if (!(err = cli_rows_put(object, "cells", store, ORA_ASK_CELLS, id,
		      "compiler level #findings #programs")) &&
		!(err = cli_rows_put(object, "linked", store, ORA_ASK_LINKED, id,
			  "oracle signature id #places")))
		cli_json_dump(out, object);
	json_decref(object);
	return err;
}

static struct xs_error *show_text(FILE *out, struct ora_campaign_store *store,
	const struct cli_bugs *bugs, size_t row, const answer_t *exemplars)
{
	const answer_t *all = bugs->signatures;
	answer_t cells = {0}, linked = {0};
	const char *id = cell(all, row, CLI_SIGNATURE_ID);
	struct xs_error *err;
	print_signature(out, all, row, row + 1);
	cli_bugs_print(out, bugs, row);
	for (size_t i = 0; i < ora_campaign_rows(exemplars); i++)
		print_exemplar(out, exemplars, i);
	if (!(err = ora_campaign_ask(store, ORA_ASK_CELLS, id, &cells)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_LINKED, id, &linked))) {
		for (size_t i = 0; i < ora_campaign_rows(&cells); i++)
			xs_print(out, "  %s %s: %s findings in %s programs\n", cell(&cells, i, 0),
				cell(&cells, i, 1), cell(&cells, i, 2), cell(&cells, i, 3));
		for (size_t i = 0; i < ora_campaign_rows(&linked); i++)
			xs_print(out, "  at %s of these places %s finds %s  [%s]\n",
				cell(&linked, i, 3), cell(&linked, i, 0), cell(&linked, i, 1),
				cell(&linked, i, 2));
	}
	ora_campaign_answer_deinit(&cells);
	ora_campaign_answer_deinit(&linked);
	return err;
}

struct xs_error *cli_campaign_show(FILE *out, struct ora_campaign_store *store,
	const char *signature, const struct cli_campaign_wishes *wishes)
{
	answer_t all = {0}, exemplars = {0};
	struct cli_bugs bugs = {0};
	struct xs_error *err;
	size_t row = 0;
	if (!(err = cli_rows_signatures(store, wishes->known, &all)) &&
		!(err = cli_bugs_load(store, &all, &bugs)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_EXEMPLARS, signature, &exemplars))) {
		while (row < ora_campaign_rows(&all) &&
			strcmp(cell(&all, row, CLI_SIGNATURE_ID), signature) != 0)
			row++;
		err = (wishes->json ? show_json : show_text)(out, store, &bugs, row, &exemplars);
	}
	cli_bugs_deinit(&bugs);
	ora_campaign_answer_deinit(&all);
	ora_campaign_answer_deinit(&exemplars);
	return err;
}
