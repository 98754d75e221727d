/* addr.h - addresses in the program under test.
 *
 * They are numbers, never pointers: nothing here can be dereferenced by mistake. A range is
 * half-open, [lo, hi). */
#ifndef XS_ADDR_H
#define XS_ADDR_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef uint64_t xs_addr;

#define XS_ADDR_NONE UINT64_MAX /* "no address", for example the prev of the first stop */

struct xs_range {
	xs_addr lo; /* first address inside */
	xs_addr hi; /* first address behind */
};

/* A set of addresses. Add in any order, then normalise once; from then on it is sorted, free of
 * overlap, and can be asked. */
struct xs_ranges {
	XS_VEC(struct xs_range) vec;
};

/* Adds [lo, hi); an empty range adds nothing. */
void xs_ranges_add(struct xs_ranges *ranges, xs_addr lo, xs_addr hi);
/* Adds all of another set. */
void xs_ranges_add_all(struct xs_ranges *ranges, const struct xs_ranges *more);
void xs_ranges_normalise(struct xs_ranges *ranges);
/* The range that holds addr, or NULL. */
const struct xs_range *xs_ranges_find(const struct xs_ranges *ranges, xs_addr addr);
/* Whether any address of [lo, hi) is in them. */
bool xs_ranges_meet(const struct xs_ranges *ranges, xs_addr lo, xs_addr hi);
/* Takes everything that is in `out` away. Both are normalised, before and after. */
void xs_ranges_subtract(struct xs_ranges *ranges, const struct xs_ranges *out);
/* Takes everything that is not in `in` away. Both are normalised, before and after. */
void xs_ranges_intersect(struct xs_ranges *ranges, const struct xs_ranges *in);
void xs_ranges_deinit(struct xs_ranges *ranges);

#endif
