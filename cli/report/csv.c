#include "cli/report/csv.h"

#include <stdbool.h>
#include <string.h>

#include "base/shown.h"

/* Whether a spreadsheet may take a text for something to be worked out: numbers it may, and -O2. */
static bool is_formula(const char *text)
{
	return strchr("=+@", *text) ? *text : *text == '-' && strpbrk(text, "|!(");
}

void cli_csv_field(FILE *out, const char *text)
{
	if (!text)
		return;
	bool formula = is_formula(text);
	if (!formula && !strpbrk(text, ",\"\n\r")) {
		xs_shown_put(out, text);
		return;
	}
	fputs(formula ? "\"'" : "\"", out);
	for (;;) {
		size_t length = strcspn(text, "\"");
		xs_shown_write(out, text, length);
		text += length;
		if (!*text++)
			break;
		fputs("\"\"", out);
	}
	putc('"', out);
}
