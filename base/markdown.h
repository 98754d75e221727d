/* markdown.h - text that others wrote, in a page of Markdown.
 *
 * Whatever a name says, it makes no HTML, link, image, heading, row or cell of its own, and ends no
 * code that it stands in. What a terminal would obey is shown as base/shown.h has it. GitHub's
 * dialect is meant: CommonMark with tables. */
#ifndef XS_MARKDOWN_H
#define XS_MARKDOWN_H

#include <stdio.h>

/* A sentence, in a paragraph, a heading or a cell of a table. */
void xs_markdown_text(FILE *out, const char *text);
/* A name as code: in a sentence, and in a cell of a table, where a bar needs a backslash. */
void xs_markdown_code(FILE *out, const char *text);
void xs_markdown_cell(FILE *out, const char *text);
/* Lines of code, as a block of its own; tabs are kept. */
void xs_markdown_block(FILE *out, const char *text);

#endif
