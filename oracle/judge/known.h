/* known.h - bugs that are reported already: from signatures to references (known.txt). */
#ifndef ORA_KNOWN_H
#define ORA_KNOWN_H

#include "base/error.h"
#include "base/vec.h"

struct ora_known_bug {
	char *pattern, *reference, *note;
};

struct ora_known {
	XS_VEC(struct ora_known_bug) vec;
};

/* What xstep is shipped with. */
void ora_known_shipped(struct ora_known *known);
/* Adds a user's file. A line that makes no sense is an error that names it. */
XS_MUST_CHECK struct xs_error *ora_known_load(struct ora_known *known, const char *path);
/* The references of a signature, to be freed; NULL if not all of it is known. */
char *ora_known_find(const struct ora_known *known, const char *signature);
void ora_known_deinit(struct ora_known *known);

#endif
