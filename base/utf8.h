/* utf8.h - which bytes are text.
 *
 * xstep writes a byte that is not UTF-8 as a lone surrogate into JSON, which keeps it and which
 * jansson refuses to read. Both that and the byte itself fold to U+FFFD, so that what was written
 * and read again can be compared with what is at hand. */
#ifndef XS_UTF8_H
#define XS_UTF8_H

#include <stddef.h>

/* How many bytes the UTF-8 character at text has; 0 if there is none. */
unsigned xs_utf8_length(const char *text);
/* A text with U+FFFD for each byte that is not UTF-8; to be freed. */
char *xs_utf8_fold(const char *text);
/* Puts \ufffd in place of each lone surrogate in JSON of so many bytes. Pairs are characters, and
 * stay. */
void xs_utf8_fold_json(char *json, size_t size);

#endif
