/* map.h - a hash map from a pair of numbers to a number.
 *
 * One key shape serves all of xstep: (prev, pc) of a transition, (pc, 0) of a place, (offset, 0) of
 * a table. Open addressing with linear probing, own and small, because the count of a transition
 * is looked up once per executed instruction: packaged maps either allocate per entry (uthash) or
 * are C++. Values move when the map grows: a pointer from xs_map_at() lives until the next one. */
#ifndef XS_MAP_H
#define XS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xs_map_slot {
	uint64_t a, b;  /* the key */
	uint64_t value; /* yours */
	bool used;      /* whether this slot holds an entry */
};

/* Zero-initialised is empty and usable. */
struct xs_map {
	struct xs_map_slot *slots; /* a power of two of them; walk those that are used */
	size_t cap;                /* how many slots */
	size_t len;                /* how many are used */
};

/* splitmix64's finaliser: every input bit reaches every output bit. Also what the sampler uses. */
uint64_t xs_mix(uint64_t x);
/* A text as part of a key: what was hashed before goes on in it. NULL is as good as "". Two texts
 * of one hash would be a miracle. */
uint64_t xs_hash_text(uint64_t hash, const char *text);

/* The value of (a, b), entered as 0 if it is new. Never NULL. */
uint64_t *xs_map_at(struct xs_map *map, uint64_t a, uint64_t b);
/* The value of (a, b), or NULL if it was never entered. */
const uint64_t *xs_map_find(const struct xs_map *map, uint64_t a, uint64_t b);
void xs_map_deinit(struct xs_map *map);

#endif
