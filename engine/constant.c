#include "engine/constant.h"

#include <elf.h>
#include <sys/random.h>
#include <sys/syscall.h>

const uint8_t eng_constant_random[16] = "xstep fixed this";
const uint8_t eng_constant_moved[16] = "xstep moved this";

/* The first word behind a list of words on the stack that ends with 0. */
static struct xs_error *skip_list(struct eng_tracee *tracee, xs_addr *at)
{
	uint64_t word;
	struct xs_error *err;
	do {
		if ((err = eng_tracee_read(tracee, *at, &word, sizeof word)))
			return err;
		*at += sizeof word;
	} while (word);
	return NULL;
}

struct xs_error *eng_constant_stack(struct eng_tracee *tracee, bool moved, bool without_vdso)
{
	static const uint64_t ignore = AT_IGNORE;
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(tracee, &regs);
	if (err)
		return err;
	/* The count of arguments, these, the environment, and what the kernel says of itself. */
	xs_addr at = regs->rsp + sizeof(uint64_t);
	uint64_t entry[2] = {AT_NULL};
	if ((err = skip_list(tracee, &at)) || (err = skip_list(tracee, &at)))
		return err;
	do {
		if ((err = eng_tracee_read(tracee, at, entry, sizeof entry)))
			return err;
		if (entry[0] == AT_RANDOM)
			err = eng_tracee_write(tracee, entry[1],
				moved ? eng_constant_moved : eng_constant_random,
				sizeof eng_constant_random);
		if (entry[0] == AT_SYSINFO_EHDR && without_vdso)
			err = eng_tracee_write(tracee, at, &ignore, sizeof ignore);
		at += sizeof entry;
	} while (!err && entry[0] != AT_NULL);
	return err;
}

struct xs_error *eng_constant_key(struct eng_tracee *tracee, bool *found)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(tracee, &regs);
	*found = false;
	if (err)
		return err;
	/* rax holds -ENOSYS while the call has only begun. */
	*found = regs->orig_rax == SYS_getrandom && regs->rdx == GRND_NONBLOCK &&
		 regs->rsi == sizeof(uint64_t) && regs->rax == regs->rsi;
	return *found ? eng_tracee_write(tracee, regs->rdi, eng_constant_random, regs->rsi) : NULL;
}
