#include "oracle/store/intern.h"

#include <string.h>

static void hash(const void *bytes, size_t size, uint64_t *a, uint64_t *b)
{
	const unsigned char *at = bytes;
	*a = xs_mix(size);
	*b = ~*a;
	while (size) {
		uint64_t word = 0;
		size_t part = size < sizeof word ? size : sizeof word;
		memcpy(&word, at, part);
		*a = xs_mix(*a ^ word);
		*b = xs_mix(*b + word) ^ *a;
		at += part;
		size -= part;
	}
}

static bool is(const struct ora_intern *intern, uint64_t number, const void *bytes, size_t size)
{
	const struct ora_interned *known = &intern->list.data[number - 1];
	return known->size == size && (!size || !memcmp(known->bytes, bytes, size));
}

uint32_t ora_intern_find(const struct ora_intern *intern, const void *bytes, size_t size)
{
	uint64_t a, b;
	const uint64_t *number;
	hash(bytes, size, &a, &b);
	/* Somebody may have made two things of the same hash: the second one is at the next key. */
	while ((number = xs_map_find(&intern->map, a, b)) && *number) {
		if (is(intern, *number, bytes, size))
			return (uint32_t)*number;
		b++;
	}
	return 0;
}

uint32_t ora_intern(struct ora_intern *intern, const void *bytes, size_t size, bool *fresh)
{
	uint64_t a, b, *number;
	hash(bytes, size, &a, &b);
	while (*(number = xs_map_at(&intern->map, a, b))) {
		if (is(intern, *number, bytes, size)) {
			*fresh = false;
			return (uint32_t)*number;
		}
		b++;
	}
	struct ora_interned one = {.bytes = xs_calloc(size + 1, 1), .size = size};
	if (size)
		memcpy(one.bytes, bytes, size);
	xs_vec_push(&intern->list, one);
	*number = intern->list.len;
	*fresh = true;
	return (uint32_t)intern->list.len;
}

void ora_intern_deinit(struct ora_intern *intern)
{
	for (size_t i = 0; i < intern->list.len; i++)
		free(intern->list.data[i].bytes);
	xs_vec_deinit(&intern->list);
	xs_map_deinit(&intern->map);
}
