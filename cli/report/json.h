/* json.h - JSON, written to a stream. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "oracle/witness/own/facts.h"
#include "oracle/store/told.h"

/* A string, or null. Bytes that are not UTF-8 become lone surrogates, U+DC80 to U+DCFF. What a
 * terminal would obey (base/shown.h) is written as its number, \u009b. */
void cli_json_string(FILE *out, const char *text);
/* A path as a URI reference: all that may mean something there is written as its number. */
void cli_json_uri(FILE *out, const char *path);
/* What stands between the quotes of a string, or part of that. */
void cli_json_part(FILE *out, const char *text);
/* A line with a value of jansson's. */
void cli_json_dump(FILE *out, const json_t *value);
/* A comma, `"key":` and a string. */
void cli_json_key(FILE *out, const char *key, const char *text);
/* The one entry per leaf that all commands share; foreign: with what debuggers say besides. */
void cli_json_told(FILE *out, const struct ora_told_fact *fact, const char *symbol, bool foreign);
/* The same for what dwarf/ has just worked out. */
void cli_json_fact(FILE *out, const struct ora_fact *fact, const char *symbol);

#endif
