/* branch.h - works a branch out in the tracer, from registers and flags.
 *
 * What the processor would do is done to the registers, and for a call to the stack. A branch whose
 * memory cannot be read or written is not worked out: the caller then lets the processor try, so
 * that the program gets its own fault. */
#ifndef ENG_BRANCH_H
#define ENG_BRANCH_H

#include "engine/insn.h"
#include "engine/tracee.h"

/* Executes insn, which is at regs->rip. False if that must be left to the processor. */
bool eng_branch_execute(
	const struct eng_insn *insn, struct eng_tracee *tracee, struct user_regs_struct *regs);

/* Whether a conditional branch is taken. The loops count rcx down. */
bool eng_branch_taken(uint8_t condition, struct user_regs_struct *regs);

#endif
