#include "cli/report/mutant_print.h"

#include <inttypes.h>

#include "base/shown.h"
#include "cli/report/json.h"

void cli_mutant_print(FILE *out, bool json, const char *source, const struct src_mutate *how,
	const char *path, const struct src_mutant *mutant)
{
	bool any = false;
	if (json) {
		fputs("{\"source\":", out);
		cli_json_string(out, source);
		xs_print(out, ",\"seed\":%" PRIu64, how->seed);
		cli_json_key(out, "file", path);
		fputs(",\"applied\":{", out);
	} else
		xs_print(out, "%s:", path);
	for (size_t i = 0; i < SRC_MUTATORS; i++) {
		if (how->chance[i] <= 0)
			continue;
		xs_print(out, json ? "%s\"%s\":%" PRIu64 : "%s %s %" PRIu64, any ? "," : "",
			src_mutator_names[i], mutant->applied[i]);
		any = true;
	}
	if (!any && !json)
		fputs(" nothing to do", out);
	any = false;
	if (json)
		fputs("},\"dropped\":[", out);
	for (size_t i = 0; i < SRC_MUTATORS; i++) {
		if (!mutant->dropped[i])
			continue;
		xs_print(out, json ? "%s\"%s\"" : "%s %s dropped", any && json ? "," : "",
			src_mutator_names[i]);
		any = true;
	}
	fputs(json ? "]}\n" : "\n", out);
}
