/* emit.h - machine code for the code cache: what it is made of.
 *
 * All of it leaves the flags alone, and touches nothing below rsp: the program's own flags, stack
 * and red zone are there all the time. Data is addressed absolutely, so it lies in the lowest two
 * gigabytes. */
#ifndef ENG_EMIT_H
#define ENG_EMIT_H

#include "engine/insn.h"

enum { ENG_EMIT_MAX = 8192 };

/* The registers that the code of the cache uses, as instructions number them. */
enum eng_emit_reg { ENG_EMIT_RAX, ENG_EMIT_RCX, ENG_EMIT_RDX };

struct eng_emit {
	xs_addr at;                  /* where bytes[0] will be */
	size_t size;                 /* how many bytes there are */
	uint8_t bytes[ENG_EMIT_MAX]; /* the code; who emits sees to it that there is room */
};

/* Where the next byte will be. */
static inline xs_addr eng_emit_here(const struct eng_emit *emit)
{
	return emit->at + emit->size;
}

void eng_emit_bytes(struct eng_emit *emit, const void *bytes, size_t size);
void eng_emit_int3(struct eng_emit *emit);
/* mov [data], reg and mov reg, [data] */
void eng_emit_store(struct eng_emit *emit, enum eng_emit_reg reg, xs_addr data);
void eng_emit_load(struct eng_emit *emit, enum eng_emit_reg reg, xs_addr data);
/* mov dword [data], value */
void eng_emit_store_value(struct eng_emit *emit, xs_addr data, uint32_t value);
/* mov reg, [table + rax * 8] */
void eng_emit_load_indexed(struct eng_emit *emit, enum eng_emit_reg reg, xs_addr table);
/* mov reg, value */
void eng_emit_set(struct eng_emit *emit, enum eng_emit_reg reg, uint64_t value);
/* lea rcx, [rcx - 1]; lea rcx, [rcx + reg]; movzx eax, cx */
void eng_emit_decrement(struct eng_emit *emit);
void eng_emit_add(struct eng_emit *emit, enum eng_emit_reg reg);
void eng_emit_low16(struct eng_emit *emit);
/* jrcxz by that many bytes behind it; jmp to; jmp [data]; push qword [data] */
void eng_emit_jrcxz(struct eng_emit *emit, int8_t by);
void eng_emit_jmp(struct eng_emit *emit, xs_addr to);
void eng_emit_jmp_through(struct eng_emit *emit, xs_addr data);
void eng_emit_push(struct eng_emit *emit, xs_addr data);
/* A jump to anywhere, its target in the code itself. */
void eng_emit_jmp_far(struct eng_emit *emit, xs_addr to);
/* The conditional branch `condition` (insn.h) to `taken`, else on to `other`. */
void eng_emit_branch(struct eng_emit *emit, uint8_t condition, xs_addr taken, xs_addr other);
/* mov rcx, [rsp]; lea rsp, [rsp + 8 + pops] */
void eng_emit_top(struct eng_emit *emit);
void eng_emit_pop(struct eng_emit *emit, uint16_t pops);
/* The instruction at pc, as it is, or relative to rip as it must be here. False if what it refers
 * to is too far away. */
bool eng_emit_copy(
	struct eng_emit *emit, const uint8_t *code, const struct eng_insn *insn, xs_addr pc);
/* mov rcx, what the indirect jump or call at pc goes to. False likewise. */
bool eng_emit_target(
	struct eng_emit *emit, const uint8_t *code, const struct eng_insn *insn, xs_addr pc);

#endif
