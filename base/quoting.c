#include "base/quoting.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/shown.h"
#include "base/utf8.h"

/* Bytes that no shell and no debugger takes for anything but themselves. */
#define PLAIN                                                                                      \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"                                     \
	"0123456789_@%+=:,./-"

static bool is_plain(const char *word)
{
	return *word && *word != '=' &&
	       strspn(word, PLAIN) == strlen(word); /* zsh: =ls is a path */
}

/* --- words ---------------------------------------------------------------------------------- */

static char *in_single_quotes(const char *word)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	putc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			putc(*word, out);
	putc('\'', out);
	xs_assert(!fclose(out));
	return text;
}

/* In double quotes, with a backslash before each of `special`. */
static char *in_double_quotes(const char *word, const char *special)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	putc('"', out);
	for (; *word; word++) {
		if (strchr(special, *word))
			putc('\\', out);
		putc(*word, out);
	}
	putc('"', out);
	xs_assert(!fclose(out));
	return text;
}

char *xs_quote_shell(const char *word)
{
	return is_plain(word) ? xs_strdup(word) : in_single_quotes(word);
}

char *xs_quote_paste(const char *word)
{
	size_t length = strlen(word);
	if (xs_shown_plain(word, length) == length)
		return xs_quote_shell(word);
	char *text = NULL, escape[XS_SHOWN_MAX];
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	fputs("$'", out);
	for (const char *end = word + length; word < end;) {
		size_t left = (size_t)(end - word), plain = xs_shown_plain(word, left);
		size_t hidden = plain ? 0 : xs_shown_escape(word, left, escape, NULL);
		for (; hidden; hidden--)
			fprintf(out, "\\%03o", (unsigned char)*word++);
		/* A quote would end the word in a shell that does not know this form, and `!` may
		 * be history. */
		for (; plain; plain--, word++)
			if (strchr("'!", *word))
				fprintf(out, "\\%03o", (unsigned char)*word);
			else
				fprintf(out, "%s%c", *word == '\\' ? "\\" : "", *word);
	}
	putc('\'', out);
	xs_assert(!fclose(out));
	return text;
}

char *xs_quote_gdb(const char *word)
{
	return is_plain(word) ? xs_strdup(word) : in_double_quotes(word, "\\\"");
}

char *xs_quote_lldb(const char *word)
{
	return is_plain(word) ? xs_strdup(word) : in_double_quotes(word, "\\\"`");
}

/* --- what can be said ----------------------------------------------------------------------- */

bool xs_quote_is_line(const char *text)
{
	size_t length = strlen(text);
	for (size_t at = 0; at < length; at++) {
		at += xs_shown_plain(text + at, length - at);
		if (at < length && text[at] != '\t')
			return false;
	}
	return !length || text[length - 1] != '\\';
}

/* The bytes of the identifier at text; 0: there is none. `$x` is a debugger's own variable. */
static size_t name_length(const char *text)
{
	size_t length = 0;
	if (isdigit((unsigned char)*text) || *text == '$')
		return 0;
	for (unsigned more; text[length]; length += more) {
		unsigned char byte = (unsigned char)text[length];
		more = byte < 0x80 ? isalnum(byte) || byte == '_' || byte == '$'
				   : xs_utf8_length(text + length);
		if (!more)
			break;
	}
	return length;
}

bool xs_quote_is_name(const char *text)
{
	size_t length = name_length(text);
	return length && !text[length];
}

bool xs_quote_is_variable(const char *text)
{
	size_t length = name_length(text);
	while (length) {
		text += length;
		if (!*text)
			return true;
		if (*text == '[') {
			size_t sign = text[1] == '-',
			       digits = strspn(text + 1 + sign, "0123456789");
			length = digits && text[1 + sign + digits] == ']' ? 2 + sign + digits : 0;
			continue;
		}
		size_t mark = *text == '.' ? 1 : !strncmp(text, "::", 2) ? 2 : 0;
		length = mark ? name_length(text + mark) : 0;
		length += length ? mark : 0;
	}
	return false;
}
