#include "engine/branch.h"

#include <sys/uio.h>

enum {
	CARRY = 1 << 0,
	PARITY = 1 << 2,
	ZERO = 1 << 6,
	SIGN = 1 << 7,
	OVERFLOW = 1 << 11,
};

/* The register that instructions give this number. */
static uint64_t *register_at(struct user_regs_struct *regs, uint8_t number)
{
	unsigned long long *const all[] = {&regs->rax, &regs->rcx, &regs->rdx, &regs->rbx,
		&regs->rsp, &regs->rbp, &regs->rsi, &regs->rdi, &regs->r8, &regs->r9, &regs->r10,
		&regs->r11, &regs->r12, &regs->r13, &regs->r14, &regs->r15, &regs->rip};
	return (uint64_t *)all[number];
}

bool eng_branch_taken(uint8_t condition, struct user_regs_struct *regs)
{
	uint64_t flags = regs->eflags;
	bool sign = flags & SIGN, overflow = flags & OVERFLOW, zero = flags & ZERO;
	bool holds;
	switch (condition) {
	case 0xe0: /* loopne */
		return --regs->rcx && !zero;
	case 0xe1: /* loope */
		return --regs->rcx && zero;
	case 0xe2: /* loop */
		return --regs->rcx;
	case 0xe3: /* jrcxz */
		return !regs->rcx;
	}
	switch (condition >> 1) {
	case 0:
		holds = overflow;
		break;
	case 1:
		holds = flags & CARRY;
		break;
	case 2:
		holds = zero;
		break;
	case 3:
		holds = flags & (CARRY | ZERO);
		break;
	case 4:
		holds = sign;
		break;
	case 5:
		holds = flags & PARITY;
		break;
	case 6:
		holds = sign != overflow;
		break;
	default:
		holds = zero || sign != overflow;
		break;
	}
	/* Odd numbers are the negations of even ones. */
	return holds != (condition & 1);
}

/* Through process_vm_*, which respect the protection of pages as the processor does. */
static bool read_word(const struct eng_tracee *tracee, xs_addr address, uint64_t *ret)
{
	struct iovec here = {ret, sizeof *ret}, there = {(void *)address, sizeof *ret};
	return process_vm_readv(tracee->pid, &here, 1, &there, 1, 0) == sizeof *ret;
}

static bool push_word(struct eng_tracee *tracee, struct user_regs_struct *regs, uint64_t word)
{
	struct iovec here = {&word, sizeof word};
	struct iovec there = {(void *)(regs->rsp - sizeof word), sizeof word};
	if (process_vm_writev(tracee->pid, &here, 1, &there, 1, 0) != sizeof word)
		return false;
	eng_tracee_forget_page(tracee, regs->rsp - sizeof word);
	regs->rsp -= sizeof word;
	return true;
}

/* What an indirect branch goes to. */
static bool find_any_target(const struct eng_insn *insn, const struct eng_tracee *tracee,
	struct user_regs_struct *regs, xs_addr next, xs_addr *ret)
{
	if (!insn->memory) {
		*ret = *register_at(regs, insn->base);
		return true;
	}
	xs_addr address = (uint64_t)insn->offset;
	if (insn->base == ENG_INSN_RIP)
		address += next;
	else if (insn->base != ENG_INSN_NO_REG)
		address += *register_at(regs, insn->base);
	if (insn->index != ENG_INSN_NO_REG)
		address += *register_at(regs, insn->index) * insn->scale;
	return read_word(tracee, address, ret);
}

/* The same, unless the processor would not go there: then the branch fails. */
static bool find_target(const struct eng_insn *insn, const struct eng_tracee *tracee,
	struct user_regs_struct *regs, xs_addr next, xs_addr *ret)
{
	return find_any_target(insn, tracee, regs, next, ret) && *ret >> 47 == 0;
}

bool eng_branch_execute(
	const struct eng_insn *insn, struct eng_tracee *tracee, struct user_regs_struct *regs)
{
	xs_addr next = regs->rip + insn->length, target = eng_insn_target(insn, regs->rip);
	switch (insn->kind) {
	case ENG_INSN_CONDITIONAL:
		regs->rip = eng_branch_taken(insn->condition, regs) ? target : next;
		tracee->regs_changed |= insn->condition >= 0xe0; /* the loops count */
		break;
	case ENG_INSN_JUMP:
		regs->rip = target;
		break;
	case ENG_INSN_CALL:
		if (!push_word(tracee, regs, next))
			return false;
		tracee->regs_changed = true;
		regs->rip = target;
		break;
	case ENG_INSN_INDIRECT_JUMP:
		if (!find_target(insn, tracee, regs, next, &target))
			return false;
		regs->rip = target;
		break;
	case ENG_INSN_INDIRECT_CALL:
		if (!find_target(insn, tracee, regs, next, &target) ||
			!push_word(tracee, regs, next))
			return false;
		tracee->regs_changed = true;
		regs->rip = target;
		break;
	case ENG_INSN_RETURN:
		if (!read_word(tracee, regs->rsp, &target) || target >> 47)
			return false;
		regs->rsp += sizeof target + insn->pops;
		tracee->regs_changed = true;
		regs->rip = target;
		break;
	default:
		return false;
	}
	tracee->pc_changed = true;
	return true;
}
