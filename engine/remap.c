#include "engine/remap.h"

#include <limits.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static bool meets(
	const struct eng_fence *fence, const struct eng_traps *traps, uint64_t lo, uint64_t size)
{
	for (size_t i = 0; fence && i < fence->spans.len; i++)
		if (fence->spans.data[i].lo < lo + size && lo < fence->spans.data[i].hi)
			return true;
	for (size_t i = 0; traps && i < traps->covers.len; i++)
		if (traps->covers.data[i].lo < lo + size && lo < traps->covers.data[i].hi)
			return true;
	for (size_t i = 0; traps && i < traps->list.len; i++)
		if (lo <= traps->list.data[i].address && traps->list.data[i].address < lo + size)
			return true;
	return traps && xs_ranges_meet(&traps->areas, lo, lo + size);
}

/* Whether the path that the program gives to the kernel is that of a process's memory. */
static struct xs_error *is_memory(struct eng_tracee *tracee, xs_addr at, bool *ret)
{
	static const char end[] = "/mem";
	char path[PATH_MAX];
	size_t have, length;
	struct xs_error *err = eng_tracee_read_some(tracee, at, path, sizeof path, &have);
	length = err ? 0 : strnlen(path, have);
	*ret = length >= sizeof end - 1 &&
	       !memcmp(path + length + 1 - sizeof end, end, sizeof end - 1);
	return err;
}

struct xs_error *eng_remap_begins(struct eng_tracee *tracee, struct eng_fence *fence,
	struct eng_traps *traps, uint64_t call, bool *ret)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(tracee, &regs);
	bool stays = true; /* code is there afterwards, but need not be what it was */
	*ret = false;
	if (err)
		return err;
	switch (call) {
	case SYS_munmap:
	case SYS_mprotect:
		stays = false;
		break;
	case SYS_open:
	case SYS_openat:
		err = is_memory(tracee, call == SYS_open ? regs->rdi : regs->rsi, ret);
		if (err || !*ret)
			return err;
		stays = false;
		break;
	case SYS_mmap:
		if (!(regs->r10 & MAP_FIXED))
			return NULL;
		break;
	case SYS_mremap:
	case SYS_madvise:
		break;
	default:
		return NULL;
	}
	if (!*ret && !meets(fence, traps, regs->rdi, regs->rsi))
		return NULL;
	*ret = true;
	if (fence) {
		eng_fence_lower(fence, tracee);
		fence->changed |= stays;
	}
	if (traps)
		eng_traps_clear(traps, tracee);
	return NULL;
}
