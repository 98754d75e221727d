#include "cli/report/campaign_print.h"

#include <inttypes.h>

#include "base/shown.h"
#include "cli/report/json.h"
#include "cli/report/shards_print.h"
#include "oracle/session/json_text.h"

typedef struct ora_campaign_answer answer_t;

/* --- rows as JSON ----------------------------------------------------------------------------- */

/* A row as an object. keys: by blanks, in the order of the columns; `#` before one: a number; `-`
 * alone: left out. */
static json_t *row_json(const answer_t *answer, size_t row, const char *keys)
{
	json_t *object = json_object();
	for (size_t i = 0; i < answer->columns && *keys; i++) {
		size_t length = strcspn(keys, " ");
		XS_AUTO_FREE char *key = xs_asprintf("%.*s", (int)length, keys);
		const char *cell = ora_campaign_cell(answer, row, i);
		if (*key == '#')
			json_object_set_new(object, key + 1,
				!cell               ? json_null()
				: strchr(cell, '.') ? json_real(strtod(cell, NULL))
						    : json_integer(strtoll(cell, NULL, 10)));
		else if (*key != '-')
			json_object_set_new(object, key, ora_json_text(cell));
		keys += length + (keys[length] == ' ');
	}
	return object;
}

static json_t *rows_json(const answer_t *answer, const char *keys)
{
	json_t *rows = json_array();
	for (size_t i = 0; i < ora_campaign_rows(answer); i++)
		json_array_append_new(rows, row_json(answer, i, keys));
	return rows;
}

/* Asks, and puts the rows under a key. */
static struct xs_error *put_rows(json_t *object, const char *key, struct ora_campaign_store *store,
	enum ora_campaign_question question, const char *about, const char *keys)
{
	answer_t answer;
	struct xs_error *err = ora_campaign_ask(store, question, about, &answer);
	if (!err)
		json_object_set_new(object, key, rows_json(&answer, keys));
	ora_campaign_answer_deinit(&answer);
	return err;
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
	};
	json_t *object = json_object();
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < sizeof parts / sizeof *parts; i++)
		err = put_rows(object, parts[i].key, store, parts[i].question, NULL, parts[i].keys);
	if (!err)
		err = cli_shards_json(object, folder);
	if (!err)
		cli_json_dump(out, object);
	json_decref(object);
	return err;
}

static const char *cell(const answer_t *answer, size_t row, size_t column)
{
	const char *text = ora_campaign_cell(answer, row, column);
	return text ? text : "";
}

/* A cell that is a number of seconds, without its fractions. */
static double seconds(const answer_t *answer, size_t row, size_t column)
{
	return strtod(cell(answer, row, column), NULL);
}

static void print_totals(FILE *out, const answer_t *totals, const char *folder)
{
	xs_print(out,
		"%s: %s programs, %s of them kept, %s builds; %s of %s jobs done, %.0f seconds "
		"of work\n",
		folder, cell(totals, 0, 0), cell(totals, 0, 1), cell(totals, 0, 2),
		cell(totals, 0, 4), cell(totals, 0, 3), seconds(totals, 0, 7));
}

static void print_reasons(FILE *out, const answer_t *reasons)
{
	for (size_t i = 0; i < ora_campaign_rows(reasons); i++)
		xs_print(out, "  left out  %5s  %s%s%.100s\n", cell(reasons, i, 1),
			cell(reasons, i, 0), *cell(reasons, i, 2) ? ": " : "", cell(reasons, i, 2));
}

static void print_oracles(FILE *out, const answer_t *oracles)
{
	if (ora_campaign_rows(oracles))
		fputs("  oracle      jobs   clean   found unasked  failed   to do  findings  "
		      "signatures  seconds\n",
			out);
	for (size_t i = 0; i < ora_campaign_rows(oracles); i++)
		xs_print(out, "  %-8s %7s %7s %7s %7s %7s %7s %9s %11s %8.0f\n",
			cell(oracles, i, 0), cell(oracles, i, 1), cell(oracles, i, 2),
			cell(oracles, i, 3), cell(oracles, i, 4), cell(oracles, i, 5),
			cell(oracles, i, 6), cell(oracles, i, 7), cell(oracles, i, 8),
			seconds(oracles, i, 9));
}

static void print_failed(FILE *out, const answer_t *failed)
{
	enum { MOST = 5 };
	for (size_t i = 0; i < ora_campaign_rows(failed) && i < MOST; i++)
		xs_print(out, "  %s: %s of %s, such as %s: %.100s\n", cell(failed, i, 1),
			cell(failed, i, 3), cell(failed, i, 0), cell(failed, i, 4),
			cell(failed, i, 2));
	if (ora_campaign_rows(failed) > MOST)
		xs_print(out, "  and %zu more kinds of failed jobs (--format json)\n",
			ora_campaign_rows(failed) - MOST);
}

