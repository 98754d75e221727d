#include "dwarf/text.h"

#include <stdarg.h>

void di_text_put(struct di_text *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = vsnprintf(text->buf + text->len, text->size - text->len, format, args);
	va_end(args);
	text->len += len > 0 ? (size_t)len : 0;
	if (text->len < text->size)
		return;
	text->len = text->size - 1;
	if (text->size > 3)
		memcpy(text->buf + text->size - 4, "...", 4);
}
