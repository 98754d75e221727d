#include "engine/disasm.h"

#include <stdio.h>

#include <Zydis/Zydis.h>

#include "base/map.h"

static bool decode(const uint8_t *bytes, size_t size, bool is_64, ZydisDecodedInstruction *insn,
	ZydisDecodedOperand *operands)
{
	ZydisDecoder decoder;
	return ZYAN_SUCCESS(ZydisDecoderInit(&decoder,
		       is_64 ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LONG_COMPAT_32,
		       is_64 ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32)) &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, insn, operands));
}

/* What assemblers fill space with: nops of all lengths, and in 32-bit code moves and leas of a
 * register to itself. */
static bool is_nop(
	const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands, bool is_64)
{
	if (insn->mnemonic == ZYDIS_MNEMONIC_NOP)
		return true;
	if (insn->mnemonic == ZYDIS_MNEMONIC_XCHG && insn->opcode == 0x90)
		return operands[0].reg.value == operands[1].reg.value; /* not r8 with rax */
	if (is_64 || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || operands[0].size != 32)
		return false;
	if (insn->mnemonic == ZYDIS_MNEMONIC_LEA)
		return operands[1].mem.base == operands[0].reg.value &&
		       operands[1].mem.index == ZYDIS_REGISTER_NONE &&
		       operands[1].mem.disp.value == 0;
	return insn->mnemonic == ZYDIS_MNEMONIC_MOV &&
	       operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       operands[1].reg.value == operands[0].reg.value;
}

static uint64_t add(uint64_t hash, uint64_t more)
{
	return xs_mix(hash ^ xs_mix(more));
}

/* Registers by their number in their class, with the class in the shape. */
static void add_register(struct eng_disasm *ret, ZydisRegister reg)
{
	ret->shape = add(ret->shape, (uint64_t)ZydisRegisterGetClass(reg));
	ret->registers = add(ret->registers, (uint64_t)reg);
}

static void add_operands(struct eng_disasm *ret, const ZydisDecodedInstruction *insn,
	const ZydisDecodedOperand *operands)
{
	ret->shape = add(insn->mnemonic,
		insn->attributes & (ZYDIS_ATTRIB_HAS_LOCK | ZYDIS_ATTRIB_HAS_REP |
					   ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE));
	for (unsigned i = 0; i < insn->operand_count_visible; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		ret->shape = add(ret->shape, (uint64_t)operand->type << 16 | operand->size);
		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
			add_register(ret, operand->reg.value);
		if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		ret->shape =
			add(ret->shape, (uint64_t)operand->mem.segment << 8 | operand->mem.scale);
		add_register(ret, operand->mem.base);
		add_register(ret, operand->mem.index);
	}
}

struct eng_disasm eng_disasm(const uint8_t *bytes, size_t size, bool is_64)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	struct eng_disasm ret = {.length = 1};
	if (!decode(bytes, size, is_64, &insn, operands))
		return ret;
	ret.valid = true;
	ret.length = insn.length;
	ret.mnemonic = (uint16_t)insn.mnemonic;
	ret.nop = is_nop(&insn, operands, is_64);
	ret.disp = (struct eng_field){insn.raw.disp.offset, insn.raw.disp.size / 8};
	ret.disp_value = insn.raw.disp.value;
	for (unsigned i = 0; i < 2; i++)
		ret.imm[i] = (struct eng_field){insn.raw.imm[i].offset, insn.raw.imm[i].size / 8};
	ret.branch = insn.raw.imm[0].is_relative;
	ret.relative =
		is_64 && insn.raw.disp.size == 32 && insn.attributes & ZYDIS_ATTRIB_IS_RELATIVE;
	ret.distance = ret.branch ? insn.raw.imm[0].value.s : 0;
	ret.conditional = insn.meta.category == ZYDIS_CATEGORY_COND_BR;
	ret.jump = insn.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
		   insn.meta.category == ZYDIS_CATEGORY_RET || insn.mnemonic == ZYDIS_MNEMONIC_UD2;
	add_operands(&ret, &insn, operands);
	return ret;
}

void eng_disasm_text(
	const uint8_t *bytes, size_t size, bool is_64, xs_addr pc, char text[ENG_DISASM_TEXT])
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	static ZydisFormatter formatter;
	static bool ready;
	if (!ready) /* numbers as they would be written by hand: 0x10, not 0x0000000000000010 */
		ready = ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT)) &&
			ZYAN_SUCCESS(ZydisFormatterSetProperty(&formatter,
				ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
				ZYDIS_PADDING_DISABLED));
	if (!decode(bytes, size, is_64, &insn, operands) || !ready ||
		!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &insn, operands,
			insn.operand_count_visible, text, ENG_DISASM_TEXT, pc, NULL)))
		snprintf(text, ENG_DISASM_TEXT, "(bad)");
}

const char *eng_disasm_mnemonic(uint16_t mnemonic)
{
	const char *name = ZydisMnemonicGetString((ZydisMnemonic)mnemonic);
	return name && mnemonic ? name : "(bad)";
}
