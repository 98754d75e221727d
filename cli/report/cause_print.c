#include "cli/report/cause_print.h"

#include <inttypes.h>

#include "base/path.h"
#include "base/shown.h"
#include "cli/report/json.h"
#include "oracle/session/json_text.h"

static const char *const ends[] = {
	[ORA_CASE_FOUND] = "found", [ORA_CASE_GONE] = "gone", [ORA_CASE_UNFIT] = "unfit"};

/* The finding, as both begin. */
static json_t *case_json(const struct ora_case *one)
{
	json_t *object = json_object();
	json_object_set_new(object, "source", ora_json_text(one->source));
	json_object_set_new(object, "compiler", ora_json_text(one->compiler));
	json_object_set_new(object, "level", ora_json_text(one->level));
	json_object_set_new(object, "oracle", ora_json_text(one->oracle->name));
	json_object_set_new(object, "signature", ora_json_text(one->signature));
	json_object_set_new(object, "wrong", ora_json_text(one->wrong));
	json_object_set_new(object, "basis", ora_json_text(one->basis));
	return object;
}

static void case_text(FILE *out, const struct ora_case *one)
{
	xs_print(out, "%s\n", one->signature);
	xs_print(out, "  found by   %s%s%s; wrong: %s\n", one->oracle->name, one->basis ? ", " : "",
		one->basis ? one->basis : "", *one->wrong ? one->wrong : "nobody named");
	xs_print(out, "  build      %s -g %s", xs_base_name(one->compiler), one->level);
	for (size_t i = 0; i < one->flags.vec.len; i++)
		xs_print(out, " %s", one->flags.vec.data[i]);
	xs_print(out, " %s\n", one->source);
}

/* --- a reduction ------------------------------------------------------------------------------ */

void cli_reduce_print(FILE *out, const struct ora_reduce *reduce, bool json)
{
	const struct ora_case *one = reduce->one;
	if (!json) {
		case_text(out, one);
		xs_print(out,
			"  reduced    %" PRIu64 " lines, %" PRIu64 " bytes, to %" PRIu64
			" lines, %" PRIu64 " bytes: %s\n",
			reduce->before.lines, reduce->before.bytes, reduce->now.lines,
			reduce->now.bytes, reduce->output);
		xs_print(out, "  asked      %" PRIu64 " times, %" PRIu64 " with the finding\n",
			reduce->asked, reduce->found);
		if (reduce->cut_short)
			xs_print(out, "  cut short  time was up: it may become smaller still\n");
		return;
	}
	json_t *object = case_json(one);
	json_object_set_new(object, "format", json_string("xstep-reduce/1"));
	json_object_set_new(object, "output", ora_json_text(reduce->output));
	json_object_set_new(object, "continued", json_boolean(reduce->continued));
	json_object_set_new(object, "cut_short", json_boolean(reduce->cut_short));
	json_object_set_new(object, "asked", json_integer((json_int_t)reduce->asked));
	json_object_set_new(object, "found", json_integer((json_int_t)reduce->found));
	json_object_set_new(object, "before",
		json_pack("{s:I, s:I}", "bytes", (json_int_t)reduce->before.bytes, "lines",
			(json_int_t)reduce->before.lines));
	json_object_set_new(object, "after",
		json_pack("{s:I, s:I}", "bytes", (json_int_t)reduce->now.bytes, "lines",
			(json_int_t)reduce->now.lines));
	cli_json_dump(out, object);
	json_decref(object);
}

/* --- a culprit -------------------------------------------------------------------------------- */

static void culprit_json(FILE *out, const struct ora_culprit *culprit)
{
	json_t *object = case_json(culprit->asker.one), *rows = json_array(), *named = json_array();
	for (size_t i = 0; i < culprit->rows.len; i++) {
		const struct ora_culprit_row *row = &culprit->rows.data[i];
		json_t *one = json_object();
		json_object_set_new(one, "kind", ora_json_text(ora_culprit_word(row->kind)));
		json_object_set_new(one, "name", ora_json_text(row->name));
		if (row->on)
			json_object_set_new(one, "on", ora_json_text(row->on));
		if (row->number)
			json_object_set_new(one, "number", json_integer((json_int_t)row->number));
		if (row->pass)
			json_object_set_new(one, "pass", ora_json_text(row->pass));
		if (row->dump)
			json_object_set_new(one, "dump", ora_json_text(row->dump));
		if (ora_culprit_is_one(row))
			json_array_append_new(named, json_copy(one));
		json_object_set_new(one, "end", ora_json_text(ends[row->end]));
		if (row->why)
			json_object_set_new(one, "why", ora_json_text(row->why));
		json_array_append_new(rows, one);
	}
	json_object_set_new(object, "format", json_string("xstep-culprit/1"));
	json_object_set_new(object, "culprits", named);
	json_object_set_new(object, "rows", rows);
	json_object_set_new(object, "passes", json_integer((json_int_t)culprit->all_passes));
	json_object_set_new(object, "without_any", json_boolean(culprit->always));
	json_object_set_new(object, "asked", json_integer((json_int_t)culprit->asker.asked));
	json_object_set_new(object, "same", json_integer((json_int_t)culprit->asker.same));
	cli_json_dump(out, object);
	json_decref(object);
}

