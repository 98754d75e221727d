/* Bits of an object, wherever its pieces are. Part of leaf.h. */
#include "dwarf/leaf.h"

enum { BYTES_MAX = DI_WIDE_BYTES + 1 }; /* 512 bits that do not begin with a byte */

/* The byte that a bit is in. Bits before the object (p[-1]) have wrapped: they count as negative.
 */
static xs_addr byte_at(xs_addr address, uint64_t bit)
{
	return address + (uint64_t)((int64_t)bit >> 3);
}

/* Bits `from` and up, count of them, out of the size bytes at data. */
static struct di_wide extract(const uint8_t *data, size_t size, unsigned from, unsigned count)
{
	if (size <= 8) { /* nearly always: no need to move 512 bits about */
		uint64_t word = 0;
		for (size_t i = 0; i < size; i++)
			word |= (uint64_t)data[i] << (8 * i);
		word >>= from;
		return (struct di_wide){
			.limb = {count < 64 ? word & ((UINT64_C(1) << count) - 1) : word}};
	}
	struct di_wide low = di_wide_from_bytes(data, size);
	if (from) {
		low = di_wide_shr(low, from);
		if (size > DI_WIDE_BYTES) {
			struct di_wide top = di_wide_from_u(data[DI_WIDE_BYTES]);
			low = di_wide_or(low, di_wide_shl(top, DI_WIDE_BITS - from));
		}
	}
	return di_wide_zext(low, count);
}

static struct xs_error *memory_bits(const struct di_leaf_host *host, xs_addr address, uint64_t from,
	unsigned count, struct di_wide *ret, struct di_answer *answer)
{
	uint8_t bytes[BYTES_MAX];
	size_t size = (from % 8 + count + 7) / 8;
	address = byte_at(address, from);
	struct xs_error *err = host->memory(host->arg, address, bytes, size, answer);
	if (err)
		return err;
	if (answer->state == DI_ANSWER_ERROR)
		di_answer_error(answer, DI_WHY_MEMORY_UNREADABLE, .number = {address});
	else if (answer->state == DI_ANSWER_KNOWN)
		*ret = extract(bytes, size, from % 8, count);
	return NULL;
}

/* Bits out of something that has `have` of them; false if that are too few. */
static bool take(
	struct di_wide whole, uint64_t have, uint64_t from, unsigned count, struct di_wide *ret)
{
	if (from > have || count > have - from)
		return false;
	*ret = di_wide_zext(di_wide_shr(whole, from), count);
	return true;
}

static struct xs_error *register_bits(const struct di_leaf_host *host, uint64_t reg, uint64_t from,
	unsigned count, struct di_wide *ret, struct di_answer *answer)
{
	struct di_wide whole = {0};
	unsigned have = 0;
	struct xs_error *err = host->reg(host->arg, reg, &whole, &have, answer);
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	if (!take(whole, have, from, count, ret))
		di_answer_error(answer, DI_WHY_REGISTER_BITS,
			.number = {reg, have, from, from + count - 1});
	return NULL;
}

/* lldb puts 0 where no piece says anything. */
static bool is_gap_0(const struct di_leaf_host *host)
{
	return host->mistake == DI_MISTAKE_LLDB_GAP_AS_0 || host->mistake == DI_MISTAKE_LLDB_PIECE;
}

/* Bits from, count of them, of one piece; from counts from where the piece's place begins. */
static struct xs_error *piece_bits(const struct di_leaf_host *host,
	const struct di_location *location, const struct di_piece *piece, uint64_t from,
	unsigned count, struct di_wide *ret, struct di_answer *answer)
{
	switch (piece->kind) {
	case DI_PIECE_MEMORY:
		return memory_bits(host, piece->address, from, count, ret, answer);
	case DI_PIECE_REGISTER:
		return register_bits(host, piece->reg, from, count, ret, answer);
	case DI_PIECE_BYTES:
		if (from / 8 >= piece->bytes.size ||
			(from % 8 + count + 7) / 8 > piece->bytes.size - from / 8)
			di_answer_error(answer, DI_WHY_IMPLICIT_BITS,
				.number = {piece->bytes.size, from, from + count - 1});
		else
			*ret = extract(piece->bytes.data + from / 8, (from % 8 + count + 7) / 8,
				from % 8, count);
		return NULL;
	case DI_PIECE_VALUE:
		if (!take(piece->value.bits, piece->value.type.bits, from, count, ret))
			di_answer_error(answer, DI_WHY_VALUE_BITS,
				.number = {piece->value.type.bits, from, from + count - 1});
		return NULL;
	case DI_PIECE_POINTER:
		di_answer_error(answer, DI_WHY_POINTER_BITS);
		return NULL;
	case DI_PIECE_EMPTY:
		if (is_gap_0(host)) {
			*ret = (struct di_wide){0};
			return NULL;
		}
		break;
	}
	di_answer_copy(answer, &location->answer);
	if (answer->why.code == DI_WHY_NONE)
		di_answer_gone(answer, DI_WHY_EMPTY_PIECE);
	answer->state = DI_ANSWER_OPTIMIZED_OUT;
	return NULL;
}

