/* search.h - binary search in what is sorted.
 *
 *	size_t i;
 *	xs_search(i, 0, rows.len, rows.data[i].address < pc);
 *
 * leaves in i the first index of [0, rows.len) for which the condition does not hold, or rows.len
 * if it holds for all. It must hold up to some index and for none from there on. A macro, for
 * bsearch() finds one that is equal, and what is wanted here is mostly a neighbour. */
#ifndef XS_SEARCH_H
#define XS_SEARCH_H

#include <stddef.h>

#define xs_search(index, from, to, is_before)                                                      \
	do {                                                                                       \
		size_t xs_lo = (from), xs_hi = (to);                                               \
		while (xs_lo < xs_hi) {                                                            \
			(index) = xs_lo + (xs_hi - xs_lo) / 2;                                     \
			if (is_before)                                                             \
				xs_lo = (index) + 1;                                               \
			else                                                                       \
				xs_hi = (index);                                                   \
		}                                                                                  \
		(index) = xs_lo;                                                                   \
	} while (0)

#endif
