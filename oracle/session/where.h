/* where.h - a stop of a stored trace, as a user names it: its number N; PREV,PC,N; or the first one
 * at 0xPC, MODULE+0xPC or FILE:LINE. */
#ifndef ORA_WHERE_H
#define ORA_WHERE_H

#include "oracle/store/store.h"

struct ora_where {
	uint64_t number;  /* of a stop, 0: none was given */
	char *prev, *pc;  /* as they are written; NULL: not given */
	uint64_t n;       /* 0: not given */
	const char *file; /* or its end; NULL: any */
	uint64_t line;    /* 0: not given */
	char *copy;       /* its own: what those point to */
};

/* Reads what the user wrote; false if it makes no sense. */
bool ora_where_read(const char *text, struct ora_where *ret);
void ora_where_deinit(struct ora_where *where);

/* Reads on until the stop is there; *ret is NULL if it was not kept. Of a number that was not kept
 * *before and *after are the nearest ones that were, 0 if there are none. */
XS_MUST_CHECK struct xs_error *ora_where_find(const struct ora_where *where,
	struct ora_reader *reader, const struct ora_told **ret, uint64_t *before, uint64_t *after);

#endif
