#include "engine/insn.h"

#include <stdio.h>

#include <Zydis/Zydis.h>

/* The number of a 64-bit register, or ENG_INSN_NO_REG; false for any other register. */
static bool register_number(ZydisRegister reg, uint8_t *ret)
{
	if (reg == ZYDIS_REGISTER_NONE)
		*ret = ENG_INSN_NO_REG;
	else if (reg == ZYDIS_REGISTER_RIP)
		*ret = ENG_INSN_RIP;
	else if (reg >= ZYDIS_REGISTER_RAX && reg <= ZYDIS_REGISTER_R15)
		*ret = (uint8_t)(reg - ZYDIS_REGISTER_RAX);
	else
		return false;
	return true;
}

/* The operand of an indirect branch. False for what is better left to the processor. */
static bool decode_operand(const ZydisDecodedOperand *operand, struct eng_insn *ret)
{
	if (operand->size != 64)
		return false;
	if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return register_number(operand->reg.value, &ret->base);
	if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY ||
		operand->mem.segment == ZYDIS_REGISTER_FS ||
		operand->mem.segment == ZYDIS_REGISTER_GS)
		return false;
	ret->memory = true;
	ret->scale = operand->mem.scale;
	ret->offset = operand->mem.disp.has_displacement ? operand->mem.disp.value : 0;
	return register_number(operand->mem.base, &ret->base) &&
	       register_number(operand->mem.index, &ret->index);
}

/* A near branch: where it goes. */
static enum eng_insn_kind decode_branch(const ZydisDecodedInstruction *insn,
	const ZydisDecodedOperand *operands, enum eng_insn_kind direct, enum eng_insn_kind indirect,
	struct eng_insn *ret)
{
	if (insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return ENG_INSN_OTHER;
	if (insn->raw.imm[0].is_relative) {
		ret->offset = insn->raw.imm[0].value.s;
		/* A 16-bit operand would cut rip: no compiler means that. */
		return insn->operand_width == 16 ? ENG_INSN_OTHER : direct;
	}
	return decode_operand(&operands[0], ret) ? indirect : ENG_INSN_OTHER;
}

static enum eng_insn_kind kind_of(const ZydisDecodedInstruction *insn,
	const ZydisDecodedOperand *operands, struct eng_insn *ret)
{
	/* Zydis grants these attributes only where the prefix makes the instruction repeat: not to
	 * `rep ret`, `pause` or endbr64. */
	if (insn->attributes &
		(ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
		return ENG_INSN_REP;
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFQ:
		return ENG_INSN_PUSHF;
	case ZYDIS_MNEMONIC_SYSCALL:
		return ENG_INSN_SYSCALL;
	case ZYDIS_MNEMONIC_CALL:
		return decode_branch(insn, operands, ENG_INSN_CALL, ENG_INSN_INDIRECT_CALL, ret);
	case ZYDIS_MNEMONIC_JMP:
		return decode_branch(insn, operands, ENG_INSN_JUMP, ENG_INSN_INDIRECT_JUMP, ret);
	case ZYDIS_MNEMONIC_RET:
		if (insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR || insn->operand_width != 64)
			return ENG_INSN_OTHER;
		ret->pops = insn->raw.imm[0].size ? (uint16_t)insn->raw.imm[0].value.u : 0;
		return ENG_INSN_RETURN;
	case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_INT1:
	case ZYDIS_MNEMONIC_INT:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_SYSENTER:
	case ZYDIS_MNEMONIC_XBEGIN:
	case ZYDIS_MNEMONIC_XABORT:
		return ENG_INSN_OTHER;
	default:
		break;
	}
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		ret->condition =
			insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && insn->opcode >= 0xe0
				? insn->opcode
				: insn->opcode & 0xf;
		/* jecxz and the loops that count in ecx are left to the processor. */
		if (ret->condition >= 0xe0 && insn->address_width != 64)
			return ENG_INSN_OTHER;
		return decode_branch(insn, operands, ENG_INSN_CONDITIONAL, ENG_INSN_OTHER, ret);
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
		return ENG_INSN_OTHER;
	default:
		return ENG_INSN_PLAIN;
	}
}

static bool decode(const uint8_t *bytes, size_t size, ZydisDecodedInstruction *insn,
	ZydisDecodedOperand *operands)
{
	static ZydisDecoder decoder;
	static bool ready;
	if (!ready)
		ready = ZYAN_SUCCESS(ZydisDecoderInit(
			&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
	return ready && ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, insn, operands));
}

struct eng_insn eng_insn_decode(const uint8_t *bytes, size_t size)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	struct eng_insn ret = {
		.kind = ENG_INSN_OTHER, .base = ENG_INSN_NO_REG, .index = ENG_INSN_NO_REG};
	if (!decode(bytes, size, &insn, operands))
		return ret;
	ret.length = insn.length;
	ret.pops_flags =
		insn.mnemonic == ZYDIS_MNEMONIC_POPF || insn.mnemonic == ZYDIS_MNEMONIC_POPFQ;
	if (insn.raw.disp.size == 32 && insn.attributes & ZYDIS_ATTRIB_IS_RELATIVE)
		ret.relative = insn.raw.disp.offset;
	ret.kind = (uint8_t)kind_of(&insn, operands, &ret);
	return ret;
}

