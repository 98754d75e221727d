#include "oracle/session/stored_words.h"

#include <inttypes.h>

#include <jansson.h>

#include "dwarf/module.h"
#include "oracle/store/identity.h"

/* Whether it is an array of texts, and has any. */
static bool are_words(const json_t *array)
{
	size_t count = json_array_size(array);
	for (size_t i = 0; i < count; i++)
		if (!json_is_string(json_array_get(array, i)))
			return false;
	return count && *json_string_value(json_array_get(array, 0));
}

struct xs_error *ora_stored_words(const struct ora_trace_info *trace, char ***ret)
{
	json_t *array = json_loads(trace->trace.arguments, 0, NULL);
	size_t count = are_words(array) ? json_array_size(array) : 0;
	*ret = count ? xs_calloc(count + 1, sizeof **ret) : NULL;
	for (size_t i = 0; i < count; i++)
		(*ret)[i] = xs_strdup(json_string_value(json_array_get(array, i)));
	json_decref(array);
	return *ret ? NULL
		    : xs_error_create("trace %" PRIu64 " does not say what was run", trace->id);
}

struct xs_error *ora_stored_prepare(struct ora_program *program, const struct ora_trace_info *trace,
	char *const *words, struct ora_run *run)
{
	struct xs_error *err;
	if ((err = ora_identity_verify(&trace->subject, words[0], &program->seen)) ||
		(err = ora_program_prepare(program, words, run)))
		return err;
	if (!run->subject->modules.data[0].info->dwarf)
		return xs_error_create("%s: has no debug information, and is not run because a "
				       "store says so; trace it again",
			words[0]);
	return NULL;
}

void ora_stored_words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}
