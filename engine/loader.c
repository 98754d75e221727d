#include "engine/loader.h"

#include <elf.h>
#include <link.h>

/* The executable's dynamic section in memory; XS_ADDR_NONE if it has none. */
static struct xs_error *find_dynamic(struct eng_process *process, xs_addr *ret)
{
	uint64_t headers, count, bias = 0;
	struct xs_error *err;
	*ret = XS_ADDR_NONE;
	if ((err = eng_process_auxv(process, AT_PHDR, &headers)) ||
		(err = eng_process_auxv(process, AT_PHNUM, &count)))
		return err;
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Phdr header;
		if ((err = eng_tracee_read(&process->tracee, headers + i * sizeof header, &header,
			     sizeof header)))
			return err;
		/* PT_PHDR, if there is one, comes before PT_DYNAMIC. */
		if (header.p_type == PT_PHDR)
			bias = headers - header.p_vaddr;
		else if (header.p_type == PT_DYNAMIC)
			*ret = header.p_vaddr + bias;
	}
	return NULL;
}

struct xs_error *eng_loader_find(struct eng_process *process, xs_addr *ret)
{
	struct eng_tracee *tracee = &process->tracee;
	struct r_debug debug;
	Elf64_Dyn entry;
	xs_addr at, address = 0;
	struct xs_error *err = find_dynamic(process, &at);
	*ret = XS_ADDR_NONE;
	if (err || at == XS_ADDR_NONE)
		return err;
	for (;; at += sizeof entry) {
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
