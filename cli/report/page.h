/* page.h - one text in two forms: GitHub's Markdown, and plain text as a Bugzilla wants it.
 *
 * What is written is described once, and printed twice. Names and what debuggers say are shown as
 * base/markdown.h or base/shown.h has them: nobody can forge a heading or a line of ours. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/cleanup.h"

struct cli_page {
	FILE *out;
	bool markdown; /* else it is plain text */
};

/* The title, and a heading, with an empty line around them. */
void cli_page_title(const struct cli_page *page, const char *text);
void cli_page_heading(const struct cli_page *page, const char *text);
/* Somebody's sentence, or name, in a line of ours. */
void cli_page_text(const struct cli_page *page, const char *text);
void cli_page_code(const struct cli_page *page, const char *name);
/* `- word: text`, a line. */
void cli_page_item(const struct cli_page *page, const char *word, const char *text);
/* Lines of code or of a session, a block of their own. */
void cli_page_block(const struct cli_page *page, const char *lines);
/* What a file has, from its beginning, as a block. */
void cli_page_file(const struct cli_page *page, FILE *from);

#endif
