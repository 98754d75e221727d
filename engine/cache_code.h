/* cache_code.h - how code of the cache is written: for those who make it. */
#ifndef ENG_CACHE_CODE_H
#define ENG_CACHE_CODE_H

#include <stddef.h>

#include "engine/cache.h"

/* Bytes that one block and its edges may need. */
enum { ENG_CACHE_ROOM = 16384 };

/* Address of a field of the data, and of an element of an array there. */
#define ENG_CACHE_DATA(cache, field) ((cache)->data_at + offsetof(struct eng_cache_data, field))
static inline xs_addr eng_cache_element(xs_addr array, size_t index)
{
	return array + index * sizeof(uint64_t);
}

/* Sets of registers that have been saved. */
enum {
	ENG_SAVED_NONE = 0,
	ENG_SAVED_RCX = 1 << ENG_EMIT_RCX,
	ENG_SAVED_ALL = 1 << ENG_EMIT_RAX | 1 << ENG_EMIT_RCX | 1 << ENG_EMIT_RDX,
};

/* Begins code behind all that there is, and adds it to that. */
void eng_cache_begin(const struct eng_cache *cache, struct eng_emit *emit);
void eng_cache_end(struct eng_cache *cache, const struct eng_emit *emit);
/* Says what is true from `at` on, which is behind all other points. */
void eng_cache_add_point(struct eng_cache *cache, xs_addr at, enum eng_cache_kind kind,
	unsigned saved, int32_t sp, size_t owner, size_t index);
size_t eng_cache_pair(struct eng_cache *cache, xs_addr source, xs_addr target);
/* Who counts a transition from now on: see eng_cache.owners. */
void eng_cache_own(struct eng_cache *cache, size_t counter, uint32_t owner);
/* Puts a jmp over code that is there already. */
void eng_cache_patch(struct eng_cache *cache, xs_addr at, xs_addr to);

/* rcx has been saved; counts down, and goes `by` bytes on at zero. */
void eng_cache_emit_count(struct eng_emit *emit, xs_addr counter, int8_t by);
/* rcx has the key of the last source plus the target, all are saved: goes to where the table
 * says. */
void eng_cache_emit_lookup(struct eng_cache *cache, struct eng_emit *emit);
/* Code that leaves the ranges by the source at pc, for who has saved rcx and noted the source,
 * or has done neither. */
xs_addr eng_cache_leave(struct eng_cache *cache, xs_addr pc, xs_addr target, bool looked_up);
/* The code that looks into the other slots of the table. */
void eng_cache_make_slow(struct eng_cache *cache);

#endif
