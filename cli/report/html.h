/* html.h - pages to look at: one file, without a network, a server or a library.
 *
 * Rules:
 * 1. A page is whole: style, scripts and data are in it, and it asks nobody for anything. Its
 *    policy says so to the browser: nothing but the style and the scripts of this build may act, by
 *    their hashes. There is no style in an element.
 * 2. What there is to read is markup, made here. Scripts only move what is there, but for a trace
 *    that is walked through. All data is in one block of JSON, at the end.
 * 3. Texts of others are text, wherever they stand: cli_html() escapes each %s, as base/shown.h and
 *    XML want it; in the block of JSON no text can end the block. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "base/cleanup.h"

/* fprintf(), except that each %s is text in HTML, as content or in double quotes. The conversions
 * are d u x s c and f, with l or z; a precision goes with s and f. */
void cli_html(FILE *out, const char *format, ...) XS_PRINTF(2, 3);
/* Lines of text: breaks and tabs stay. */
void cli_html_lines(FILE *out, const char *text);

/* Begins a page; it ends with the data, a whole JSON text, and the scripts: the one that all pages
 * have, and `more`, if that is not NULL. */
void cli_html_begin(FILE *out, const char *title, const char *more);
void cli_html_end(FILE *out, const char *data, const char *more);

/* Begins a <div> with a button that copies what the element PART-ID in it holds. The button is
 * there with scripts only. */
void cli_html_copy(FILE *out, const char *id, const char *part, const char *label);

#endif
