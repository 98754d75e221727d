/* intern.h - small numbers for things that come again and again, told apart by their bytes. */
#ifndef ORA_INTERN_H
#define ORA_INTERN_H

#include "base/map.h"
#include "base/vec.h"

struct ora_interned {
	char *bytes; /* a copy, with a NUL behind it */
	size_t size; /* without that */
};

/* Zero-initialised is empty and usable. */
struct ora_intern {
	struct xs_map map;                /* hash of the bytes -> index into list, plus 1 */
	XS_VEC(struct ora_interned) list; /* number n is list.data[n - 1] */
};

/* The number of these bytes, from 1 on; the next one, and *fresh set, if they are new. */
uint32_t ora_intern(struct ora_intern *intern, const void *bytes, size_t size, bool *fresh);
/* The number of these bytes, 0 if they are new. */
uint32_t ora_intern_find(const struct ora_intern *intern, const void *bytes, size_t size);
void ora_intern_deinit(struct ora_intern *intern);

#endif
