#include "dwarf/x86.h"

/* Numbers that target.h has no name for, since nothing but this file needs them. */
enum {
	MM0 = 41, /* to 48 */
	GS = 55,  /* es cs ss ds fs gs */
	FCW = 65,
	FSW = 66,
	K0 = 118, /* to 125 */
};

static bool is_one_of(unsigned reg, unsigned first, unsigned count)
{
	return reg >= first && reg < first + count;
}

bool di_x86_is_extended(unsigned reg)
{
	return is_one_of(reg, DI_REG_XMM0, 16) || is_one_of(reg, DI_REG_ST0, 8) ||
	       is_one_of(reg, MM0, 8) || is_one_of(reg, DI_REG_MXCSR, 3) ||
	       is_one_of(reg, DI_REG_XMM16, 16) || is_one_of(reg, K0, 8);
}

static bool give(const void *from, unsigned count, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	memcpy(bytes, from, count);
	*size = count;
	return true;
}

static bool general(const struct user_regs_struct *regs, unsigned reg, uint8_t bytes[DI_REG_BYTES],
	unsigned *size)
{
	const unsigned long long numbered[DI_REG_GENERAL] = {regs->rax, regs->rdx, regs->rcx,
		regs->rbx, regs->rsi, regs->rdi, regs->rbp, regs->rsp, regs->r8, regs->r9,
		regs->r10, regs->r11, regs->r12, regs->r13, regs->r14, regs->r15, regs->rip};
	const unsigned long long segments[] = {
		regs->es, regs->cs, regs->ss, regs->ds, regs->fs, regs->gs};
	if (reg < DI_REG_GENERAL)
		return give(&numbered[reg], 8, bytes, size);
	if (reg >= DI_REG_ES && reg <= GS)
		return give(&segments[reg - DI_REG_ES], 2, bytes, size);
	switch (reg) {
	case DI_REG_RFLAGS:
		return give(&regs->eflags, 8, bytes, size);
	case DI_REG_FS_BASE:
		return give(&regs->fs_base, 8, bytes, size);
	case DI_REG_GS_BASE:
		return give(&regs->gs_base, 8, bytes, size);
	default:
		return false;
	}
}

static bool extended(
	const struct xs_xstate *xstate, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	unsigned top = xstate->fstat >> 11 & 7;
	if (is_one_of(reg, DI_REG_XMM0, 16))
		return give(xstate->vector[reg - DI_REG_XMM0], xstate->vector_size, bytes, size);
	if (is_one_of(reg, DI_REG_XMM16, 16))
		return xstate->vectors > 16 && give(xstate->vector[16 + reg - DI_REG_XMM16],
						       xstate->vector_size, bytes, size);
	if (is_one_of(reg, DI_REG_ST0, 8))
		return give(xstate->st[reg - DI_REG_ST0], 10, bytes, size);
	/* mm0 is the physical register 0, wherever the top of the stack is. */
	if (is_one_of(reg, MM0, 8))
		return give(xstate->st[(reg - MM0 - top) & 7], 8, bytes, size);
	if (is_one_of(reg, K0, 8))
		return xstate->vectors > 16 && give(&xstate->mask[reg - K0], 8, bytes, size);
	switch (reg) {
	case DI_REG_MXCSR:
		return give(&xstate->mxcsr, 4, bytes, size);
	case FCW:
		return give(&xstate->fctrl, 2, bytes, size);
	case FSW:
		return give(&xstate->fstat, 2, bytes, size);
	default:
		return false;
	}
}

bool di_x86_reg(const struct user_regs_struct *regs, const struct xs_xstate *xstate, unsigned reg,
	uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	if (di_x86_is_extended(reg))
		return xstate && extended(xstate, reg, bytes, size);
	return regs && general(regs, reg, bytes, size);
}
