#include "base/shown.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/utf8.h"

/* --- which characters ------------------------------------------------------------------------- */

/* What is there and not seen, or moves what is beside it, from U+0080 on; in order. */
static const struct {
	int32_t first, last;
} unseen[] = {
	{0x80, 0x9f},       /* control characters */
	{0xad, 0xad},       /* soft hyphen */
	{0x61c, 0x61c},     /* Arabic letter mark */
	{0x180e, 0x180e},   /* Mongolian vowel separator */
	{0x200b, 0x200f},   /* without width; marks of direction */
	{0x2028, 0x202e},   /* line and paragraph separators; embeddings and overrides */
	{0x2060, 0x206f},   /* without width; isolates */
	{0xfeff, 0xfeff},   /* byte order mark */
	{0xfff9, 0xfffb},   /* annotations */
	{0xfffe, 0xffff},   /* no characters */
	{0xe0000, 0xe0fff}, /* tags and other selectors */
};

static bool is_unseen(int32_t code)
{
	for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
		if (code <= unseen[i].last)
			return code >= unseen[i].first;
	return false;
}

/* The character at text, and how many bytes it has; -1 and one byte if there is none. */
static int32_t decode(const char *text, size_t size, size_t *length)
{
	char bytes[5] = {0}; /* a text may end within a character */
	memcpy(bytes, text, size < 4 ? size : 4);
	*length = xs_utf8_length(bytes);
	if (!*length || *length > size) {
		*length = 1;
		return -1;
	}
	static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	int32_t code = (unsigned char)bytes[0] & masks[*length];
	for (size_t i = 1; i < *length; i++)
		code = code << 6 | ((unsigned char)bytes[i] & 0x3f);
	return code;
}

static bool is_printable_ascii(char byte)
{
	return byte >= ' ' && byte < 0x7f;
}

size_t xs_shown_plain(const char *text, size_t size)
{
	size_t at = 0, length;
	for (;;) {
		while (at < size && is_printable_ascii(text[at]))
			at++;
		if (at == size || (unsigned char)text[at] < 0x80)
			return at;
		int32_t code = decode(text + at, size - at, &length);
		if (code < 0 || is_unseen(code))
			return at;
		at += length;
	}
}

size_t xs_shown_escape(const char *text, size_t size, char ret[XS_SHOWN_MAX], int32_t *code)
{
	size_t length;
	int32_t what = decode(text, size, &length);
	if (code)
		*code = what;
	if (what == '\n' || what == '\r' || what == '\t')
		snprintf(ret, XS_SHOWN_MAX, "\\%c", what == '\n' ? 'n' : what == '\r' ? 'r' : 't');
	else if (what < 0x80)
		snprintf(ret, XS_SHOWN_MAX, "\\x%02x", (unsigned char)*text);
	else
		snprintf(ret, XS_SHOWN_MAX, what > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)what);
	return length;
}

/* --- pieces of a line ------------------------------------------------------------------------- */

/* What is gathered until it is printed in one go: a stream without a buffer, such as stderr, would
 * write each piece by itself, and lines of parallel runs would mix. */
struct pieces {
	FILE *out;
	size_t length;
	char text[4096];
};

static void flush(struct pieces *pieces)
{
	if (pieces->length)
		fwrite_unlocked(pieces->text, 1, pieces->length, pieces->out);
	pieces->length = 0;
}

static void add(struct pieces *pieces, const char *text, size_t size)
{
	if (size > sizeof pieces->text - pieces->length)
		flush(pieces);
	if (size > sizeof pieces->text) {
		fwrite_unlocked(text, 1, size, pieces->out);
		return;
	}
	memcpy(pieces->text + pieces->length, text, size);
	pieces->length += size;
}

static void pad(struct pieces *pieces, size_t count)
{
	static const char blanks[] = "                                ";
	for (size_t part; count; count -= part) {
		part = count < sizeof blanks - 1 ? count : sizeof blanks - 1;
		add(pieces, blanks, part);
	}
}

/* Adds a text as it is shown; `kept` is a control character that stays, or 0. Returns its size.
 * pieces may be NULL: then it is only measured. */
