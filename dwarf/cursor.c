#include "dwarf/cursor.h"

struct di_cursor di_cursor_over(const char *section, const void *data, size_t size)
{
	const uint8_t *bytes = data;
	return (struct di_cursor){.section = section,
		.start = bytes,
		.at = bytes,
		.end = bytes ? bytes + size : bytes};
}

/* Steps over size bytes and returns where they begin; NULL if they are not all there. */
static const uint8_t *take(struct di_cursor *cursor, uint64_t size)
{
	if (cursor->failed)
		return NULL;
	if (size > di_cursor_left(cursor)) {
		cursor->failed = true;
		cursor->failed_at = di_cursor_offset(cursor);
		cursor->failed_need = (size_t)size;
		return NULL;
	}
	const uint8_t *bytes = cursor->at;
	if (size) /* nothing may be added to the NULL of a section that is not there */
		cursor->at += size;
	return bytes;
}

uint64_t di_cursor_u(struct di_cursor *cursor, unsigned bytes)
{
	const uint8_t *from = take(cursor, bytes);
	uint64_t value = 0;
	for (unsigned i = 0; from && i < bytes; i++)
		value |= (uint64_t)from[i] << (8 * i);
	return value;
}

int64_t di_cursor_s(struct di_cursor *cursor, unsigned bytes)
{
	unsigned spare = 64 - 8 * bytes;
	return (int64_t)(di_cursor_u(cursor, bytes) << spare) >> spare;
}

/* Both kinds of LEB128; *bits is how many bits were given, *last the final byte. */
static uint64_t leb(struct di_cursor *cursor, unsigned *bits, uint8_t *last)
{
	const uint8_t *start = cursor->at;
	uint64_t value = 0;
	*bits = 0;
	*last = 0;
	for (;;) {
		const uint8_t *byte = take(cursor, 1);
		if (!byte) {
			cursor->at = cursor->failed ? start : cursor->at;
			return 0;
		}
		if (*bits < 64)
			value |= (uint64_t)(*byte & 0x7f) << *bits;
		*bits += *bits < 70 ? 7 : 0;
		*last = *byte;
		if (!(*byte & 0x80))
			return value;
	}
}

uint64_t di_cursor_uleb(struct di_cursor *cursor)
{
	unsigned bits;
	uint8_t last;
	return leb(cursor, &bits, &last);
}

int64_t di_cursor_sleb(struct di_cursor *cursor)
{
	unsigned bits;
	uint8_t last;
	uint64_t value = leb(cursor, &bits, &last);
	if (bits < 64 && last & 0x40)
		value |= UINT64_MAX << bits;
	return (int64_t)value;
}

const char *di_cursor_string(struct di_cursor *cursor)
{
	size_t left = cursor->failed ? 0 : di_cursor_left(cursor);
	const uint8_t *nul = left ? memchr(cursor->at, 0, left) : NULL;
	const uint8_t *text =
		take(cursor, nul ? (uint64_t)(nul - cursor->at) + 1 : di_cursor_left(cursor) + 1);
	return text ? (const char *)text : "";
}

const uint8_t *di_cursor_bytes(struct di_cursor *cursor, uint64_t size)
{
	return take(cursor, size);
}

struct xs_error *di_cursor_error(const struct di_cursor *cursor)
{
	if (!cursor->failed)
		return NULL;
	size_t have = (size_t)(cursor->end - cursor->start) - cursor->failed_at;
	return xs_error_corrupt("%s+0x%zx: expected %zu byte%s, have %zu", cursor->section,
		cursor->failed_at, cursor->failed_need, cursor->failed_need == 1 ? "" : "s", have);
}

struct di_why di_cursor_why(const struct di_cursor *cursor)
{
	if (!cursor->failed)
		return (struct di_why){.code = DI_WHY_NONE};
	return (struct di_why){.code = DI_WHY_SECTION_SHORT,
		.text = {cursor->section},
		.number = {cursor->failed_at, cursor->failed_need,
			(size_t)(cursor->end - cursor->start) - cursor->failed_at}};
}
