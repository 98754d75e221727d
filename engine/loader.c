#include "engine/loader.h"

#include <fcntl.h>
#include <link.h>

static bool read_at(int fd, uint64_t offset, void *ret, size_t size)
{
	return offset <= INT64_MAX && pread(fd, ret, size, (off_t)offset) == (ssize_t)size;
}

bool eng_loader_header(struct eng_process *process, uint32_t type, Elf64_Phdr *ret, uint64_t *bias)
{
	XS_AUTO_FREE char *path = xs_asprintf("/proc/%d/exe", process->tracee.pid);
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr file;
	Elf64_Phdr header;
	uint64_t entry = 0;
	bool found = false;
	XS_AUTO(xs_error) err = eng_process_auxv(process, AT_ENTRY, &entry);
	if (err || fd < 0 || !read_at(fd, 0, &file, sizeof file))
		return false;
	*bias = entry - file.e_entry;
	for (unsigned i = 0; i < file.e_phnum; i++) {
		if (!read_at(fd, file.e_phoff + i * sizeof header, &header, sizeof header))
			return false;
		if (header.p_type != type)
			continue;
		*ret = header;
		found = true;
	}
	return found;
}

struct xs_error *eng_loader_find(struct eng_process *process, xs_addr *ret)
{
	struct eng_tracee *tracee = &process->tracee;
	struct r_debug debug;
	Elf64_Dyn entry;
	Elf64_Phdr dynamic;
	uint64_t bias;
	xs_addr address = 0;
	struct xs_error *err;
	*ret = XS_ADDR_NONE;
	if (!eng_loader_header(process, PT_DYNAMIC, &dynamic, &bias))
		return NULL;
	for (xs_addr at = dynamic.p_vaddr + bias;; at += sizeof entry) {
		if ((err = eng_tracee_read(tracee, at, &entry, sizeof entry)))
			return err;
		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_DEBUG)
			address = entry.d_un.d_ptr;
	}
	if (!address)
		return NULL;
	if ((err = eng_tracee_read(tracee, address, &debug, sizeof debug)))
		return err;
	if (eng_process_is_code(process, debug.r_brk))
		*ret = debug.r_brk;
	return NULL;
}