/* One line of names: those rows of a kind that ended like that. */
static void list_rows(FILE *out, const struct ora_culprit *culprit, enum ora_culprit_kind kind,
	enum ora_case_end end, const char *words)
{
	bool first = true;
	for (size_t i = 0; i < culprit->rows.len; i++) {
		const struct ora_culprit_row *row = &culprit->rows.data[i];
		if (row->kind != kind || row->end != end)
			continue;
		if (first)
			xs_print(out, "  %-9s  %s ", ora_culprit_word(kind), words);
		xs_print(out, "%s%s", first ? "" : ", ", row->name);
		first = false;
	}
	if (!first)
		fputc('\n', out);
}

static bool print_culprits(FILE *out, const struct ora_culprit *culprit)
{
	bool any = false;
	for (size_t i = 0; i < culprit->rows.len; i++) {
		const struct ora_culprit_row *row = &culprit->rows.data[i];
		if (!ora_culprit_is_one(row))
			continue;
		any = true;
		switch (row->kind) {
		case ORA_CULPRIT_PASS:
			xs_print(out,
				"  culprit    pass %" PRIu64 " of %" PRIu64 ", %s on %s: gone with "
				"-mllvm -opt-bisect-limit=%" PRIu64,
				row->number, culprit->all_passes, row->name,
				row->on ? row->on : "?", row->number - 1);
			break;
		case ORA_CULPRIT_OPTION:
			xs_print(out, "  culprit    %s: gone with -fno-%s", row->name,
				row->name + 2);
			break;
		case ORA_CULPRIT_SET:
			xs_print(out, "  culprit    gone only without all of %s", row->name);
			break;
		default:
			xs_print(out,
				"  culprit    transformation %" PRIu64
				" that gcc counts as %s: gone "
				"with -fdbg-cnt=%s:%" PRIu64,
				row->number, row->name, row->name, row->number - 1);
			break;
		}
		xs_print(out, "%s%s\n", row->pass ? "; its effect is in pass " : "",
			row->pass ? row->pass : "");
		if (row->dump)
			xs_print(out, "  dump       %s\n", row->dump);
	}
	return any;
}

static void culprit_text(FILE *out, const struct ora_culprit *culprit)
{
	static const enum ora_culprit_kind kinds[] = {
		ORA_CULPRIT_LEVEL, ORA_CULPRIT_DEBUG, ORA_CULPRIT_COMPILER, ORA_CULPRIT_DEBUGGER};
	static const enum ora_culprit_kind searched[] = {
		ORA_CULPRIT_PASS, ORA_CULPRIT_SET, ORA_CULPRIT_COUNTER};
	case_text(out, culprit->asker.one);
	if (!print_culprits(out, culprit)) {
		if (culprit->always)
			fputs("  culprit    no pass that can be switched off: it is there without "
			      "any\n",
				out);
		else if (culprit->passes)
			fputs("  culprit    none found\n", out);
		for (size_t i = 0; i < sizeof searched / sizeof *searched; i++)
			list_rows(
				out, culprit, searched[i], ORA_CASE_UNFIT, "nobody can tell about");
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		list_rows(out, culprit, kinds[i], ORA_CASE_FOUND, "found with");
		list_rows(out, culprit, kinds[i], ORA_CASE_GONE, "gone with ");
		list_rows(out, culprit, kinds[i], ORA_CASE_UNFIT, "unfit with");
	}
	xs_print(out, "  asked      %" PRIu64 " builds, %" PRIu64 " of them the same as another\n",
		culprit->asker.asked, culprit->asker.same);
}

void cli_culprit_print(FILE *out, const struct ora_culprit *culprit, bool json)
{
	if (json)
		culprit_json(out, culprit);
	else
		culprit_text(out, culprit);
}
