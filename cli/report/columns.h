/* columns.h - lines that are cut where a screen ends. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include <stdarg.h>
#include <stdio.h>

#include "base/cleanup.h"

/* What any terminal has room for: so many characters in a line, and so many lines. */
enum { CLI_COLUMNS = 79, CLI_ROWS = 24 };

/* As xs_print(); of more than `width` characters the last are dots. The format has no line
 * break. */
void cli_columns_print(FILE *out, size_t width, const char *format, ...) XS_PRINTF(3, 4);
void cli_columns_vprint(FILE *out, size_t width, const char *format, va_list args) XS_PRINTF(3, 0);

#endif
