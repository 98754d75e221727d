/*
 * parser_lexer.c - tokens, constant tables, blocks one after another.
 */
#include "parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <wchar.h>

struct state { /* parser_tree.c has another one of this name */
	int line;
	char last;
};

const char *lexer_text = "3+4*(2-0.5)/8";
static const char *at;
static struct state state = {1, '\n'};
static const unsigned char classes[4] = {1, 2, 4, 128};
static const struct token keywords[2] = {
	{OPERATOR, 7, {.operator = '+'}},
	{CLOSE, 0xffffff, {.where = {3, -4}}},
};
static wchar_t wide_text[3] = L"\x20acz";

APART struct token lexer_next(void)
{
	struct token token = {END, 0, {0}};
	if (!at)
		at = lexer_text;
	token.position = (unsigned)(at - lexer_text) & 0xffffff;
	if (isdigit((unsigned char)*at)) {
		char *end;
		token.kind = NUMBER;
		token.as.number = strtod(at, &end);
		at = end;
	} else if (*at) {
		token.kind = *at == '(' ? OPEN : *at == ')' ? CLOSE : OPERATOR;
		token.as.operator = *at++;
		state.last = token.as.operator;
	}
	if (token.position == 6 || token.position == 4) {
		MARK();
		SHOW_INT(token.kind);
		SHOW_INT(token.position);
		SHOW(token.as.number);
		SHOW(token.as.operator);
		SHOW(token.as.where.line);
		SHOW(token.as.where.column);
		SHOW_PTR(at);
		SHOW(*at);
		SHOW_PTR(lexer_text);
		SHOW(state.line);
		SHOW(state.last);
	}
	return token;
}

APART void lexer_tables(int which)
{
	const struct token *chosen = &keywords[which];
	const unsigned char *class = classes + which;
	MARK();
	SHOW(which);
	SHOW_PTR(chosen);
	SHOW_INT(chosen->kind);
	SHOW_INT(chosen->position);
	SHOW(chosen->as.where.column);
	SHOW_PTR(class);
	SHOW(*class);
	SHOW_ARRAY(classes, 4);
	SHOW_INT(keywords[0].kind);
	SHOW_INT(keywords[0].position);
	SHOW(keywords[0].as.operator);
	SHOW_INT(keywords[1].kind);
	SHOW_INT(keywords[1].position);
	SHOW(keywords[1].as.where.line);
	SHOW(keywords[1].as.where.column);
	SHOW_ARRAY(wide_text, 3);
	shared_counter(which);
}

/* Blocks side by side and within each other use the same names for different things. */
APART int lexer_blocks(int seed)
{
	int sum = seed;
	{
		int value = (int)opaque(seed + 1);
		MARK();
		SHOW(value);
		SHOW(sum);
		sum += value;
	}
	{
		double value = opaque_real(seed / 2.0);
		MARK();
		SHOW(value);
		SHOW(sum);
		sum += (int)value;
	}
	for (int value = 0; value < 2; value++) {
		char *sum_text = (char *)lexer_text + value;
		if (value == 1) {
			int seed = (int)opaque(-1);
			MARK();
			SHOW(value);
			SHOW_PTR(sum_text);
			SHOW(seed);
			SHOW(sum);
			sum += seed;
		}
		sum += *sum_text;
	}
	int late = (int)opaque(sum);
	switch (late & 1) {
		int inside;
	case 0:
		inside = late;
		sum += inside;
		break;
	default:
		inside = -late;
		sum -= inside;
	}
	if (late > 1000000)
		goto out;
	MARK();
	SHOW(seed);
	SHOW(sum);
	SHOW(late);
out:
	return sum;
}
