#include "base/markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/shown.h"

/* How long the longest run of backticks is. */
static size_t longest_run(const char *text)
{
	size_t longest = 0;
	for (; *text; text += strcspn(text, "`")) {
		size_t run = strspn(text, "`");
		longest = run > longest ? run : longest;
		text += run;
	}
	return longest;
}

static void put_fence(FILE *out, size_t length)
{
	while (length--)
		putc('`', out);
}

/* Whether it begins a list, a heading or a rule where a line begins: marks and a blank. *mark is
 * where those are. */
static bool begins_block(const char *text, size_t *mark)
{
	size_t digits = strspn(text, "0123456789");
	*mark = digits;
	size_t length = strspn(text + digits, digits ? ".)" : "#-+=");
	return length && (!text[digits + length] || text[digits + length] == ' ');
}

/* Whether a browser or a forge would make a link here, without any brackets. */
static bool begins_link(const char *text)
{
	return !strncmp(text, "://", 3) || !strncasecmp(text, "www.", 4);
}

/* Whether somebody is addressed: by mail, or, where no word goes before, by name. */
static bool addresses(char before, const char *at)
{
	size_t host =
		strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
	return *at == '@' && host && (!isalnum((unsigned char)before) || at[1 + host] == '.');
}

/* Whether it means something to Markdown where it stands; pages are read as they are, too, and what
 * needs no backslash gets none. before: the character before it, or 0. */
static bool is_markup(char before, const char *at)
{
	switch (*at) {
	case '`':
	case '*':
	case '|':
	case '~':
	case '$': /* begins a formula */
		return true;
	case '\\':
		return !at[1] || ispunct((unsigned char)at[1]);
	case '_': /* is but a letter within a word */
		return !isalnum((unsigned char)before) || !isalnum((unsigned char)at[1]);
	case ']': /* no link has anything else behind it */
		return !at[1] || strchr("([:", at[1]);
	default:
		return false;
	}
}

static void put_character(FILE *out, char before, const char *at)
{
	if (*at == '<')
		fputs("&lt;", out);
	else if (*at == '>')
		fputs("&gt;", out);
	else if (*at == '&')
		fputs("&amp;", out);
	else if (addresses(before, at)) /* code does not, and nothing else helps */
		fputs("`@`", out);
	else if (begins_link(at)) /* a reference to a character begins no link */
		fprintf(out, "&#%d;", *at);
	else {
		if (is_markup(before, at))
			putc('\\', out);
		putc(*at, out);
	}
}

void xs_markdown_text(FILE *out, const char *text)
{
	XS_AUTO_FREE char *shown = xs_shown_text(text);
	const char *at = shown + strspn(shown, " ");
	size_t mark;
	if (begins_block(at, &mark)) {
		fwrite(at, 1, mark, out);
		at += mark;
		putc('\\', out);
		putc(*at++, out);
	}
	for (const char *begin = at; *at; at++)
		put_character(out, at > begin ? at[-1] : 0, at);
}

static void put_code(FILE *out, const char *text, bool in_cell)
{
	XS_AUTO_FREE char *shown = xs_shown_text(text);
	size_t fence = longest_run(shown) + 1, length = strlen(shown);
	if (!length)
		return;
	/* A blank on both sides is taken away again. */
	bool blank = shown[0] == '`' || shown[length - 1] == '`' ||
		     (shown[0] == ' ' && shown[length - 1] == ' ' && strspn(shown, " ") < length);
	put_fence(out, fence);
	fputs(blank ? " " : "", out);
	for (const char *at = shown; *at; at++) {
		if (in_cell && *at == '|')
			putc('\\', out);
		putc(*at, out);
	}
	fputs(blank ? " " : "", out);
	put_fence(out, fence);
}

void xs_markdown_code(FILE *out, const char *text)
{
	put_code(out, text, false);
}

void xs_markdown_cell(FILE *out, const char *text)
{
	put_code(out, text, true);
}

void xs_markdown_block(FILE *out, const char *text)
{
	size_t run = longest_run(text), fence = run < 3 ? 3 : run + 1;
	put_fence(out, fence);
	putc('\n', out);
	xs_shown_lines(out, "", text);
	put_fence(out, fence);
	putc('\n', out);
}
