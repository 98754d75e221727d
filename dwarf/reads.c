#include "dwarf/reads.h"

void di_reads_deinit(struct di_reads *reads)
{
	xs_vec_deinit(&reads->list);
	xs_vec_deinit(&reads->bytes);
}

void di_reads_note(struct di_reads *reads, enum di_read_kind kind, unsigned outward, uint64_t what,
	const void *answer, size_t size)
{
	struct di_read read = {.kind = kind,
		.outward = outward,
		.what = what,
		.at = reads->bytes.len,
		.size = size};
	if (!reads->whole)
		return;
	xs_vec_push(&reads->list, read);
	if (!size)
		return;
	reads->bytes.data = xs_vec_grow(
		reads->bytes.data, &reads->bytes.cap, reads->bytes.len + size, sizeof(uint8_t));
	memcpy(reads->bytes.data + reads->bytes.len, answer, size);
	reads->bytes.len += size;
}

bool di_reads_are_memory(const struct di_reads *reads)
{
	for (size_t i = 0; i < reads->list.len; i++)
		if (reads->list.data[i].kind != DI_READ_MEMORY)
			return false;
	return reads->whole && reads->lookup == XS_ADDR_NONE;
}
