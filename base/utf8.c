#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

enum {
	ESCAPE = sizeof "\\ud800" - 1,
	DIGITS = 4, /* of an escape */
};

unsigned xs_utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	unsigned length = byte[0] < 0x80             ? 1
			  : (byte[0] & 0xe0) == 0xc0 ? 2
			  : (byte[0] & 0xf0) == 0xe0 ? 3
			  : (byte[0] & 0xf8) == 0xf0 ? 4
						     : 0;
	for (unsigned i = 1; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (length == 2 && byte[0] < 0xc2) ||
			(length == 3 && byte[0] == 0xe0 && byte[1] < 0xa0) ||
			(length == 4 && byte[0] == 0xf0 && byte[1] < 0x90);
	bool surrogate = length == 3 && byte[0] == 0xed && byte[1] >= 0xa0;
	bool beyond = length == 4 && (byte[0] > 0xf4 || (byte[0] == 0xf4 && byte[1] >= 0x90));
	return overlong || surrogate || beyond ? 0 : length;
}

char *xs_utf8_fold(const char *text)
{
	static const char unknown[] = "\xef\xbf\xbd";
	size_t unknown_size = strlen(unknown), size = 0;
	char *ret = xs_calloc(unknown_size * strlen(text) + 1, 1);
	for (unsigned length; *text; text += length ? length : 1) {
		length = xs_utf8_length(text);
		memcpy(ret + size, length ? text : unknown, length ? length : unknown_size);
		size += length ? length : unknown_size;
	}
	return ret;
}

/* The number of an escape, \uXXXX, that begins at json; -1: there is none. */
static int escape_at(const char *json, const char *end)
{
	static const char digits[] = "0123456789abcdef";
	int number = 0;
	if (end - json < ESCAPE || json[0] != '\\' || json[1] != 'u')
		return -1;
	for (unsigned i = 2; i < ESCAPE; i++) {
		if (!isxdigit((unsigned char)json[i]))
			return -1;
		number = number * 16 +
			 (int)(strchr(digits, tolower((unsigned char)json[i])) - digits);
	}
	return number;
}

void xs_utf8_fold_json(char *json, size_t size)
{
	enum { HIGH = 0xd800, LOW = 0xdc00, BEHIND = 0xe000 };
	const char *end = json + size;
	for (char *at = json; at < end;) {
		int one = escape_at(at, end), next;
		if (one < 0) {
			/* A backslash takes what is behind it along: that may be another one. */
			at += *at == '\\' && end - at > 1 ? 2 : 1;
			continue;
		}
		next = escape_at(at + ESCAPE, end);
		bool pair = one >= HIGH && one < LOW && next >= LOW && next < BEHIND;
		if (one >= HIGH && one < BEHIND && !pair)
			memcpy(at + ESCAPE - DIGITS, "fffd", DIGITS);
		at += pair ? 2 * ESCAPE : ESCAPE;
	}
}
