/* bundle_case.c - case.json of a report: what `xstep reduce` and `xstep culprit` have to know of a
 * finding to look for it again. oracle/cause/case_origin.c reads it. */
#include <jansson.h>

#include "cli/report/bundle.h"
#include "dwarf/unit.h"
#include "oracle/campaign/oracles.h"
#include "oracle/cause/case_build.h"
#include "oracle/session/json_text.h"

static json_t *words_json(char *const *words)
{
	json_t *list = json_array();
	for (; words && *words; words++)
		json_array_append_new(list, ora_json_text(*words));
	return list;
}

static void set(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, ora_json_text(text));
}

/* How it was built: by the command, if that is plain words; else by the DWARF. */
static void set_build(json_t *object, const struct cli_bundle *report, const char *producer)
{
	struct ora_case_build build = {0};
	if ((report->build && ora_case_build_of_command(report->build, &build)) ||
		(producer && ora_case_build_of_producer(producer, &build))) {
		set(object, "compiler", build.compiler);
		set(object, "level", build.level);
		json_t *flags = json_array();
		for (size_t i = 0; i < build.flags.vec.len; i++)
			json_array_append_new(flags, ora_json_text(build.flags.vec.data[i]));
		json_object_set_new(object, "flags", flags);
	}
	ora_case_build_deinit(&build);
}

/* Who testified, if not all did; to be freed. */
static char *witness_of(const struct cli_findings *print)
{
	char *all = xs_strdup("");
	for (size_t w = 0; w < print->count; w++) {
		const char *name = print->verdicts->witnesses[w];
		bool known = false; /* by another trace of it */
		for (size_t v = 0; v < w; v++)
			known |= !strcmp(print->verdicts->witnesses[v], name);
		if (known)
			continue;
		char *more = xs_asprintf("%s%s%s", all, *all ? "," : "", name);
		free(all);
		all = more;
	}
	if (!strcmp(all, "xstep,gdb,lldb"))
		*all = 0;
	return all;
}

struct xs_error *cli_bundle_case(const struct cli_bundle *report, const struct cli_findings *print,
	const struct ora_finding *finding, const char *folder)
{
	const struct ora_difference *one = finding->difference;
	/* `check opt ...`: an oracle is called as its check is. */
	const char *oracle = report->words && report->words[0] ? report->words[1] : "diff";
	json_t *object = json_object();
	set(object, "oracle", oracle && ora_oracle_find(oracle) ? oracle : NULL);
	set(object, "signature", finding->signature);
	set(object, "basis", ora_basis_text(finding->basis));
	set(object, "function", one->scope);
	set(object, "variable", one->path);
	set_build(object, report, di_unit_producer(print->verdicts->module, one->pc));
	if (!report->words) {
		XS_AUTO_FREE char *witness = witness_of(print);
		set(object, "witness", witness);
	}
	json_object_set_new(object, "arguments", words_json(print->run->argv + 1));
	json_object_set_new(object, "stdin", json_boolean(report->program->in != NULL));
	XS_AUTO_FREE char *text = json_dumps(object, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	json_decref(object);
	XS_AUTO_FREE char *line = xs_asprintf("%s\n", text);
	return cli_bundle_put(folder, "case.json", line);
}