static size_t add_shown(struct pieces *pieces, const char *text, size_t size, char kept)
{
	char escape[XS_SHOWN_MAX];
	size_t shown = 0;
	for (size_t at = 0, length; at < size; at += length) {
		const char *piece = text + at;
		size_t width = length = xs_shown_plain(piece, size - at);
		if (!length && kept && *piece == kept) {
			width = length = 1;
		} else if (!length) {
			length = xs_shown_escape(piece, size - at, escape, NULL);
			width = strlen(escape);
			piece = escape;
		}
		if (pieces)
			add(pieces, piece, width);
		shown += width;
	}
	return shown;
}

void xs_shown_write(FILE *out, const char *text, size_t size)
{
	size_t plain = xs_shown_plain(text, size); /* mostly all of it */
	fwrite_unlocked(text, 1, plain, out);
	if (plain == size)
		return;
	struct pieces pieces;
	pieces.out = out;
	pieces.length = 0;
	add_shown(&pieces, text + plain, size - plain, 0);
	flush(&pieces);
}

void xs_shown_put(FILE *out, const char *text)
{
	xs_shown_write(out, text, strlen(text));
}

void xs_shown_line(FILE *out, const char *text, size_t size)
{
	struct pieces pieces;
	pieces.out = out;
	pieces.length = 0;
	add_shown(&pieces, text, size, '\t');
	flush(&pieces);
}

void xs_shown_lines(FILE *out, const char *before, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		fputs(before, out);
		xs_shown_line(out, text, length);
		putc('\n', out);
		text += length + (text[length] == '\n');
	}
}

char *xs_shown_text(const char *text)
{
	char *ret = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&ret, &size);
	xs_assert(out);
	xs_shown_put(out, text);
	xs_assert(!fclose(out));
	return ret;
}

/* --- formats ---------------------------------------------------------------------------------- */

/* A conversion of a format. */
struct conversion {
	const char *begin, *end; /* from its % to behind its letter */
	bool left;               /* the flag - */
	bool flags;              /* others */
	int width, precision;    /* -1: none */
	char size;               /* h, H (hh), l, L (ll), z, j, t, or 0 */
	char letter;
};

struct arguments {
	va_list list;
};

static int read_count(const char **at, struct arguments *arguments)
{
	int count = 0;
	if (**at == '*') {
		++*at;
		return va_arg(arguments->list, int);
	}
	for (; **at >= '0' && **at <= '9'; ++*at)
		count = 10 * count + (**at - '0');
	return count;
}

static struct conversion read_conversion(const char *at, struct arguments *arguments)
{
	struct conversion ret = {.begin = at, .width = -1, .precision = -1};
	for (at++; *at && strchr("-0+ #", *at); at++) {
		ret.left |= *at == '-';
		ret.flags |= *at != '-';
	}
	if (*at == '*' || (*at >= '1' && *at <= '9'))
		ret.width = read_count(&at, arguments);
	if (*at == '.') {
		at++;
		ret.precision = read_count(&at, arguments);
	}
	for (; *at && strchr("hlzjt", *at); at++)
		ret.size = *at == 'h' && ret.size == 'h'   ? 'H'
			   : *at == 'l' && ret.size == 'l' ? 'L'
							   : *at;
	ret.letter = *at;
	ret.end = at + (*at != 0);
	return ret;
}

static void add_text(struct pieces *pieces, const struct conversion *how, const char *text)
{
	text = text ? text : "(null)";
	size_t size = how->precision >= 0 ? strnlen(text, (size_t)how->precision) : strlen(text);
	size_t width = how->width > 0 ? (size_t)how->width : 0, shown = 0;
	if (width && !how->left) {
		shown = add_shown(NULL, text, size, 0);
		pad(pieces, width > shown ? width - shown : 0);
	}
	shown = add_shown(pieces, text, size, 0);
	if (how->left && width > shown)
		pad(pieces, width - shown);
}

/* Digits, as printf("%*u") or ("%*x") has them, several times as fast. */
static void add_digits(struct pieces *pieces, const struct conversion *how, uint64_t number)
{
	char digits[20], *end = digits + sizeof digits, *first = end;
	unsigned base = how->letter == 'x' ? 16 : 10;
	do
		*--first = "0123456789abcdef"[number % base];
	while (number /= base);
	size_t length = (size_t)(end - first);
	size_t blanks = how->width > (int)length ? (size_t)how->width - length : 0;
	pad(pieces, how->left ? 0 : blanks);
	add(pieces, first, length);
	pad(pieces, how->left ? blanks : 0);
}

