#include "oracle/session/stored_words.h"

#include <inttypes.h>

#include <jansson.h>

struct xs_error *ora_stored_words(const struct ora_trace_info *trace, char ***ret)
{
	json_t *array = json_loads(trace->trace.arguments, 0, NULL);
	size_t count = json_array_size(array);
	*ret = count ? xs_calloc(count + 1, sizeof **ret) : NULL;
	for (size_t i = 0; i < count; i++) {
		const char *word = json_string_value(json_array_get(array, i));
		(*ret)[i] = xs_strdup(word ? word : "");
	}
	json_decref(array);
	return *ret ? NULL
		    : xs_error_create("trace %" PRIu64 " does not say what was run", trace->id);
}

void ora_stored_words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}
