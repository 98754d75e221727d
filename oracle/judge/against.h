/* against.h - whether what is said of an optimised program can be, by an unoptimised build of its
 * source.
 *
 * Rules:
 * 1. Arrivals on a line are looked at: stops at a row with is_stmt where the program has just left
 *    another line. The values of the innermost function's own variables are compared there with
 *    those that they have while the other build is on that line of that function, and right after
 *    it: a value may come early.
 * 2. With as many arrivals on a line in both, the n-th is compared with the n-th; else with all.
 * 3. Left out are pointers, which differ between builds; what is not declared yet, which may be
 *    anything; what is at file scope, for a store to it may be late without a word; and what the
 *    DWARF says is in memory: its value is then what is there, written or not.
 * 4. A variable is the same if function, name, declaration (file name and line) and path are. One
 *    that the other build does not have is not compared.
 *
 * Whatever is found, the debuggers showed what the DWARF says: it is the producer who is wrong. */
#ifndef ORA_AGAINST_H
#define ORA_AGAINST_H

#include "oracle/judge/compare.h"

/* Adds what does not fit in `trace` by `other` to the comparison's differences, as said by the
 * witness of index w there. Both traces have all stops. path is the program of the first. */
XS_MUST_CHECK struct xs_error *ora_against(struct ora_comparison *comparison, size_t w,
	uint64_t trace, uint64_t other, const char *path);

#endif