struct xs_error *di_location_bits(const struct di_leaf_host *host,
	const struct di_location *location, uint64_t bit_offset, unsigned bit_size,
	struct di_wide *ret, struct di_answer *answer)
{
	struct xs_error *err;
	uint64_t begin = 0;
	unsigned done = 0;
	xs_assert(bit_size <= DI_WIDE_BITS);
	*ret = (struct di_wide){0};
	if (location->answer.state != DI_ANSWER_KNOWN) {
		di_answer_copy(answer, &location->answer);
		return NULL;
	}
	di_answer_known(answer);
	if (!location->composite) {
		if (location->count == 0)
			di_answer_gone(answer, DI_WHY_EMPTY_LOCATION);
		else if (bit_size)
			return piece_bits(host, location, &location->piece[0],
				location->piece[0].bit_offset + bit_offset, bit_size, ret, answer);
		return NULL;
	}
	for (size_t i = 0; i < location->count && done < bit_size; i++) {
		const struct di_piece *piece = &location->piece[i];
		uint64_t wanted = bit_offset + done, size = piece->bit_size;
		if (wanted - begin < size) { /* pieces come in order: wanted >= begin */
			uint64_t skip = wanted - begin, count = bit_size - done;
			struct di_wide part = {0};
			if (count > size - skip)
				count = size - skip;
			if ((err = piece_bits(host, location, piece, piece->bit_offset + skip,
				     (unsigned)count, &part, answer)))
				return err;
			if (answer->state != DI_ANSWER_KNOWN)
				return NULL;
			*ret = di_wide_or(*ret, di_wide_shl(part, done));
			done += (unsigned)count;
		}
		begin += size;
	}
	/* gdb does so behind the last one. */
	if (done < bit_size && !is_gap_0(host) && host->mistake != DI_MISTAKE_GDB_BEHIND_PIECES)
		di_answer_gone(answer, DI_WHY_NO_PIECE);
	return NULL;
}

/* The piece that holds a bit, and how far into the piece it is. */
static const struct di_piece *piece_at(
	const struct di_location *location, uint64_t bit_offset, uint64_t *skip)
{
	uint64_t begin = 0;
	if (location->answer.state != DI_ANSWER_KNOWN)
		return NULL;
	if (!location->composite) {
		*skip = bit_offset;
		return location->count ? &location->piece[0] : NULL;
	}
	for (size_t i = 0; i < location->count; i++) {
		if (bit_offset - begin < location->piece[i].bit_size) {
			*skip = bit_offset - begin;
			return &location->piece[i];
		}
		begin += location->piece[i].bit_size;
	}
	return NULL;
}

const struct di_piece *di_location_pointer(
	const struct di_location *location, uint64_t bit_offset, unsigned bit_size)
{
	uint64_t skip;
	const struct di_piece *piece = piece_at(location, bit_offset, &skip);
	if (!piece || piece->kind != DI_PIECE_POINTER || skip ||
		(location->composite && piece->bit_size < bit_size))
		return NULL;
	return piece;
}

bool di_location_address(const struct di_location *location, uint64_t bit_offset, xs_addr *ret)
{
	uint64_t skip;
	const struct di_piece *piece = piece_at(location, bit_offset, &skip);
	if (!piece || piece->kind != DI_PIECE_MEMORY)
		return false;
	*ret = byte_at(piece->address, piece->bit_offset + skip);
	return true;
}

void di_location_memory(xs_addr address, struct di_location *ret)
{
	/* Not the whole struct: it is large, and only one piece of it means something. */
	di_answer_known(&ret->answer);
	ret->composite = ret->uninitialized = false;
	ret->count = 1;
	ret->piece[0] = (struct di_piece){.kind = DI_PIECE_MEMORY, .address = address};
}
