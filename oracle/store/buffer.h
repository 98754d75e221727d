/* buffer.h - text that grows: what is made for a column of the store. */
#ifndef ORA_BUFFER_H
#define ORA_BUFFER_H

#include "base/vec.h"

/* Zero-initialised is empty and usable; what is in data always ends in NUL once something was put.
 */
struct ora_buffer {
	char *data;
	size_t len, cap; /* len without the NUL */
};

void ora_buffer_put(struct ora_buffer *buffer, const char *text);
void ora_buffer_number(struct ora_buffer *buffer, int64_t number);
/* A JSON string, or null. */
void ora_buffer_json(struct ora_buffer *buffer, const char *text);

#endif
