/* x86.h - DWARF register numbers of x86-64 (psABI, figure 3.36) and where their contents are.
 *
 * A live thread and a core file have the same two records of registers: this is what both give
 * their di_target. */
#ifndef DI_X86_H
#define DI_X86_H

#include <sys/user.h>

#include "base/xstate.h"
#include "dwarf/target.h"

/* Whether a register is in the second record: x87, SSE, AVX. */
bool di_x86_is_extended(unsigned reg);
/* The content of a register; false if there is no such register, or its record is NULL. */
bool di_x86_reg(const struct user_regs_struct *regs, const struct xs_xstate *xstate, unsigned reg,
	uint8_t bytes[DI_REG_BYTES], unsigned *size);

#endif
