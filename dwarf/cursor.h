/* cursor.h - reads numbers and strings from the bytes of one section, never past their end.
 *
 * Rules:
 * 1. A read that does not fit leaves the position where it was and returns 0 (or "").
 * 2. The first such read marks the cursor as failed; later reads fail too. So a decoder may read a
 *    whole header and ask once, by di_cursor_error(), whether all of it was there.
 * 3. The bytes belong to somebody else and outlive the cursor. */
#ifndef DI_CURSOR_H
#define DI_CURSOR_H

#include "base/addr.h"
#include "base/error.h"
#include "dwarf/why.h"

struct di_cursor {
	const char *section;  /* name for messages, ".debug_line" */
	const uint8_t *start; /* first byte of the section */
	const uint8_t *at;    /* next byte to read */
	const uint8_t *end;   /* behind the last byte that may be read */
	size_t failed_at;     /* offset of the first read that did not fit */
	size_t failed_need;   /* how many bytes it asked for */
	bool failed;          /* whether there was one */
};

/* A cursor over the size bytes at data, which begin at offset 0 of the section. */
struct di_cursor di_cursor_over(const char *section, const void *data, size_t size);

static inline size_t di_cursor_offset(const struct di_cursor *cursor)
{
	return (size_t)(cursor->at - cursor->start);
}

static inline size_t di_cursor_left(const struct di_cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

uint64_t di_cursor_u(struct di_cursor *cursor, unsigned bytes); /* 1 to 8, little-endian */
int64_t di_cursor_s(struct di_cursor *cursor, unsigned bytes);  /* the same, sign-extended */
uint64_t di_cursor_uleb(struct di_cursor *cursor);              /* bits past the 64th are dropped */
int64_t di_cursor_sleb(struct di_cursor *cursor);
/* A NUL-terminated string inside the section; "" if it does not end there. */
const char *di_cursor_string(struct di_cursor *cursor);
/* size bytes inside the section, or NULL. */
const uint8_t *di_cursor_bytes(struct di_cursor *cursor, uint64_t size);

/* NULL if every read fitted, otherwise `.debug_line+0x4c: expected 4 bytes, have 2`. */
XS_MUST_CHECK struct xs_error *di_cursor_error(const struct di_cursor *cursor);
/* The same as a reason; its code is NONE if every read fitted. */
struct di_why di_cursor_why(const struct di_cursor *cursor);

#endif