xs_addr eng_insn_next(const struct eng_insn *insn, xs_addr pc)
{
	switch (insn->kind) {
	case ENG_INSN_PLAIN:
	case ENG_INSN_REP:
	case ENG_INSN_PUSHF:
		return pc + insn->length;
	case ENG_INSN_JUMP:
	case ENG_INSN_CALL:
		return eng_insn_target(insn, pc);
	default:
		return XS_ADDR_NONE;
	}
}

/* Whether it writes memory at an address that such a register is the base of. */
static bool writes_memory(const uint8_t *bytes, size_t size, bool (*is_meant)(ZydisRegister base))
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	if (!decode(bytes, size, &insn, operands))
		return false;
	for (unsigned i = 0; i < insn.operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
			is_meant(operands[i].mem.base))
			return true;
	return false;
}

static bool is_not_top(ZydisRegister base)
{
	return base != ZYDIS_REGISTER_RSP;
}

bool eng_insn_stores(const uint8_t *bytes, size_t size)
{
	return writes_memory(bytes, size, is_not_top);
}

static bool is_frame(ZydisRegister base)
{
	return base == ZYDIS_REGISTER_RSP || base == ZYDIS_REGISTER_RBP;
}

bool eng_insn_writes_frame(const uint8_t *bytes, size_t size)
{
	return writes_memory(bytes, size, is_frame);
}

bool eng_insn_is_delicate(const uint8_t *bytes, size_t size)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	if (!decode(bytes, size, &insn, operands))
		return true;
	switch (insn.mnemonic) {
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_POPFQ:
	case ZYDIS_MNEMONIC_XEND:
	case ZYDIS_MNEMONIC_XTEST:
	case ZYDIS_MNEMONIC_FNSTENV:
	case ZYDIS_MNEMONIC_FNSAVE:
	case ZYDIS_MNEMONIC_FXSAVE:
	case ZYDIS_MNEMONIC_FXSAVE64:
		return true;
	default:
		break;
	}
	for (unsigned i = 0; i < insn.operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			operands[i].reg.value == ZYDIS_REGISTER_SS &&
			operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			return true;
	/* An address of 32 bits cannot be moved. */
	if (insn.attributes & ZYDIS_ATTRIB_IS_RELATIVE && insn.address_width != 64)
		return true;
	/* xsave and its like. */
	return insn.meta.category == ZYDIS_CATEGORY_XSAVE ||
	       insn.meta.category == ZYDIS_CATEGORY_XSAVEOPT;
}

bool eng_insn_reads(const uint8_t *bytes, size_t size)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	if (!decode(bytes, size, &insn, operands))
		return false;
	for (unsigned i = 0; i < insn.operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			operands[i].mem.type == ZYDIS_MEMOP_TYPE_MEM)
			return true;
	return false;
}

uint32_t eng_insn_writes(const uint8_t *bytes, size_t size)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	uint32_t ret = 0;
	if (!decode(bytes, size, &insn, operands))
		return UINT32_MAX;
	for (unsigned i = 0; i < insn.operand_count; i++) {
		if (operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER ||
			!(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		ZydisRegister reg = operands[i].reg.value;
		ZydisRegisterClass class = ZydisRegisterGetClass(reg);
		ZydisRegister whole =
			ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
		uint8_t number;
		if (register_number(whole, &number) && number < 16)
			ret |= 1u << number;
		else if (class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM ||
			 class == ZYDIS_REGCLASS_ZMM)
			ret |= 1u << (16 + (ZydisRegisterGetId(reg) & 15));
	}
	return ret;
}

bool eng_insn_text(const uint8_t *bytes, size_t size, xs_addr pc, char *text, size_t text_size)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisFormatter formatter;
	return decode(bytes, size, &insn, operands) &&
	       ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT)) &&
	       ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &insn, operands,
		       insn.operand_count_visible, text, text_size, pc, NULL));
}

const char *eng_insn_library(void)
{
	static char text[32];
	ZyanU64 version = ZydisGetVersion();
	snprintf(text, sizeof text, "%u.%u.%u", (unsigned)ZYDIS_VERSION_MAJOR(version),
		(unsigned)ZYDIS_VERSION_MINOR(version), (unsigned)ZYDIS_VERSION_PATCH(version));
	return text;
}
