/* expr_text.c - locations in words. */
#include "dwarf/expr.h"
#include "dwarf/text.h"
#include "dwarf/words.h"

#define BYTES_SHOWN_MAX 16

static void put_place(struct di_text *text, const struct di_piece *piece)
{
	char buf[DI_VALUE_TEXT];
	const char *name;
	switch (piece->kind) {
	case DI_PIECE_EMPTY:
		di_text_put(text, "optimized out");
		break;
	case DI_PIECE_MEMORY:
		di_text_put(text, "memory 0x%" PRIx64, piece->address);
		break;
	case DI_PIECE_REGISTER:
		name = di_register_name(piece->reg);
		if (name)
			di_text_put(text, "register %s", name);
		else
			di_text_put(text, "register r%" PRIu64, piece->reg);
		break;
	case DI_PIECE_BYTES:
		di_text_put(text, "bytes");
		for (size_t i = 0; i < piece->bytes.size && i < BYTES_SHOWN_MAX; i++)
			di_text_put(text, " %02x", piece->bytes.data[i]);
		if (piece->bytes.size > BYTES_SHOWN_MAX)
			di_text_put(text, " ...");
		break;
	case DI_PIECE_VALUE:
		di_text_put(text, "value %s", di_value_text(&piece->value, buf));
		break;
	case DI_PIECE_POINTER:
		di_text_put(text, "pointer <0x%" PRIx64 ">%+" PRId64, piece->pointer.die,
			piece->pointer.offset);
		break;
	}
}

const char *di_location_text(const struct di_location *location, char *buf, size_t size)
{
	struct di_text text = {.buf = buf, .size = size};
	if (location->answer.state != DI_ANSWER_KNOWN) {
		bool gone = location->answer.state == DI_ANSWER_OPTIMIZED_OUT;
		char words[DI_WORDS];
		di_text_put(&text, "%s: %s", gone ? "optimized-out" : "error",
			di_answer_text(&location->answer, words));
		return buf;
	}
	for (size_t i = 0; i < location->count; i++) {
		const struct di_piece *piece = &location->piece[i];
		if (location->composite) {
			di_text_put(&text, "%s%" PRIu64 " bit%s ", i ? "; " : "", piece->bit_size,
				piece->bit_size == 1 ? "" : "s");
			if (piece->bit_offset)
				di_text_put(&text, "from bit %" PRIu64 " ", piece->bit_offset);
			if (piece->kind != DI_PIECE_EMPTY)
				di_text_put(&text, "of ");
		}
		put_place(&text, piece);
	}
	if (location->uninitialized)
		di_text_put(&text, " (uninitialized)");
	return buf;
}

struct di_within di_expr_within(
	const struct di_expr_source *source, enum di_within_kind kind, size_t at)
{
	const struct di_expr_unit *unit = source->unit;
	return (struct di_within){.kind = kind,
		.version = (uint8_t)unit->version,
		.address_size = (uint8_t)unit->address_size,
		.offset_size = (uint8_t)unit->offset_size,
		.die_base = unit->die_base,
		.name = source->section,
		.offset = source->offset,
		.data = source->data,
		.size = source->size,
		.at = at};
}
