#include "cli/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/markdown.h"
#include "base/shown.h"

/* A line of as many marks as a text has bytes, as far as that is of use. */
static void underline(FILE *out, const char *text, char mark)
{
	size_t length = strlen(text);
	for (size_t i = 0; i < length && i < 72; i++)
		xs_print(out, "%c", mark);
	putc('\n', out);
}

void cli_page_title(const struct cli_page *page, const char *text)
{
	if (page->markdown) {
		fputs("# ", page->out);
		xs_markdown_text(page->out, text);
		fputs("\n\n", page->out);
		return;
	}
	xs_print(page->out, "%s\n", text);
	underline(page->out, text, '=');
	putc('\n', page->out);
}

void cli_page_heading(const struct cli_page *page, const char *text)
{
	if (page->markdown) {
		xs_print(page->out, "\n## %s\n\n", text);
		return;
	}
	xs_print(page->out, "\n%s\n", text);
	underline(page->out, text, '-');
	putc('\n', page->out);
}

void cli_page_text(const struct cli_page *page, const char *text)
{
	if (page->markdown)
		xs_markdown_text(page->out, text);
	else
		xs_print(page->out, "%s", text);
}

void cli_page_code(const struct cli_page *page, const char *name)
{
	if (page->markdown)
		xs_markdown_code(page->out, name);
	else
		xs_print(page->out, "%s", name);
}

void cli_page_item(const struct cli_page *page, const char *word, const char *text)
{
	fputs("- ", page->out);
	cli_page_text(page, word);
	fputs(": ", page->out);
	cli_page_text(page, text);
	putc('\n', page->out);
}

void cli_page_block(const struct cli_page *page, const char *lines)
{
	xs_shown_lines(page->out, "    ", lines);
}

void cli_page_file(const struct cli_page *page, FILE *from)
{
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	rewind(from);
	while (getline(&line, &size, from) >= 0)
		cli_page_block(page, line);
}