struct xs_error *cli_campaign_status(
	FILE *out, struct ora_campaign_store *store, const char *folder, bool json)
{
	if (json)
		return status_json(out, store, folder);
	answer_t totals = {0}, reasons = {0}, oracles = {0}, failed = {0};
	struct xs_error *err;
	if (!(err = ora_campaign_ask(store, ORA_ASK_TOTALS, NULL, &totals)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_REASONS, NULL, &reasons)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_ORACLES, NULL, &oracles)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_FAILED, NULL, &failed))) {
		print_totals(out, &totals, folder);
		err = cli_shards_status(out, folder);
		print_reasons(out, &reasons);
		print_oracles(out, &oracles);
		print_failed(out, &failed);
		xs_print(out, "%s findings of %s signatures\n", cell(&totals, 0, 5),
			cell(&totals, 0, 6));
	}
	ora_campaign_answer_deinit(&totals);
	ora_campaign_answer_deinit(&reasons);
	ora_campaign_answer_deinit(&oracles);
	ora_campaign_answer_deinit(&failed);
	return err;
}

struct xs_error *cli_campaign_vain(struct ora_campaign_store *store, const char *folder)
{
	answer_t totals = {0}, reasons = {0}, oracles = {0};
	struct xs_error *err;
	if (!(err = ora_campaign_ask(store, ORA_ASK_TOTALS, NULL, &totals)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_REASONS, NULL, &reasons)))
		err = ora_campaign_ask(store, ORA_ASK_ORACLES, NULL, &oracles);
	if (!err && !strcmp(cell(&totals, 0, 1), "0") && ora_campaign_rows(&reasons))
		err = xs_error_create("%s: no program was fit to be asked about: %s%s%s", folder,
			cell(&reasons, 0, 0), *cell(&reasons, 0, 2) ? ": " : "",
			cell(&reasons, 0, 2));
	for (size_t i = 0; !err && i < ora_campaign_rows(&oracles); i++)
		if (!strcmp(cell(&oracles, i, 1), cell(&oracles, i, 5)))
			err = xs_error_create("%s: every job of %s failed; xstep campaign status "
					      "tells how",
				folder, cell(&oracles, i, 0));
	ora_campaign_answer_deinit(&totals);
	ora_campaign_answer_deinit(&reasons);
	ora_campaign_answer_deinit(&oracles);
	return err;
}

/* --- findings --------------------------------------------------------------------------------- */

/* Columns of ORA_ASK_SIGNATURES. */
enum {
	ID,
	SIGNATURE,
	BASIS,
	WRONG,
	ORACLE,
	COUNT,
	PROGRAMS,
	BUILDS,
	COMPILERS,
	KNOWN,
	PROGRAM,
	ORIGIN,
	SIZE,
	COMPILER,
	LEVEL,
	FINDING,
};

/* A signature as an object, with its exemplar in one of its own. */
static json_t *signature_json(const answer_t *all, size_t row)
{
	json_t *object = row_json(all, row,
		"id signature basis wrong oracle #count #programs #builds compilers known");
	json_t *exemplar = row_json(
		all, row, "- - - - - - - - - - program origin #size compiler level finding");
	json_object_set_new(object, "exemplar", exemplar);
	return object;
}

static void print_signature(FILE *out, const answer_t *all, size_t row, size_t number)
{
	xs_print(out, "%zu.  %s  [%s]\n", number, cell(all, row, SIGNATURE), cell(all, row, ID));
	xs_print(out, "     %s%s%s; wrong: %s%s%s\n", cell(all, row, ORACLE),
		*cell(all, row, BASIS) ? ", " : "", cell(all, row, BASIS),
		*cell(all, row, WRONG) ? cell(all, row, WRONG) : "nobody is named",
		*cell(all, row, KNOWN) ? "; known: " : "", cell(all, row, KNOWN));
	xs_print(out,
		"     %s found in %s programs, %s builds, by %s; smallest: %s, %s bytes, %s %s\n",
		cell(all, row, COUNT), cell(all, row, PROGRAMS), cell(all, row, BUILDS),
		cell(all, row, COMPILERS), cell(all, row, ORIGIN), cell(all, row, SIZE),
		cell(all, row, COMPILER), cell(all, row, LEVEL));
}

static bool has(const answer_t *all, const char *id)
{
	for (size_t i = 0; i < ora_campaign_rows(all); i++)
		if (!strcmp(cell(all, i, ID), id))
			return true;
	return false;
}

/* Those of one that another has not. Returns how many. */
static size_t tell_some(FILE *out, const answer_t *all, const answer_t *without, size_t most,
	json_t *json, const char *heading)
{
	size_t count = 0;
	for (size_t i = 0; i < ora_campaign_rows(all); i++) {
		if (has(without, cell(all, i, ID)))
			continue;
		count++;
		if (json)
			json_array_append_new(json, signature_json(all, i));
		else if (out && (!most || count <= most)) {
			if (count == 1 && heading)
				xs_print(out, "%s\n", heading);
			print_signature(out, all, i, count);
		}
	}
	if (!json && out && most && count > most)
		xs_print(out, "and %zu more: xstep campaign findings\n", count - most);
	return count;
}

