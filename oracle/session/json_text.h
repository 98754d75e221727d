/* json_text.h - any text as a JSON string of jansson's. */
#ifndef ORA_JSON_TEXT_H
#define ORA_JSON_TEXT_H

#include <jansson.h>

/* A new reference; null for NULL. Bytes that are not UTF-8 become U+FFFD: jansson refuses them. */
json_t *ora_json_text(const char *text);

#endif
