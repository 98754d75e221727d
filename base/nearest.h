/* nearest.h - the word that somebody probably meant. */
#ifndef XS_NEAREST_H
#define XS_NEAREST_H

#include <stddef.h>

struct xs_nearest {
	const char *word; /* what was typed */
	const char *best; /* the nearest candidate so far, NULL if none is near enough */
	size_t distance;  /* only what is nearer than this counts; a third of the word at first */
};

struct xs_nearest xs_nearest_to(const char *word);
/* Takes candidate if it is nearer than the best so far; the first of equals stays. */
void xs_nearest_try(struct xs_nearest *nearest, const char *candidate);

#endif
