#include "base/quote.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
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

static bool is_control(char byte)
{
	return (unsigned char)byte < 0x20 || byte == 0x7f;
}

/* The bytes of the character at text, if a terminal shows it and does nothing else; 0: it does not.
 */
static unsigned shown_length(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned length = xs_utf8_length(text);
	if (is_control(*text))
		return 0;
	if (length == 2 && ((at[0] == 0xc2 && at[1] < 0xa0) || (at[0] == 0xd8 && at[1] == 0x9c)))
		return 0; /* C1, and the mark of Arabic letters */
	if (length == 3 && at[0] == 0xe2 &&
		((at[1] == 0x80 &&
			 ((at[2] >= 0x8b && at[2] <= 0x8f) || (at[2] >= 0xa8 && at[2] <= 0xae))) ||
			(at[1] == 0x81 && at[2] >= 0xa0 && at[2] <= 0xaf)))
		return 0; /* of no width, and those that turn the direction */
	if (length == 3 && !memcmp(at, "\xef\xbb\xbf", 3))
		return 0; /* the mark of byte order */
	return length;
}

static bool is_shown(const char *text)
{
	while (*text) {
		unsigned length = shown_length(text);
		if (!length)
			return false;
		text += length;
	}
	return true;
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
	if (is_shown(word))
		return xs_quote_shell(word);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	fputs("$'", out);
	while (*word) {
		unsigned length = shown_length(word);
		/* A quote would end the word in a shell that does not know this form, and `!` may
		 * be history. */
		if (!length || strchr("'!", *word))
			fprintf(out, "\\%03o", (unsigned char)*word);
		else
			fprintf(out, "%s%.*s", *word == '\\' ? "\\" : "", (int)length, word);
		word += length ? length : 1;
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
	for (size_t i = 0; i < length; i++)
		if (is_control(text[i]) && text[i] != '\t')
			return false;
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
				   : shown_length(text + length);
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
