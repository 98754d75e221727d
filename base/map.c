#include "base/map.h"

#include "base/alloc.h"

uint64_t xs_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

uint64_t xs_hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++) /* FNV-1a */
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return xs_mix(hash ^ 0xff);
}

/* The slot of (a, b), or the free one where it belongs. The map must not be full. */
static struct xs_map_slot *probe(const struct xs_map *map, uint64_t a, uint64_t b)
{
	size_t i = xs_mix(a ^ xs_mix(b)) & (map->cap - 1);
	while (map->slots[i].used && (map->slots[i].a != a || map->slots[i].b != b))
		i = (i + 1) & (map->cap - 1);
	return &map->slots[i];
}

static void grow(struct xs_map *map)
{
	struct xs_map old = *map;
	map->cap = old.cap ? old.cap * 2 : 64;
	map->slots = xs_calloc(map->cap, sizeof *map->slots);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].used)
			*probe(map, old.slots[i].a, old.slots[i].b) = old.slots[i];
	free(old.slots);
}

uint64_t *xs_map_at(struct xs_map *map, uint64_t a, uint64_t b)
{
	if (map->len * 4 >= map->cap * 3)
		grow(map);
	struct xs_map_slot *slot = probe(map, a, b);
	if (!slot->used) {
		*slot = (struct xs_map_slot){.a = a, .b = b, .used = true};
		map->len++;
	}
	return &slot->value;
}

const uint64_t *xs_map_find(const struct xs_map *map, uint64_t a, uint64_t b)
{
	if (!map->cap)
		return NULL;
	const struct xs_map_slot *slot = probe(map, a, b);
	return slot->used ? &slot->value : NULL;
}

void xs_map_deinit(struct xs_map *map)
{
	free(map->slots);
	*map = (struct xs_map){0};
}
