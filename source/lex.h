/* lex.h - the tokens of a C source as it is written: before preprocessing, comments and directives
 * included, each with its place. Blanks lie between them. */
#ifndef SRC_LEX_H
#define SRC_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

enum src_token_kind {
	SRC_WORD,      /* an identifier or keyword */
	SRC_NUMBER,    /* a preprocessing number */
	SRC_LITERAL,   /* a string or character constant, with its prefix */
	SRC_PUNCT,     /* the longest that there is */
	SRC_COMMENT,   /* of either kind; without the newline */
	SRC_DIRECTIVE, /* from the # to the end of its last line, without the newline */
};

struct src_token {
	enum src_token_kind kind;
	unsigned begin, end; /* offsets: [begin, end) */
};

struct src_tokens {
	XS_VEC(struct src_token) vec; /* by offset */
	bool spliced; /* a line ends in a backslash outside of comments, literals and
			 directives: tokens may not be what they seem */
};

/* Whether a character is part of words. */
bool src_is_word(char c);

void src_tokens_read(const char *text, size_t size, struct src_tokens *ret);
void src_tokens_deinit(struct src_tokens *tokens);

/* The index of the first token that begins at an offset or behind it; vec.len if there is none. */
size_t src_token_from(const struct src_tokens *tokens, unsigned offset);

#endif
