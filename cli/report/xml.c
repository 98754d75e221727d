#include "cli/report/xml.h"

#include "base/shown.h"

static void put_markup(FILE *out, char what)
{
	fputs(what == '&' ? "&amp;" : what == '<' ? "&lt;" : what == '>' ? "&gt;" : "&quot;", out);
}

/* Up to its end, or with lines that of a line, where tabs stay. */
static size_t put_line(FILE *out, const char *text, bool lines)
{
	const char *at = text, *ends = lines ? "\n" : "";
	for (;;) {
		size_t plain = strcspn(at, "&<>\"") < strcspn(at, ends) ? strcspn(at, "&<>\"")
									: strcspn(at, ends);
		(lines ? xs_shown_line : xs_shown_write)(out, at, plain);
		at += plain;
		if (!*at || strchr(ends, *at))
			return (size_t)(at - text);
		put_markup(out, *at++);
	}
}

void cli_xml_text(FILE *out, const char *text)
{
	put_line(out, text ? text : "", false);
}

void cli_xml_lines(FILE *out, const char *text)
{
	for (const char *at = text ? text : ""; *at;) {
		at += put_line(out, at, true);
		if (*at == '\n') {
			putc('\n', out);
			at++;
		}
	}
}
