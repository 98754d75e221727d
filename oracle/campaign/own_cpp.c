#include "oracle/campaign/own_cpp.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"

enum { LEAST_PIECES = 2, MOST_PIECES = 5, DEEP = 3 };

struct making {
	FILE *out;
	uint64_t dice;
};

/* 0 to sides - 1. */
static unsigned roll(struct making *making, size_t sides)
{
	making->dice = xs_mix(making->dice);
	return (unsigned)((making->dice >> 11) % sides);
}

/* --- marks ------------------------------------------------------------------------------------ */

/* One of the parts of a text, which `mark` separates where no brace is open; its length. */
static size_t choose(
	struct making *making, const char *text, size_t length, char mark, const char **ret)
{
	size_t count = 1, depth = 0;
	for (size_t i = 0; i < length; i++) {
		depth += text[i] == '{';
		depth -= text[i] == '}';
		count += !depth && text[i] == mark;
	}
	size_t wanted = roll(making, count), number = 0, begin = 0;
	for (size_t i = 0; i <= length; i++) {
		bool end = i == length || (!depth && text[i] == mark);
		if (end && number++ == wanted) {
			*ret = text + begin;
			return i - begin;
		}
		if (end)
			begin = i + 1;
		else if (text[i] == '{')
			depth++;
		else if (text[i] == '}')
			depth--;
	}
	return 0;
}

/* An expression over some operands. Nothing in it overflows, is divided by 0 or shifted too far. */
static void put_expression(
	struct making *making, const char *operands, size_t length, unsigned deep)
{
	static const struct {
		const char *before, *between, *behind;
	} forms[] = {{"(", " + ", ")"}, {"(", " - ", ")"}, {"(", " * ", ")"}, {"(", " ^ ", ")"},
		{"(", " & ", ")"}, {"(", " | ", ")"}, {"(", " / (", " | 1u))"},
		{"(", " % (", " | 1u))"}, {"(", " << (", " & 7u))"}, {"(", " >> (", " & 7u))"},
		{"(", " < ", " ? 3u : 5u)"}, {"(~", " + ", ")"}};
	const char *one;
	if (deep >= DEEP || (deep && !roll(making, 3))) {
		size_t size = roll(making, 4) ? choose(making, operands, length, ',', &one) : 0;
		if (size)
			fprintf(making->out, "%.*s", (int)size, one);
		else
			fprintf(making->out, "%uu", 1 + roll(making, 250));
		return;
	}
	size_t form = roll(making, sizeof forms / sizeof *forms);
	fputs(forms[form].before, making->out);
	put_expression(making, operands, length, deep + 1);
	fputs(forms[form].between, making->out);
	put_expression(making, operands, length, deep + 1);
	fputs(forms[form].behind, making->out);
}

static void put_word(struct making *making)
{
	for (unsigned left = 3 + roll(making, 18); left; left--)
		fputc('a' + (int)roll(making, 26), making->out);
}

/* How long what is in braces is, without them. */
static size_t inner_length(const char *text)
{
	size_t depth = 1, i = 0;
	for (; text[i]; i++) {
		depth += text[i] == '{';
		depth -= text[i] == '}';
		if (!depth)
			break;
	}
	xs_assert(text[i]); /* the texts are ours */
	return i;
}

static void put_text(struct making *making, const char *text, size_t length)
{
	for (const char *at = text, *end = text + length; at < end;) {
		const char *one;
		size_t size;
		if (*at != '$') {
			fputc(*at++, making->out);
			continue;
		}
		char mark = at[1];
		at += 2;
		switch (mark) {
		case 'K':
			fprintf(making->out, "%uu", 1 + roll(making, 250));
			break;
		case 'N':
			fprintf(making->out, "%u", 2 + roll(making, 5));
			break;
		case 'W':
			put_word(making);
			break;
		case 'E':
			size = inner_length(at + 1);
			put_expression(making, at + 1, size, 0);
			at += size + 2;
			break;
		default:
			xs_assert(mark == '?');
			size = inner_length(at + 1);
			one = NULL;
			size_t part = choose(making, at + 1, size, '|', &one);
			put_text(making, one, part);
			at += size + 2;
			break;
		}
	}
}

/* --- a program -------------------------------------------------------------------------------- */

char *ora_own_cpp(uint64_t seed)
{
	static const char *const headers[] = {"algorithm", "array", "cstdio", "functional", "map",
		"memory", "optional", "set", "stdexcept", "string", "tuple", "utility", "variant",
		"vector"};
	char *text = NULL;
	size_t size = 0, kinds = 0;
	struct making making = {
		.out = open_memstream(&text, &size), .dice = xs_mix(seed ^ 0x6f776e2b2b)};
	xs_assert(making.out);
	while (ora_own_pieces[kinds].name)
		kinds++;
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		fprintf(making.out, "#include <%s>\n", headers[i]);
	unsigned count = LEAST_PIECES + roll(&making, MOST_PIECES - LEAST_PIECES + 1);
	for (unsigned i = 0; i < count; i++) {
		const struct ora_own_piece *piece = &ora_own_pieces[roll(&making, kinds)];
		fprintf(making.out, "\n/* %s */\nnamespace piece_%u {\n", piece->name, i);
		put_text(&making, piece->text, strlen(piece->text));
		fputs("}\n", making.out);
	}
	fputs("\nint main()\n{\n\tunsigned sum = 1;\n", making.out);
	for (unsigned i = 0; i < count; i++) {
		fprintf(making.out, "\tsum = sum * 31u + piece_%u::run(", i);
		put_text(&making, "$E{sum}", strlen("$E{sum}"));
		fprintf(making.out, ");\n\tstd::printf(\"%u: %%u\\n\", sum);\n", i);
	}
	fputs("\treturn 0;\n}\n", making.out);
	xs_assert(!fclose(making.out));
	return text;
}
