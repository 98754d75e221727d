#include "engine/remap.h"

#include <sys/mman.h>
#include <sys/syscall.h>

static bool meets(const struct eng_process *process, uint64_t lo, uint64_t size)
{
	const struct eng_fence *fence = process->fence;
	for (size_t i = 0; fence && i < fence->spans.len; i++)
		if (fence->spans.data[i].lo < lo + size && lo < fence->spans.data[i].hi)
			return true;
	const struct eng_traps *traps = process->traps;
	for (size_t i = 0; traps && i < traps->covers.len; i++)
		if (traps->covers.data[i].lo < lo + size && lo < traps->covers.data[i].hi)
			return true;
	for (size_t i = 0; traps && i < traps->list.len; i++)
		if (lo <= traps->list.data[i].address && traps->list.data[i].address < lo + size)
			return true;
	return false;
}

struct xs_error *eng_remap_begins(struct eng_process *process, uint64_t call, bool *ret)
{
	struct user_regs_struct *regs;
	struct xs_error *err = eng_tracee_regs(&process->tracee, &regs);
	bool stays = true; /* code is there afterwards, but need not be what it was */
	*ret = false;
	if (err)
		return err;
	switch (call) {
	case SYS_munmap:
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
	if (!meets(process, regs->rdi, regs->rsi))
		return NULL;
	*ret = true;
	if (process->fence) {
		eng_fence_lower(process->fence, &process->tracee);
		process->fence->changed |= stays;
	}
	if (process->traps)
		eng_traps_clear(process->traps, &process->tracee);
	return NULL;
}
