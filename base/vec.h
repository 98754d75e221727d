/* vec.h - a growable array: `XS_VEC(struct di_row) rows;`, zero-initialised, is empty and usable.
 *
 * Own, not a library's: it is twenty lines, the elements stay plain C arrays that a debugger can
 * show, and qsort and bsearch work on them. Growing moves the elements: keep indices, not
 * pointers, while one grows. */
#ifndef XS_VEC_H
#define XS_VEC_H

#include "base/alloc.h"

#define XS_VEC(type)                                                                               \
	struct {                                                                                   \
		type *data;                                                                        \
		size_t len, cap;                                                                   \
	}

#define xs_vec_push(vec, item)                                                                     \
	((vec)->data = xs_vec_grow((vec)->data, &(vec)->cap, (vec)->len + 1, sizeof *(vec)->data), \
		(void)((vec)->data[(vec)->len++] = (item)))

#define xs_vec_deinit(vec) (free((vec)->data), (vec)->data = NULL, (vec)->len = (vec)->cap = 0)

struct xs_strings {
	XS_VEC(const char *) vec; /* in the order given; the texts are somebody else's */
};

static inline void *xs_vec_grow(void *data, size_t *cap, size_t needed, size_t size)
{
	if (needed <= *cap)
		return data;
	while (*cap < needed)
		*cap = *cap ? *cap * 2 : 8;
	return xs_realloc(data, *cap, size);
}

#endif
