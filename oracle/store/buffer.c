#include "oracle/store/buffer.h"

#include <inttypes.h>
#include <string.h>

static void put(struct ora_buffer *buffer, const char *text, size_t size)
{
	buffer->data = xs_vec_grow(buffer->data, &buffer->cap, buffer->len + size + 1, 1);
	memcpy(buffer->data + buffer->len, text, size);
	buffer->len += size;
	buffer->data[buffer->len] = 0;
}

void ora_buffer_put(struct ora_buffer *buffer, const char *text)
{
	put(buffer, text, strlen(text));
}

void ora_buffer_number(struct ora_buffer *buffer, int64_t number)
{
	char text[24];
	put(buffer, text, (size_t)snprintf(text, sizeof text, "%" PRId64, number));
}

void ora_buffer_json(struct ora_buffer *buffer, const char *text)
{
	char escape[8];
	if (!text) {
		ora_buffer_put(buffer, "null");
		return;
	}
	put(buffer, "\"", 1);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			put(buffer, escape, (size_t)snprintf(escape, sizeof escape, "\\%c", *text));
		else if ((unsigned char)*text < ' ')
			put(buffer, escape,
				(size_t)snprintf(escape, sizeof escape, "\\u%04x",
					(unsigned)(unsigned char)*text));
		else
			put(buffer, text, 1);
	}
	put(buffer, "\"", 1);
}
