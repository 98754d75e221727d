#include "engine/relocate.h"

#include <elf.h>
#include <sys/ptrace.h>

#include "engine/constant.h"
#include "engine/inject.h"

/* By how much: far from everything else, and not by a round number. */
static const uint64_t far = UINT64_C(0x1000007000);

struct mapping {
	uint64_t lo, hi;
};

/* The mappings of the program, lowest first: those of its file, and the memory behind the last one
 * that is not in the file. */
struct mappings {
	XS_VEC(struct mapping) vec;
};

static struct xs_error *find_mappings(
	struct eng_process *process, uint64_t entry, struct mappings *ret)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/maps", process->tracee.pid);
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	XS_AUTO_FREE char *line = NULL;
	uint64_t lo, hi, inode, file = 0;
	size_t size = 0;
	bool holds_entry = false;
	if (!maps)
		return xs_error_sys("%s", path);
	while (getline(&line, &size, maps) > 0) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64, &lo, &hi,
			    &inode) != 3)
			continue;
		bool first = !ret->vec.len;
		bool goes_on = !first && ret->vec.data[ret->vec.len - 1].hi == lo && !inode;
		if (!first && inode != file && !goes_on)
			break;
		struct mapping one = {lo, hi};
		xs_vec_push(&ret->vec, one);
		file = inode ? inode : file;
		holds_entry |= lo <= entry && entry < hi;
	}
	/* What comes first is something else. */
	if (!holds_entry)
		ret->vec.len = 0;
	return NULL;
}

/* Whether the file is one that can be anywhere. */
static struct xs_error *is_movable(struct eng_process *process, xs_addr start, bool *ret)
{
	Elf64_Ehdr header;
	struct xs_error *err = eng_tracee_read(&process->tracee, start, &header, sizeof header);
	*ret = !err && !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_type == ET_DYN;
	return err;
}

struct xs_error *eng_relocate(struct eng_process *process, unsigned moved)
{
	const uint64_t distance = far * moved;
	uint64_t entry, linker;
	struct mappings mappings = {0};
	struct user_regs_struct *regs;
	struct eng_event event;
	bool movable = false, done = true;
	int signal = 0;
	struct xs_error *err = eng_process_auxv(process, AT_ENTRY, &entry);
	if (err || (err = eng_process_auxv(process, AT_BASE, &linker)) || !linker)
		return err;
	err = find_mappings(process, entry, &mappings);
	if (!err && mappings.vec.len)
		err = is_movable(process, mappings.vec.data[0].lo, &movable);
	/* Out of the system call that began it all. */
	if (!err && movable && !(err = eng_process_go(process, PTRACE_SINGLESTEP, 0, &event)) &&
		!process->ended && !(err = eng_tracee_regs(&process->tracee, &regs))) {
		xs_addr at = regs->rip;
		for (size_t i = 0; !err && done && i < mappings.vec.len; i++) {
			const struct mapping *one = &mappings.vec.data[i];
			err = eng_inject_mremap(process, at, one->lo, one->hi - one->lo,
				one->lo + distance, &signal, &done);
			/* The first one tells whether it can be done. */
			if (!err && !done && i)
				err = xs_error_create("a program that was moved in part");
		}
		if (!err && done) {
			process->moved_by = distance;
			err = eng_constant_moved_by(&process->tracee, distance);
		}
	}
	xs_vec_deinit(&mappings.vec);
	return err;
}
