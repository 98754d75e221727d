#include "oracle/session/where.h"

#include <errno.h>
#include <inttypes.h>

static bool take_number(const char *text, uint64_t *ret)
{
	char *end;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *ret;
}

bool ora_where_read(const char *text, struct ora_where *ret)
{
	char *comma, *colon;
	*ret = (struct ora_where){.copy = xs_strdup(text)};
	if ((comma = strchr(ret->copy, ','))) {
		char *second = strchr(comma + 1, ',');
		ret->prev = ret->copy;
		ret->pc = comma + 1;
		*comma = 0;
		if (second)
			*second = 0;
		return second && take_number(second + 1, &ret->n);
	}
	if (!strncmp(text, "0x", 2) || strstr(text, "+0x")) {
		ret->pc = ret->copy;
		return true;
	}
	if ((colon = strrchr(ret->copy, ':'))) {
		*colon = 0;
		ret->file = ret->copy;
		return take_number(colon + 1, &ret->line);
	}
	return take_number(text, &ret->number);
}

void ora_where_deinit(struct ora_where *where)
{
	free(where->copy);
}

static bool is_place(const struct ora_store_place *place, const char *text)
{
	char buffer[200];
	if (!place)
		return !strcmp(text, "") || !strcmp(text, "null") || !strcmp(text, "-");
	snprintf(buffer, sizeof buffer, "%s%s0x%" PRIx64, place->module ? place->module : "",
		place->module ? "+" : "", place->address);
	return !strcmp(buffer, text);
}

static bool is_file(const char *path, const char *wanted)
{
	size_t length = path ? strlen(path) : 0, size = strlen(wanted);
	return path && length >= size && !strcmp(path + length - size, wanted) &&
	       (length == size || path[length - size - 1] == '/');
}

static bool is_there(const struct ora_where *where, const struct ora_told *stop)
{
	const struct ora_store_place *place = stop->place;
	return (!where->number || stop->number == where->number) &&
	       (!where->prev || is_place(stop->prev, where->prev)) &&
	       (!where->pc || is_place(place, where->pc)) && (!where->n || stop->n == where->n) &&
	       (!where->line || (place->has_row && place->line == where->line)) &&
	       (!where->file || is_file(place->file, where->file));
}

struct xs_error *ora_where_find(const struct ora_where *where, struct ora_reader *reader,
	const struct ora_told **ret, uint64_t *before, uint64_t *after)
{
	struct xs_error *err;
	*before = *after = 0;
	while (!(err = ora_reader_next(reader, ret)) && *ret) {
		const struct ora_told *stop = *ret;
		if (is_there(where, stop))
			return NULL;
		if (where->number && stop->number < where->number)
			*before = stop->number;
		if (where->number && stop->number > where->number) {
			*after = stop->number;
			*ret = NULL;
			return NULL;
		}
	}
	return err;
}
