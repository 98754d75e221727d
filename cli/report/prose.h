/* prose.h - the texts of the option tables, taken apart so that help, man pages and completion can
 * all be made from them.
 *
 * The details of a command are plain text. A line of it is one of these:
 *   Heading:           a short line that ends in a colon, at the beginning or after an empty line
 *     TERM  words      an item: two blanks, the term, two blanks or more, what it means; lines that
 *                      are indented by more than two blanks go on with it
 *   <tab>words         verbatim: printed as it stands, indented
 *   words              a paragraph; it goes on until an empty line or a line of another kind
 * Line breaks within a paragraph or an item are blanks: whoever prints it wraps it anew. */
#ifndef CLI_PROSE_H
#define CLI_PROSE_H

#include <stdbool.h>
#include <stdio.h>

enum { CLI_PROSE_WIDTH = 80 }; /* columns, at most: longer lines are hard to read */

enum cli_block_kind {
	CLI_BLOCK_HEADING,   /* text without its colon */
	CLI_BLOCK_ITEM,      /* term and text */
	CLI_BLOCK_VERBATIM,  /* one line, without the tab */
	CLI_BLOCK_PARAGRAPH, /* text */
};

struct cli_block {
	enum cli_block_kind kind;
	bool apart;               /* an empty line comes before it */
	const char *term, *text;  /* into the details; not terminated */
	size_t term_size, length; /* of term and text */
};

/* The block at *details, which moves on to the next. False at the end. */
bool cli_block_next(const char **details, struct cli_block *ret);
/* Prints `length` bytes of text, wrapped to CLI_PROSE_WIDTH or the terminal; `column` is where the
 * cursor is. The lines after the first begin at column `indent`. Ends with a newline. */
void cli_prose_wrap(FILE *out, const char *text, size_t length, size_t column, size_t indent);

#endif
