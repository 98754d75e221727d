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

/* Where the auxiliary vector begins: behind the count of arguments, these, and the environment. */
static struct xs_error *find_vector(struct eng_tracee *tracee, xs_addr *ret)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(tracee, &regs);
	if (err)
		return err;
	*ret = regs->rsp + sizeof(uint64_t);
	return (err = skip_list(tracee, ret)) ? err : skip_list(tracee, ret);
}

struct xs_error *eng_constant_stack(struct eng_tracee *tracee, bool moved, bool without_vdso)
{
	static const uint64_t ignore = AT_IGNORE;
	uint64_t entry[2] = {AT_NULL};
	xs_addr at;
	struct xs_error *err = find_vector(tracee, &at);
	if (err)
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

uint64_t eng_constant_shift(uint64_t type, uint64_t by)
{
	return type == AT_PHDR || type == AT_ENTRY ? by : 0;
}

struct xs_error *eng_constant_moved_by(struct eng_tracee *tracee, uint64_t by)
{
	uint64_t entry[2] = {AT_NULL};
	xs_addr at;
	struct xs_error *err = find_vector(tracee, &at);
	while (!err && !(err = eng_tracee_read(tracee, at, entry, sizeof entry)) &&
		entry[0] != AT_NULL) {
		entry[1] += eng_constant_shift(entry[0], by);
		err = eng_tracee_write(tracee, at, entry, sizeof entry);
		at += sizeof entry;
	}
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