struct xs_error *cli_campaign_findings(FILE *out, struct ora_campaign_store *store,
	struct ora_campaign_store *old, bool json, size_t most, size_t *count)
{
	answer_t all = {0}, before = {0};
	json_t *list = json ? json_array() : NULL, *gone = json ? json_array() : NULL;
	struct xs_error *err = ora_campaign_ask(store, ORA_ASK_SIGNATURES, NULL, &all);
	if (!err && old)
		err = ora_campaign_ask(old, ORA_ASK_SIGNATURES, NULL, &before);
	if (!err) {
		*count = tell_some(out, &all, &before, most, list, NULL);
		if (old)
			tell_some(out, &before, &all, most, gone, "No longer found:");
		json_t *object = json ? json_object() : NULL;
		json_object_set(object, "signatures", list);
		if (old)
			json_object_set(object, "gone", gone);
		if (json)
			cli_json_dump(out, object);
		json_decref(object);
	}
	json_decref(list);
	json_decref(gone);
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

static struct xs_error *show_json(FILE *out, struct ora_campaign_store *store, const answer_t *all,
	size_t row, const answer_t *exemplars)
{
	json_t *object = signature_json(all, row), *list = json_array();
	const char *id = cell(all, row, ID);
	for (size_t i = 0; i < ora_campaign_rows(exemplars); i++) {
		json_t *one = row_json(exemplars, i,
			"which program origin #size flags compiler level oracle finding function "
			"#line variable -");
		json_t *report = json_loads(cell(exemplars, i, E_REPORT), 0, NULL);
		json_object_set_new(one, "report", report ? report : json_null());
		json_array_append_new(list, one);
	}
	json_object_set_new(object, "exemplars", list);
	struct xs_error *err;
	if (!(err = put_rows(object, "cells", store, ORA_ASK_CELLS, id,
		      "compiler level #findings #programs")) &&
		!(err = put_rows(object, "linked", store, ORA_ASK_LINKED, id,
			  "oracle signature id #places")))
		cli_json_dump(out, object);
	json_decref(object);
	return err;
}

static struct xs_error *show_text(FILE *out, struct ora_campaign_store *store, const answer_t *all,
	size_t row, const answer_t *exemplars)
{
	answer_t cells = {0}, linked = {0};
	const char *id = cell(all, row, ID);
	struct xs_error *err;
	print_signature(out, all, row, row + 1);
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

struct xs_error *cli_campaign_show(
	FILE *out, struct ora_campaign_store *store, const char *signature, bool json)
{
	answer_t all = {0}, exemplars = {0};
	struct xs_error *err;
	size_t row = 0;
	if (!(err = ora_campaign_ask(store, ORA_ASK_SIGNATURES, NULL, &all)) &&
		!(err = ora_campaign_ask(store, ORA_ASK_EXEMPLARS, signature, &exemplars))) {
		while (row < ora_campaign_rows(&all) && strcmp(cell(&all, row, ID), signature) != 0)
			row++;
		err = (json ? show_json : show_text)(out, store, &all, row, &exemplars);
	}
	ora_campaign_answer_deinit(&all);
	ora_campaign_answer_deinit(&exemplars);
	return err;
}

/* --- while it runs ---------------------------------------------------------------------------- */

void cli_campaign_event(FILE *out, const struct ora_campaign_event *event)
{
	json_t *object = json_object();
	if (event->program) {
		json_object_set_new(object, "event", json_string("program"));
		json_object_set_new(object, "program", ora_json_text(event->program->id));
		json_object_set_new(object, "origin", ora_json_text(event->program->origin));
		json_object_set_new(object, "left_out", ora_json_text(event->program->reason));
		json_object_set_new(object, "detail", ora_json_text(event->program->detail));
	} else if (event->job) {
		json_object_set_new(object, "event", json_string("job"));
		json_object_set_new(object, "program", ora_json_text(event->job->program));
		json_object_set_new(object, "oracle", ora_json_text(event->job->oracle));
		json_object_set_new(object, "compiler", ora_json_text(event->job->compiler));
		json_object_set_new(object, "level", ora_json_text(event->job->level));
		json_object_set_new(object, "outcome", ora_json_text(event->job->outcome));
		json_object_set_new(object, "detail", ora_json_text(event->job->detail));
		json_object_set_new(
			object, "findings", json_integer((json_int_t)event->job->findings.len));
		json_object_set_new(
			object, "new_signatures", json_integer((json_int_t)event->fresh));
		json_object_set_new(object, "seconds", json_real(event->job->seconds));
	}
	if (json_object_size(object)) {
		cli_json_dump(out, object);
		fflush(out);
	}
	json_decref(object);
}

void cli_campaign_progress(struct cli_progress *progress, const struct ora_campaign_event *event)
{
	if (!cli_progress_due(progress))
		return;
	XS_AUTO_FREE char *text = xs_asprintf(
		"%" PRIu64 " of %" PRIu64 " programs, %" PRIu64 " jobs done, %" PRIu64
		" to do, %" PRIu64 " at work; %" PRIu64 " findings, %" PRIu64 " new signatures",
		event->programs, event->all, event->jobs, event->jobs_known, event->busy,
		event->findings, event->signatures);
	cli_progress_text(progress, text);
}
