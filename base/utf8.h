/* utf8.h - which bytes are text. */
#ifndef XS_UTF8_H
#define XS_UTF8_H

/* How many bytes the UTF-8 character at text has; 0 if there is none. */
unsigned xs_utf8_length(const char *text);

#endif
