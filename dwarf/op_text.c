/* op_text.c - operators as text, from the forms of their operands. */
#include "dwarf/op.h"
#include "dwarf/text.h"
#include "dwarf/words.h"

#define NESTING_MAX     4  /* expressions inside expressions; deeper ones are hostile */
#define BLOCK_SHOWN_MAX 16 /* bytes of a block that are printed */

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

static void put_register(struct di_text *text, uint64_t reg)
{
	const char *name = di_register_name(reg);
	if (name)
		di_text_put(text, " %s", name);
	else
		di_text_put(text, " r%" PRIu64, reg);
}

static void put_block(struct di_text *text, const struct di_op *op, uint64_t size)
{
	di_text_put(text, " %" PRIu64 ":", size);
	for (uint64_t i = 0; i < size && i < BLOCK_SHOWN_MAX; i++)
		di_text_put(text, " %02x", op->block[i]);
	if (size > BLOCK_SHOWN_MAX)
		di_text_put(text, " ...");
}

static void put_all(struct di_text *text, const struct di_expr_unit *unit, const uint8_t *data,
	size_t size, unsigned nesting);

static void put_operand(struct di_text *text, const struct di_expr_unit *unit,
	const struct di_op *op, unsigned i, unsigned nesting)
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
		di_text_put(text, " %" PRIu64, value);
		break;
	case DI_OPERAND_S1:
	case DI_OPERAND_S2:
	case DI_OPERAND_S4:
	case DI_OPERAND_S8:
		di_text_put(text, " %" PRId64, (int64_t)value);
		break;
	case DI_OPERAND_SLEB:
		/* Behind a register or a DIE it is an offset to that, and is glued to it. */
		if (i > 0 || op->info->class == DI_OP_BASED)
			di_text_put(text, "%+" PRId64, (int64_t)value);
		else
			di_text_put(text, " %" PRId64, (int64_t)value);
		break;
	case DI_OPERAND_ADDRESS:
	case DI_OPERAND_ENCODED:
		di_text_put(text, " 0x%" PRIx64, value);
		break;
	case DI_OPERAND_REG:
		put_register(text, value);
		break;
	case DI_OPERAND_BRANCH: {
		int64_t target = (int64_t)op->next + (int64_t)value;
		di_text_put(text, " to %s0x%" PRIx64, target < 0 ? "-" : "+",
			(uint64_t)(target < 0 ? -target : target));
		break;
	}
	case DI_OPERAND_TYPE:
		if (value == 0) {
			di_text_put(text, " <generic>");
			break;
		}
		/* fall through */
	case DI_OPERAND_DIE2:
	case DI_OPERAND_DIE4:
		di_text_put(text, " <0x%" PRIx64 ">", unit->die_base + value);
		break;
	case DI_OPERAND_DIE_REF:
		di_text_put(text, " <0x%" PRIx64 ">", value);
		break;
	case DI_OPERAND_BLOCK:
	case DI_OPERAND_BLOCK1:
		put_block(text, op, value);
		break;
	case DI_OPERAND_EXPR:
		di_text_put(text, "(");
		if (nesting == 0)
			di_text_put(text, "...");
		else
			put_all(text, unit, op->block, (size_t)value, nesting - 1);
		di_text_put(text, ")");
		break;
	}
}

static void put_op(struct di_text *text, const struct di_expr_unit *unit, const struct di_op *op,
	unsigned nesting)
{
	di_text_put(text, "%s", op->info->name);
	if (op->info->class == DI_OP_REGISTER || op->info->class == DI_OP_BASED)
		if (op->info->form[0] != DI_OPERAND_REG)
			put_register(text, op->info->implied);
	put_operand(text, unit, op, 0, nesting);
	put_operand(text, unit, op, 1, nesting);
}

static void put_all(struct di_text *text, const struct di_expr_unit *unit, const uint8_t *data,
	size_t size, unsigned nesting)
{
	for (size_t offset = 0; offset < size;) {
		struct di_op op;
		struct di_answer answer;
		di_text_put(text, "%s", offset > 0 ? ", " : "");
		if (!di_op_decode(unit, data, size, offset, &op, &answer)) {
			char words[DI_WORDS];
			di_text_put(text, "%s", di_answer_text(&answer, words));
			return;
		}
		put_op(text, unit, &op, nesting);
		offset = op.next;
	}
}

const char *di_op_text(
	const struct di_expr_unit *unit, const struct di_op *op, char buf[static DI_OP_TEXT])
{
	struct di_text text = {.buf = buf, .size = DI_OP_TEXT};
	put_op(&text, unit, op, NESTING_MAX);
	return buf;
}

const char *di_op_text_all(const struct di_expr_unit *unit, const uint8_t *data, size_t data_size,
	char *buf, size_t size)
{
	struct di_text text = {.buf = buf, .size = size};
	di_text_put(&text, "%s", "");
	put_all(&text, unit, data, data_size, NESTING_MAX);
	return buf;
}
