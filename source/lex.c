#include "source/lex.h"

#include <ctype.h>

#include "base/search.h"

bool src_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* How long the backslash and newline at an offset are; 0 if they are not there. */
static size_t splice_at(const char *text, size_t size, size_t at)
{
	if (text[at] != '\\')
		return 0;
	if (at + 1 < size && text[at + 1] == '\n')
		return 2;
	return at + 2 < size && text[at + 1] == '\r' && text[at + 2] == '\n' ? 3 : 0;
}

static size_t block_comment_end(const char *text, size_t size, size_t at)
{
	for (at += 2; at + 1 < size; at++)
		if (text[at] == '*' && text[at + 1] == '/')
			return at + 2;
	return size;
}

static size_t literal_end(const char *text, size_t size, size_t at)
{
	char quote = text[at++];
	for (; at < size && text[at] != quote && text[at] != '\n'; at++)
		if (text[at] == '\\' && at + 1 < size) {
			at++;
			if (text[at] == '\r' && at + 1 < size)
				at++;
		}
	return at < size ? at + 1 : size;
}

/* The end of the line, continued by backslashes; comments and literals are seen if it is a
 * directive's. */
static size_t line_end(const char *text, size_t size, size_t at, bool directive)
{
	while (at < size && text[at] != '\n') {
		size_t splice = splice_at(text, size, at);
		if (splice)
			at += splice;
		else if (directive && at + 1 < size && text[at] == '/' && text[at + 1] == '*')
			at = block_comment_end(text, size, at);
		else
			at++;
	}
	return at;
}

static size_t number_end(const char *text, size_t size, size_t at)
{
	for (at++; at < size; at++) {
		char before = text[at - 1];
		bool sign =
			(text[at] == '+' || text[at] == '-') && before && strchr("eEpP", before);
		if (!src_is_word(text[at]) && text[at] != '.' && !sign)
			break;
	}
	return at;
}

static size_t punct_end(const char *text, size_t size, size_t at)
{
	static const char *const marks[] = {"...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
		"<=", ">=", "==", "!=", "&&", "||",
		"*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>",
		"%:", "::"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		size_t length = strlen(marks[i]);
		if (size - at >= length && !memcmp(text + at, marks[i], length))
			return at + length;
	}
	return at + 1;
}

/* Whether a word is the prefix of the literal behind it. */
static bool is_prefix(const char *text, size_t begin, size_t end)
{
	size_t length = end - begin;
	return (length == 1 && strchr("LuU", text[begin])) ||
	       (length == 2 && !memcmp(text + begin, "u8", 2));
}

void src_tokens_read(const char *text, size_t size, struct src_tokens *ret)
{
	bool fresh = true; /* nothing but blanks and comments on this line so far */
	*ret = (struct src_tokens){0};
	for (size_t at = 0; at < size;) {
		struct src_token token = {.begin = (unsigned)at};
		char c = text[at], next = at + 1 < size ? text[at + 1] : 0;
		if (isspace((unsigned char)c)) {
			fresh |= c == '\n';
			at++;
			continue;
		}
		size_t splice = splice_at(text, size, at);
		if (splice) {
			ret->spliced = true;
			at += splice;
			continue;
		}
		if (c == '/' && (next == '/' || next == '*')) {
			token.kind = SRC_COMMENT;
			at = next == '*' ? block_comment_end(text, size, at)
					 : line_end(text, size, at, false);
		} else if (c == '#' && fresh) {
			token.kind = SRC_DIRECTIVE;
			at = line_end(text, size, at, true);
		} else if (c == '"' || c == '\'') {
			token.kind = SRC_LITERAL;
			at = literal_end(text, size, at);
		} else if (isdigit((unsigned char)c) ||
			   (c == '.' && isdigit((unsigned char)next))) {
			token.kind = SRC_NUMBER;
			at = number_end(text, size, at);
		} else if (src_is_word(c)) {
			token.kind = SRC_WORD;
			while (at < size && src_is_word(text[at]))
				at++;
			if (at < size && (text[at] == '"' || text[at] == '\'') &&
				is_prefix(text, token.begin, at)) {
				token.kind = SRC_LITERAL;
				at = literal_end(text, size, at);
			}
		} else {
			token.kind = SRC_PUNCT;
			at = punct_end(text, size, at);
			ret->spliced |= c == '%' && next == ':'; /* `%:` is a # that nobody uses */
		}
		fresh &= token.kind == SRC_COMMENT;
		token.end = (unsigned)at;
		xs_vec_push(&ret->vec, token);
	}
}

void src_tokens_deinit(struct src_tokens *tokens)
{
	xs_vec_deinit(&tokens->vec);
}

size_t src_token_from(const struct src_tokens *tokens, unsigned offset)
{
	size_t i;
	xs_search(i, 0, tokens->vec.len, tokens->vec.data[i].begin < offset);
	return i;
}
