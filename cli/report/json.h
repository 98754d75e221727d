/* json.h - JSON, written to a stream. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

#include "oracle/witness/own/facts.h"
#include "oracle/store/told.h"

/* A string, or null. Bytes that are not UTF-8 become lone surrogates, U+DC80 to U+DCFF. */
void cli_json_string(FILE *out, const char *text);
/* A comma, `"key":` and a string. */
void cli_json_key(FILE *out, const char *key, const char *text);
/* The one entry per leaf that all commands share; foreign: with what debuggers say besides. */
void cli_json_told(FILE *out, const struct ora_told_fact *fact, const char *symbol, bool foreign);
/* The same for what dwarf/ has just worked out. */
void cli_json_fact(FILE *out, const struct ora_fact *fact, const char *symbol);

#endif
