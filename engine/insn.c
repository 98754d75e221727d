#include "engine/insn.h"

#include <stdio.h>

#include <Zydis/Zydis.h>

static enum eng_insn_kind kind_of(const ZydisDecodedInstruction *insn)
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
		return ENG_INSN_CALL;
	default:
		return ENG_INSN_PLAIN;
	}
}

struct eng_insn eng_insn_decode(const uint8_t *bytes, size_t size)
{
	static ZydisDecoder decoder;
	static int ready;
	if (!ready)
		ready = ZYAN_SUCCESS(ZydisDecoderInit(
			&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
	ZydisDecodedInstruction insn;
	if (!ready ||
		!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, bytes, size, &insn)))
		return (struct eng_insn){.kind = ENG_INSN_PLAIN};
	return (struct eng_insn){.kind = kind_of(&insn), .length = insn.length};
}

const char *eng_insn_library(void)
{
	static char text[32];
	ZyanU64 version = ZydisGetVersion();
	snprintf(text, sizeof text, "%u.%u.%u", (unsigned)ZYDIS_VERSION_MAJOR(version),
		(unsigned)ZYDIS_VERSION_MINOR(version), (unsigned)ZYDIS_VERSION_PATCH(version));
	return text;
}
