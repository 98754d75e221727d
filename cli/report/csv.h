/* csv.h - fields of comma-separated values. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdio.h>

/* A field, quoted as in RFC 4180 where it needs to be; nothing for NULL. What a spreadsheet would
 * take for a formula gets an apostrophe in front. What a terminal would obey is shown
 * (base/shown.h). */
void cli_csv_field(FILE *out, const char *text);

#endif
