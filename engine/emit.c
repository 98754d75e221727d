#include "engine/emit.h"

#include <string.h>

#include "base/error.h"

void eng_emit_bytes(struct eng_emit *emit, const void *bytes, size_t size)
{
	xs_assert(size <= sizeof emit->bytes - emit->size);
	memcpy(emit->bytes + emit->size, bytes, size);
	emit->size += size;
}

/* Up to eight bytes, the first one lowest. */
static void put(struct eng_emit *emit, uint64_t value, size_t size)
{
	eng_emit_bytes(emit, &value, size);
}

void eng_emit_int3(struct eng_emit *emit)
{
	put(emit, 0xcc, 1);
}

/* An instruction whose memory operand is at an absolute address: opcode with its prefix, reg. */
static void put_absolute(struct eng_emit *emit, const char *opcode, unsigned reg, xs_addr data)
{
	xs_assert(data <= INT32_MAX);
	eng_emit_bytes(emit, opcode, strlen(opcode));
	put(emit, 0x04 | reg << 3, 1);
	put(emit, 0x25, 1);
	put(emit, data, 4);
}

void eng_emit_store(struct eng_emit *emit, enum eng_emit_reg reg, xs_addr data)
{
	put_absolute(emit, "\x48\x89", reg, data);
}

void eng_emit_load(struct eng_emit *emit, enum eng_emit_reg reg, xs_addr data)
{
	put_absolute(emit, "\x48\x8b", reg, data);
}

void eng_emit_store_value(struct eng_emit *emit, xs_addr data, uint32_t value)
{
	put_absolute(emit, "\xc7", 0, data);
	put(emit, value, 4);
}

void eng_emit_load_indexed(struct eng_emit *emit, enum eng_emit_reg reg, xs_addr table)
{
	xs_assert(table <= INT32_MAX);
	put(emit, 0x8b48, 2);
	put(emit, 0x04 | (unsigned)reg << 3, 1);
	put(emit, 0xc5, 1); /* rax * 8, and no base */
	put(emit, table, 4);
}

void eng_emit_set(struct eng_emit *emit, enum eng_emit_reg reg, uint64_t value)
{
	put(emit, 0x48, 1);
	put(emit, 0xb8 + (unsigned)reg, 1);
	put(emit, value, 8);
}

void eng_emit_decrement(struct eng_emit *emit)
{
	eng_emit_bytes(emit, "\x48\x8d\x49\xff", 4);
}

void eng_emit_add(struct eng_emit *emit, enum eng_emit_reg reg)
{
	put(emit, 0x0c8d48, 3);
	put(emit, 0x01 | (unsigned)reg << 3, 1);
}

void eng_emit_low16(struct eng_emit *emit)
{
	eng_emit_bytes(emit, "\x0f\xb7\xc1", 3);
}

void eng_emit_jrcxz(struct eng_emit *emit, int8_t by)
{
	put(emit, 0xe3, 1);
	put(emit, (uint8_t)by, 1);
}

/* The displacement of an instruction that ends behind it. */
static void put_relative(struct eng_emit *emit, xs_addr to)
{
	int64_t by = (int64_t)(to - (eng_emit_here(emit) + 4));
	xs_assert(by >= INT32_MIN && by <= INT32_MAX);
	put(emit, (uint64_t)by, 4);
}

void eng_emit_jmp(struct eng_emit *emit, xs_addr to)
{
	put(emit, 0xe9, 1);
	put_relative(emit, to);
}

void eng_emit_jmp_through(struct eng_emit *emit, xs_addr data)
{
	put_absolute(emit, "\xff", 4, data);
}

void eng_emit_push(struct eng_emit *emit, xs_addr data)
{
	put_absolute(emit, "\xff", 6, data);
}

void eng_emit_jmp_far(struct eng_emit *emit, xs_addr to)
{
	eng_emit_bytes(emit, "\xff\x25\0\0\0\0", 6);
	put(emit, to, 8);
}

void eng_emit_branch(struct eng_emit *emit, uint8_t condition, xs_addr taken, xs_addr other)
{
	if (condition < 0x10) {
		put(emit, 0x0f, 1);
		put(emit, 0x80u + condition, 1);
		put_relative(emit, taken);
		eng_emit_jmp(emit, other);
		return;
	}
	/* The loops and jrcxz do not reach far. */
	put(emit, condition, 1);
	put(emit, 5, 1);
	eng_emit_jmp(emit, other);
	eng_emit_jmp(emit, taken);
}

void eng_emit_top(struct eng_emit *emit)
{
	eng_emit_bytes(emit, "\x48\x8b\x0c\x24", 4);
}

void eng_emit_pop(struct eng_emit *emit, uint16_t pops)
{
	eng_emit_bytes(emit, "\x48\x8d\xa4\x24", 4);
	put(emit, 8u + pops, 4);
}

/* What a displacement to rip becomes for an instruction that ends at `end` instead of `was`. */
static bool move_displacement(const uint8_t *bytes, xs_addr was, xs_addr end, int32_t *ret)
{
	int32_t before;
	memcpy(&before, bytes, sizeof before);
	int64_t now = (int64_t)(was + (uint64_t)(int64_t)before - end);
	*ret = (int32_t)now;
	return now >= INT32_MIN && now <= INT32_MAX;
}

bool eng_emit_copy(
	struct eng_emit *emit, const uint8_t *code, const struct eng_insn *insn, xs_addr pc)
{
	uint8_t bytes[ENG_INSN_MAX];
	int32_t displacement;
	memcpy(bytes, code, insn->length);
	if (insn->relative) {
		if (!move_displacement(code + insn->relative, pc + insn->length,
			    eng_emit_here(emit) + insn->length, &displacement))
			return false;
		memcpy(bytes + insn->relative, &displacement, sizeof displacement);
	}
	eng_emit_bytes(emit, bytes, insn->length);
	return true;
}

bool eng_emit_target(
	struct eng_emit *emit, const uint8_t *code, const struct eng_insn *insn, xs_addr pc)
{
	/* The same operand, but read by mov rcx: ff /2 or ff /4 becomes 8b /1. */
	unsigned at = 0, rex = 0x48;
	while (at < insn->length && code[at] != 0xff && (code[at] & 0xf0) != 0x40)
		at++;
	if (at < insn->length && (code[at] & 0xf0) == 0x40)
		rex |= code[at++] & 3u;
	if (at + 1 >= insn->length || code[at] != 0xff)
		return false;
	unsigned modrm = at + 1, length = insn->length - modrm; /* modrm, sib, displacement */
	uint8_t bytes[ENG_INSN_MAX + 2] = {(uint8_t)rex, 0x8b};
	int32_t displacement;
	memcpy(bytes + 2, code + modrm, length);
	bytes[2] = (uint8_t)((bytes[2] & ~0x38u) | ENG_EMIT_RCX << 3);
	if (insn->relative) {
		if (!move_displacement(code + insn->relative, pc + insn->length,
			    eng_emit_here(emit) + 2 + length, &displacement))
			return false;
		memcpy(bytes + 2 + (insn->relative - modrm), &displacement, sizeof displacement);
	}
	eng_emit_bytes(emit, bytes, 2 + length);
	return true;
}
