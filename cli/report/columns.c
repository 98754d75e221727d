#include "cli/report/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/shown.h"

enum { DOTS = 3 };

static bool begins_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

/* How many bytes the first characters of a text have. */
static size_t bytes_of(const char *text, size_t characters)
{
	size_t at = 0;
	for (; text[at]; at++)
		if (begins_character(text[at]) && !characters--)
			break;
	return at;
}

void cli_columns_vprint(FILE *out, size_t width, const char *format, va_list args)
{
	char *text = NULL;
	size_t size = 0;
	FILE *held = open_memstream(&text, &size);
	xs_assert(held);
	xs_vprint(held, format, args);
	xs_assert(!fclose(held));
	size_t whole = bytes_of(text, width);
	if (!text[whole])
		xs_shown_put(out, text);
	else
		xs_shown_write(out, text, bytes_of(text, width > DOTS ? width - DOTS : width));
	if (text[whole] && width > DOTS)
		fputs("...", out);
	free(text);
}

void cli_columns_print(FILE *out, size_t width, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	cli_columns_vprint(out, width, format, args);
	va_end(args);
}
