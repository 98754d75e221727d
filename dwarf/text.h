/* text.h - text that grows in a buffer of the caller's and is cut, visibly, at its end. */
#ifndef DI_TEXT_H
#define DI_TEXT_H

#include <stddef.h>

#include "base/cleanup.h"

/* `struct di_text text = {.buf = buf, .size = sizeof buf};`, with room for one character or more.
 */
struct di_text {
	char *buf;   /* always ends in NUL once something was put there */
	size_t size; /* of the buffer */
	size_t len;  /* of the text so far */
};

/* Appends. What does not fit is replaced by "..." at the end of the buffer. */
void di_text_put(struct di_text *text, const char *format, ...) XS_PRINTF(2, 3);

#endif
