/* op_text.c - operators as text, from the forms of their operands. */
#include <stdarg.h>

#include "dwarf/op.h"

#define NESTING_MAX     4  /* expressions inside expressions; deeper ones are hostile */
#define BLOCK_SHOWN_MAX 16 /* bytes of a block that are printed */

/* Text that grows in a buffer and is cut at its end. */
struct text {
	char *buf;
	size_t size, len;
};

static void put(struct text *text, const char *format, ...) XS_PRINTF(2, 3);

static void put(struct text *text, const char *format, ...)
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

const char *di_register_name(uint64_t reg)
{
	static const char *const names[] = {"RAX", "RDX", "RCX", "RBX", "RSI", "RDI", "RBP", "RSP",
		"R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15", "RIP", "XMM0", "XMM1", "XMM2",
		"XMM3", "XMM4", "XMM5", "XMM6", "XMM7", "XMM8", "XMM9", "XMM10", "XMM11", "XMM12",
		"XMM13", "XMM14", "XMM15", "ST0", "ST1", "ST2", "ST3", "ST4", "ST5", "ST6", "ST7",
		"MM0", "MM1", "MM2", "MM3", "MM4", "MM5", "MM6", "MM7", "RFLAGS", "ES", "CS", "SS",
		"DS", "FS", "GS", NULL, NULL, "FS.BASE", "GS.BASE", NULL, NULL, "TR", "LDTR",
		"MXCSR", "FCW", "FSW", "XMM16", "XMM17", "XMM18", "XMM19", "XMM20", "XMM21",
		"XMM22", "XMM23", "XMM24", "XMM25", "XMM26", "XMM27", "XMM28", "XMM29", "XMM30",
		"XMM31", [118] = "K0", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "BND0", "BND1",
		"BND2", "BND3"};
	return reg < sizeof names / sizeof *names ? names[reg] : NULL;
}

static void put_register(struct text *text, uint64_t reg)
{
	const char *name = di_register_name(reg);
	if (name)
		put(text, " %s", name);
	else
		put(text, " r%" PRIu64, reg);
}

static void put_block(struct text *text, const struct di_op *op, uint64_t size)
{
	put(text, " %" PRIu64 ":", size);
	for (uint64_t i = 0; i < size && i < BLOCK_SHOWN_MAX; i++)
		put(text, " %02x", op->block[i]);
	if (size > BLOCK_SHOWN_MAX)
		put(text, " ...");
}

static void put_all(struct text *text, const struct di_expr_unit *unit, const uint8_t *data,
	size_t size, unsigned nesting);

static void put_operand(struct text *text, const struct di_expr_unit *unit, const struct di_op *op,
	unsigned i, unsigned nesting)
{
	uint64_t value = op->operand[i];
	switch ((enum di_operand)op->info->form[i]) {
	case DI_OPERAND_NONE:
		break;
	case DI_OPERAND_U1:
	case DI_OPERAND_U2:
	case DI_OPERAND_U4:
	case DI_OPERAND_U8:
	case DI_OPERAND_ULEB:
		put(text, " %" PRIu64, value);
		break;
	case DI_OPERAND_S1:
	case DI_OPERAND_S2:
	case DI_OPERAND_S4:
	case DI_OPERAND_S8:
		put(text, " %" PRId64, (int64_t)value);
		break;
	case DI_OPERAND_SLEB:
		/* Behind a register or a DIE it is an offset to that, and is glued to it. */
		if (i > 0 || op->info->class == DI_OP_BASED)
			put(text, "%+" PRId64, (int64_t)value);
		else
			put(text, " %" PRId64, (int64_t)value);
		break;
	case DI_OPERAND_ADDRESS:
	case DI_OPERAND_ENCODED:
		put(text, " 0x%" PRIx64, value);
		break;
	case DI_OPERAND_REG:
		put_register(text, value);
		break;
	case DI_OPERAND_BRANCH: {
		int64_t target = (int64_t)op->next + (int64_t)value;
		put(text, " to %s0x%" PRIx64, target < 0 ? "-" : "+",
			(uint64_t)(target < 0 ? -target : target));
		break;
	}
	case DI_OPERAND_TYPE:
		if (value == 0) {
			put(text, " <generic>");
			break;
		}
		/* fall through */
	case DI_OPERAND_DIE2:
	case DI_OPERAND_DIE4:
		put(text, " <0x%" PRIx64 ">", unit->die_base + value);
		break;
	case DI_OPERAND_DIE_REF:
		put(text, " <0x%" PRIx64 ">", value);
		break;
	case DI_OPERAND_BLOCK:
	case DI_OPERAND_BLOCK1:
		put_block(text, op, value);
		break;
	case DI_OPERAND_EXPR:
		put(text, "(");
		if (nesting == 0)
			put(text, "...");
		else
			put_all(text, unit, op->block, (size_t)value, nesting - 1);
		put(text, ")");
		break;
	}
}

static void put_op(struct text *text, const struct di_expr_unit *unit, const struct di_op *op,
	unsigned nesting)
{
	put(text, "%s", op->info->name);
	if (op->info->class == DI_OP_REGISTER || op->info->class == DI_OP_BASED)
		if (op->info->form[0] != DI_OPERAND_REG)
			put_register(text, op->info->implied);
	put_operand(text, unit, op, 0, nesting);
	put_operand(text, unit, op, 1, nesting);
}

static void put_all(struct text *text, const struct di_expr_unit *unit, const uint8_t *data,
	size_t size, unsigned nesting)
{
	for (size_t offset = 0; offset < size;) {
		struct di_op op;
		struct di_answer answer;
		put(text, "%s", offset > 0 ? ", " : "");
		if (!di_op_decode(unit, data, size, offset, &op, &answer)) {
			put(text, "%s", answer.reason);
			return;
		}
		put_op(text, unit, &op, nesting);
		offset = op.next;
	}
}

const char *di_op_text(
	const struct di_expr_unit *unit, const struct di_op *op, char buf[static DI_OP_TEXT])
{
	struct text text = {.buf = buf, .size = DI_OP_TEXT};
	put_op(&text, unit, op, NESTING_MAX);
	return buf;
}

const char *di_op_text_all(const struct di_expr_unit *unit, const uint8_t *data, size_t data_size,
	char *buf, size_t size)
{
	struct text text = {.buf = buf, .size = size};
	put(&text, "%s", "");
	put_all(&text, unit, data, data_size, NESTING_MAX);
	return buf;
}
