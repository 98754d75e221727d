#include "oracle/judge/baseline.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

enum { LIST_MOST = 64 << 20 }; /* bytes of a file */

/* Takes the text. A mark is kept and looked for as JSON tells it: in its folded form. */
static void add(struct ora_baseline *baseline, char *text)
{
	xs_vec_push(&baseline->marks, xs_utf8_fold(text));
	free(text);
}

static int compare(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

static bool has(const struct ora_baseline *baseline, const char *text)
{
	XS_AUTO_FREE char *folded = xs_utf8_fold(text);
	return baseline->marks.len && bsearch(&folded, baseline->marks.data, baseline->marks.len,
					      sizeof *baseline->marks.data, compare);
}

/* Neither a signature nor a place has a line break in it. */
static char *placed(const char *signature, const char *place)
{
	return xs_asprintf("%s\n%s", signature, place);
}

/* Whether it says what the mistake is. */
static bool explains(const char *signature)
{
	return !strchr(signature, '?') && !strstr(signature, "undecided");
}

char *ora_baseline_place(const char *function, const char *variable)
{
	return xs_asprintf("%s: %s", function ? function : "", variable ? variable : "");
}

static void add_finding(
	struct ora_baseline *baseline, const char *id, const char *signature, const char *place)
{
	if (id)
		add(baseline, xs_strdup(id));
	if (signature && explains(signature))
		add(baseline, xs_strdup(signature));
	else if (signature && place)
		add(baseline, placed(signature, place));
}

/* --- files ------------------------------------------------------------------------------------ */

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void read_sarif(struct ora_baseline *baseline, const json_t *runs)
{
	size_t i, k;
	json_t *run, *result;
	json_array_foreach(runs, i, run)
	{
		json_array_foreach(json_object_get(run, "results"), k, result)
		{
			const json_t *prints = json_object_get(result, "partialFingerprints");
			add_finding(baseline, text_of(prints, "xstep/v1"),
				text_of(result, "ruleId"), text_of(prints, "xstep/place/v1"));
		}
	}
}

/* False if there is no list of findings. */
static bool read_json(struct ora_baseline *baseline, const json_t *all)
{
	static const char *const lists[] = {"discrepancies", "violations", "findings"};
	bool any = false;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const json_t *list = json_object_get(all, lists[i]);
		size_t k;
		json_t *one;
		any |= json_is_array(list);
		json_array_foreach(list, k, one)
		{
			const char *scope = text_of(one, "scope");
			XS_AUTO_FREE char *place = ora_baseline_place(
				scope ? scope : text_of(json_object_get(one, "stop"), "function"),
				text_of(one, "path"));
			add_finding(baseline, text_of(one, "id"), text_of(one, "signature"), place);
		}
	}
	return any;
}

/* Words of a list may be ids as well as signatures. */
static void read_list(struct ora_baseline *baseline, char *text)
{
	char *state = NULL;
	for (char *line = strtok_r(text, "\r\n", &state); line;
		line = strtok_r(NULL, "\r\n", &state)) {
		line[strcspn(line, "#")] = 0;
		line += strspn(line, " \t");
		size_t length = strlen(line);
		while (length && strchr(" \t", line[length - 1]))
			line[--length] = 0;
		if (length)
			add(baseline, xs_strdup(line));
	}
}

static struct xs_error *read_text(const char *path, char **ret, size_t *size)
{
	FILE *file = fopen(path, "re");
	if (!file)
		return xs_error_sys("%s", path);
	char *text = xs_calloc(1, 1);
	char part[65536];
	*size = 0;
	for (size_t got; (got = fread(part, 1, sizeof part, file)) && *size < LIST_MOST;) {
		text = xs_realloc(text, *size + got + 1, 1);
		memcpy(text + *size, part, got);
		*size += got;
		text[*size] = 0;
	}
	struct xs_error *err = ferror(file) ? xs_error_sys("%s", path)
			       : *size >= LIST_MOST
				       ? xs_error_create("%s: too large for a baseline", path)
				       : NULL;
	fclose(file);
	*ret = text;
	return err;
}

struct xs_error *ora_baseline_load(struct ora_baseline *baseline, const char *path)
{
	XS_AUTO_FREE char *text = NULL;
	size_t size;
	struct xs_error *err = read_text(path, &text, &size);
	if (err)
		return err;
	baseline->path = path;
	if (text[strspn(text, " \t\r\n")] == '{') {
		json_error_t problem;
		xs_utf8_fold_json(text, size);
		json_t *all = json_loadb(text, size, JSON_ALLOW_NUL, &problem);
		const json_t *runs = json_object_get(all, "runs");
		if (!all)
			return xs_error_create(
				"%s:%d: no JSON: %s", path, problem.line, problem.text);
		if (json_is_array(runs))
			read_sarif(baseline, runs);
		else if (!read_json(baseline, all))
			err = xs_error_create(
				"%s: no findings in it: a baseline is what xstep printed with "
				"--format json or sarif, or a list of ids",
				path);
		json_decref(all);
	} else {
		read_list(baseline, text);
	}
	if (baseline->marks.len)
		qsort(baseline->marks.data, baseline->marks.len, sizeof *baseline->marks.data,
			compare);
	return err;
}

bool ora_baseline_has(const struct ora_baseline *baseline, const char *id, const char *signature,
	const char *place)
{
	if (has(baseline, id) || (explains(signature) && has(baseline, signature)))
		return true;
	if (!place)
		return false;
	XS_AUTO_FREE char *both = placed(signature, place);
	return has(baseline, both);
}

void ora_baseline_deinit(struct ora_baseline *baseline)
{
	for (size_t i = 0; i < baseline->marks.len; i++)
		free(baseline->marks.data[i]);
	xs_vec_deinit(&baseline->marks);
	*baseline = (struct ora_baseline){0};
}
