/* opaque.h - a source with calls of a function that nobody can look into, SRC_OPAQUE, to which the
 * visible locals are passed. Where such a call is, a debugger ought to show them. */
#ifndef SRC_OPAQUE_H
#define SRC_OPAQUE_H

#include "source/uses.h"

/* Of the function: `void xstep_opaque(int count, ...)`, to be defined in another unit. */
#define SRC_OPAQUE "xstep_opaque"

/* Writes the source with one call in each function that has a place and a variable for it, chosen
 * by the seed. Returns how many. */
size_t src_inject_opaque(
	const struct src_unit *unit, const struct src_facts *facts, uint64_t seed, FILE *out);

#endif
