#include "base/alloc.h"

#include <stdint.h>

static void *present(void *memory)
{
	if (memory)
		return memory;
	fputs("xstep: out of memory\n", stderr);
	abort();
}

void *xs_calloc(size_t count, size_t size)
{
	return present(calloc(count ? count : 1, size ? size : 1));
}

void *xs_realloc(void *memory, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return present(NULL);
	size_t bytes = count * size;
	return present(realloc(memory, bytes ? bytes : 1));
}

char *xs_strdup(const char *text)
{
	return present(strdup(text));
}

char *xs_vasprintf(const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	size_t size = length < 0 ? 1 : (size_t)length + 1;
	char *text = xs_calloc(size, 1);
	if (length >= 0)
		vsnprintf(text, size, format, args);
	return text;
}

char *xs_asprintf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = xs_vasprintf(format, args);
	va_end(args);
	return text;
}
