#include "dwarf/xz.h"

#include <lzma.h>

#include "base/alloc.h"
#include "base/cleanup.h"

enum { DICTIONARY_MOST = 1 << 30, ROOM_FIRST = 1 << 16 };

struct xs_error *di_xz_uncompress(
	const void *from, size_t count, size_t most, uint8_t **ret, size_t *size)
{
	for (size_t room = ROOM_FIRST;; room *= 4) {
		size_t read = 0, written = 0;
		uint64_t memory = DICTIONARY_MOST;
		if (room > most)
			room = most;
		XS_AUTO_FREE uint8_t *bytes = xs_calloc(room + 1, 1);
		lzma_ret outcome = lzma_stream_buffer_decode(
			&memory, 0, NULL, from, &read, count, bytes, &written, room);
		if (outcome == LZMA_BUF_ERROR && room < most)
			continue;
		if (outcome == LZMA_BUF_ERROR)
			return xs_error_corrupt("compressed, and over %zu bytes long", most);
		if (outcome != LZMA_OK)
			return xs_error_corrupt("compressed by xz, and damaged");
		*ret = xs_take(&bytes);
		*size = written;
		return NULL;
	}
}