static intmax_t next_signed(const struct conversion *how, struct arguments *arguments)
{
	switch (how->size) {
	case 'l':
		return va_arg(arguments->list, long);
	case 'L':
		return va_arg(arguments->list, long long);
	case 'z':
		return va_arg(arguments->list, ssize_t);
	case 'j':
		return va_arg(arguments->list, intmax_t);
	case 't':
		return va_arg(arguments->list, ptrdiff_t);
	default:
		return va_arg(arguments->list, int);
	}
}

static uintmax_t next_unsigned(const struct conversion *how, struct arguments *arguments)
{
	unsigned number;
	switch (how->size) {
	case 'l':
		return va_arg(arguments->list, unsigned long);
	case 'L':
		return va_arg(arguments->list, unsigned long long);
	case 'z':
		return va_arg(arguments->list, size_t);
	case 'j':
		return va_arg(arguments->list, uintmax_t);
	case 't':
		return (uintmax_t)va_arg(arguments->list, ptrdiff_t);
	default:
		number = va_arg(arguments->list, unsigned);
		return how->size == 'h'   ? number & 0xffff
		       : how->size == 'H' ? number & 0xff
					  : number;
	}
}

/* Numbers of which printf() knows more: the conversion once more, its counts written out. */
static void add_number(
	struct pieces *pieces, const struct conversion *how, struct arguments *arguments)
{
	char format[64], width[16] = "", precision[16] = "", text[400];
	bool whole = strchr("diuxX", how->letter) != NULL;
	if (how->width >= 0)
		snprintf(width, sizeof width, "%d", how->width);
	if (how->precision >= 0)
		snprintf(precision, sizeof precision, ".%d", how->precision);
	snprintf(format, sizeof format, "%%%.*s%s%s%s%c", (int)strspn(how->begin + 1, "-0+ #"),
		how->begin + 1, width, precision, whole ? "j" : "", how->letter);
	int length = -1;
	if (how->letter == 'd' || how->letter == 'i')
		length = snprintf(text, sizeof text, format, next_signed(how, arguments));
	else if (whole)
		length = snprintf(text, sizeof text, format, next_unsigned(how, arguments));
	else if (how->letter == 'c')
		length = snprintf(text, sizeof text, format, va_arg(arguments->list, int));
	else if (how->letter == 'f' || how->letter == 'g')
		length = snprintf(text, sizeof text, format, va_arg(arguments->list, double));
	else if (how->letter == 'p')
		length = snprintf(text, sizeof text, format, va_arg(arguments->list, void *));
	xs_assert(length >= 0 && (size_t)length < sizeof text);
	if (how->letter == 'c')
		add_shown(pieces, text, (size_t)length, 0);
	else
		add(pieces, text, (size_t)length);
}

static void add_conversion(
	struct pieces *pieces, const struct conversion *how, struct arguments *arguments)
{
	bool simple = !how->flags && how->precision < 0;
	if (how->letter == '%')
		add(pieces, "%", 1);
	else if (how->letter == 's')
		add_text(pieces, how, va_arg(arguments->list, const char *));
	else if (simple && (how->letter == 'u' || how->letter == 'x'))
		add_digits(pieces, how, next_unsigned(how, arguments));
	else
		add_number(pieces, how, arguments);
}

void xs_vprint(FILE *out, const char *format, va_list args)
{
	struct pieces pieces;
	struct arguments arguments;
	pieces.out = out;
	pieces.length = 0;
	va_copy(arguments.list, args);
	for (const char *at = format; *at;) {
		size_t length = strcspn(at, "%");
		add(&pieces, at, length);
		at += length;
		if (!*at)
			break;
		struct conversion how = read_conversion(at, &arguments);
		add_conversion(&pieces, &how, &arguments);
		at = how.end;
	}
	va_end(arguments.list);
	flush(&pieces);
}

void xs_print(FILE *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	xs_vprint(out, format, args);
	va_end(args);
}
