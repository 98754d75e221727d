#include "oracle/judge/known.h"

#include <fnmatch.h>
#include <stdbool.h>

extern const char ora_known_text[]; /* known.txt */

/* Without blanks around it. */
static char *trim(char *text)
{
	text += strspn(text, " \t\r\n");
	for (size_t length = strlen(text); length && strchr(" \t\r\n", text[length - 1]);)
		text[--length] = 0;
	return text;
}

/* One line; false if it makes no sense. */
static bool add_line(struct ora_known *known, char *line)
{
	char *rest = trim(line);
	if (!*rest || *rest == '#')
		return true;
	char *pattern = strsep(&rest, "|"), *reference = strsep(&rest, "|");
	if (!reference || !*trim(pattern) || !*trim(reference))
		return false;
	struct ora_known_bug bug = {.pattern = xs_strdup(trim(pattern)),
		.reference = xs_strdup(trim(reference)),
		.note = rest ? xs_strdup(trim(rest)) : NULL};
	xs_vec_push(&known->vec, bug);
	return true;
}

void ora_known_shipped(struct ora_known *known)
{
	XS_AUTO_FREE char *text = xs_strdup(ora_known_text);
	char *rest = text;
	for (char *line; (line = strsep(&rest, "\n"));)
		xs_assert(add_line(known, line));
}

struct xs_error *ora_known_load(struct ora_known *known, const char *path)
{
	XS_AUTO_FILE FILE *file = fopen(path, "re");
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	if (!file)
		return xs_error_sys("--known %s", path);
	for (unsigned number = 1; getline(&line, &size, file) >= 0; number++)
		if (!add_line(known, line))
			return xs_error_create(
				"%s:%u: expected PATTERN | REFERENCE | NOTE", path, number);
	return ferror(file) ? xs_error_sys("%s", path) : NULL;
}

static const struct ora_known_bug *find(const struct ora_known *known, const char *text)
{
	for (size_t i = 0; i < known->vec.len; i++)
		if (!fnmatch(known->vec.data[i].pattern, text, 0))
			return &known->vec.data[i];
	return NULL;
}

char *ora_known_find(const struct ora_known *known, const char *signature)
{
	const struct ora_known_bug *bug = find(known, signature);
	if (bug)
		return xs_strdup(bug->reference);
	/* The word with the WHO:WHYs is the one with a colon; `[` begins the features. */
	XS_AUTO_FREE char *copy = xs_strdup(signature);
	char *rest = copy, *word;
	do
		word = strsep(&rest, " ");
	while (word && !strchr(word, ':'));
	char *ret = NULL;
	for (char *part; word && (part = strsep(&word, ","));) {
		bug = find(known, part);
		if (!bug) {
			free(ret);
			return NULL;
		}
		char *longer = ret ? xs_asprintf("%s; %s", ret, bug->reference)
				   : xs_strdup(bug->reference);
		free(ret);
		ret = longer;
	}
	return ret;
}

void ora_known_deinit(struct ora_known *known)
{
	for (size_t i = 0; i < known->vec.len; i++) {
		free(known->vec.data[i].pattern);
		free(known->vec.data[i].reference);
		free(known->vec.data[i].note);
	}
	xs_vec_deinit(&known->vec);
}
