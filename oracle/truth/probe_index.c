#include "oracle/truth/probe_index.h"

#include <ctype.h>

static const char provider[] = "xstep";

/* --- reading ---------------------------------------------------------------------------------- */

/* The next word of [*at, end); its length is 0 if there is none. */
static size_t next_word(const char **at, const char *end)
{
	while (*at < end && **at == ' ')
		(*at)++;
	const char *begin = *at;
	while (begin < end && *begin != ' ')
		begin++;
	return (size_t)(begin - *at);
}

/* Whether a word is LINE:PATH, the path being a name with members and elements. */
static bool is_operand(const char *word, size_t length)
{
	size_t i = 0;
	while (i < length && isdigit((unsigned char)word[i]))
		i++;
	if (!i || i > 9 || i >= length || word[i++] != ':' || i >= length ||
		!(isalpha((unsigned char)word[i]) || word[i] == '_'))
		return false;
	for (; i < length; i++)
		if (!isalnum((unsigned char)word[i]) && !strchr("_.[]$", word[i]))
			return false;
	return true;
}

static uint64_t key_of(const char *name, const char *function)
{
	return xs_hash_text(xs_hash_text(1, name), function);
}

static void read_line(struct ora_probe_index *index, const char *line, const char *end)
{
	const char *at = line;
	size_t length = next_word(&at, end), operands = 0;
	if (!length)
		return;
	XS_AUTO_FREE char *name = xs_asprintf("%.*s", (int)length, at);
	at += length;
	length = next_word(&at, end);
	XS_AUTO_FREE char *function = xs_asprintf("%.*s", (int)length, at);
	at += length;
	const char *rest = at;
	while ((length = next_word(&at, end)) && is_operand(at, length)) {
		at += length;
		operands++;
	}
	if (length || !operands || !*function) {
		index->unread++;
		return;
	}
	uint64_t *known = xs_map_at(&index->found, key_of(name, function), 0);
	XS_AUTO_FREE char *text = xs_asprintf("%.*s", (int)(end - rest), rest);
	if (*known) {
		struct ora_probe_line *first = &index->lines.data[*known - 1];
		first->several |= strcmp(first->rest, text) != 0;
		return;
	}
	struct ora_probe_line fresh = {.name = xs_take(&name), .rest = xs_take(&text)};
	xs_vec_push(&index->lines, fresh);
	*known = index->lines.len;
	/* That there is one at all, whatever the function. */
	*xs_map_at(&index->found, key_of(fresh.name, NULL), 1) = 1;
}

void ora_probe_index_read(struct ora_probe_index *index, const char *text, size_t size)
{
	const char *end = text + size;
	while (text < end) {
		const char *line = text;
		while (text < end && *text != '\n' && *text)
			text++;
		read_line(index, line, text);
		text++;
	}
}

void ora_probe_index_deinit(struct ora_probe_index *index)
{
	for (size_t i = 0; i < index->lines.len; i++) {
		free(index->lines.data[i].name);
		free(index->lines.data[i].rest);
	}
	xs_vec_deinit(&index->lines);
	xs_map_deinit(&index->found);
}

/* --- asking ----------------------------------------------------------------------------------- */

static void add(struct ora_probe_meanings *ret, const char *function, const char *path,
	size_t length, uint32_t line)
{
	struct ora_probe_meaning one = {.function = function ? xs_strdup(function) : NULL,
		.path = xs_asprintf("%.*s", (int)length, path),
		.line = line};
	one.variable = xs_asprintf("%.*s", (int)strcspn(one.path, ".["), one.path);
	xs_vec_push(&ret->vec, one);
}

/* By a line of the section. */
static void read_meanings(const char *rest, const char *function, struct ora_probe_meanings *ret)
{
	const char *end = rest + strlen(rest), *at = rest;
	size_t length;
	for (; (length = next_word(&at, end)); at += length) {
		char *colon;
		uint32_t line = (uint32_t)strtoul(at, &colon, 10);
		add(ret, function, colon + 1, length - (size_t)(colon + 1 - at), line);
	}
}

/* By the probe's own name: `p17__a__b`. */
static bool split_name(const struct di_probe *probe, struct ora_probe_meanings *ret)
{
	const char *at = probe->name;
	if (*at++ != 'p' || !isdigit((unsigned char)*at))
		return false;
	at += strspn(at, "0123456789");
	while (*at) {
		if (strncmp(at, "__", 2) != 0)
			return false;
		at += 2;
		const char *next = strstr(at, "__");
		size_t length = next ? (size_t)(next - at) : strlen(at);
		if (!length || isdigit((unsigned char)*at))
			return false;
		add(ret, NULL, at, length, 0);
		at += length;
	}
	return ret->vec.len == probe->operands.len;
}

void ora_probe_meanings(const struct ora_probe_index *index, const struct di_probe *probe,
	const char *const *functions, size_t count, struct ora_probe_meanings *ret)
{
	*ret = (struct ora_probe_meanings){0};
	if (strcmp(probe->provider, provider) != 0) {
		ret->why = "of other providers, which do not say what their operands are";
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (!functions[i])
			continue;
		const uint64_t *found =
			xs_map_find(&index->found, key_of(probe->name, functions[i]), 0);
		if (!found)
			continue;
		const struct ora_probe_line *line = &index->lines.data[*found - 1];
		if (line->several)
			ret->why = "of a name that .xstep.probes has more than once";
		else
			read_meanings(line->rest, functions[i], ret);
		break;
	}
	if (!ret->why && !ret->vec.len) {
		if (xs_map_find(&index->found, key_of(probe->name, NULL), 1))
			ret->why = "at a pc that by the DWARF is not in the probe's function";
		else if (!split_name(probe, ret))
			ret->why = "that neither the probe's name nor .xstep.probes tells of";
	}
	if (!ret->why && ret->vec.len != probe->operands.len)
		ret->why = "of a probe that has another number of operands in .xstep.probes";
	if (ret->why) {
		const char *why = ret->why;
		ora_probe_meanings_deinit(ret);
		ret->why = why;
	}
}

void ora_probe_meanings_deinit(struct ora_probe_meanings *meanings)
{
	for (size_t i = 0; i < meanings->vec.len; i++) {
		free(meanings->vec.data[i].function);
		free(meanings->vec.data[i].path);
		free(meanings->vec.data[i].variable);
	}
	xs_vec_deinit(&meanings->vec);
	meanings->why = NULL;
}
