/* What a module's file says. It is opened and closed in open.c. */
#include "dwarf/module.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

enum { PAGE_SIZE = 4096 };

/* Two thirds of the way up: ELF_ET_DYN_BASE of Linux on x86-64. */
#define POSITION ((uint64_t)0x555555554000)

struct xs_error *di_module_section(
	const struct di_module *module, const char *name, struct di_cursor *ret)
{
	GElf_Shdr header;
	bool debug =
		!strncmp(name, ".debug_", 7) && di_section_find(module->debug_elf, name, &header);
	return di_section_read(debug ? module->debug_elf : module->elf, name, ret);
}

bool di_module_position(const struct di_module *module, uint64_t *ret)
{
	size_t segments = 0;
	GElf_Ehdr header;
	GElf_Phdr segment;
	xs_addr first = XS_ADDR_NONE;
	uint64_t align = PAGE_SIZE;
	bool loader = false;
	*ret = 0;
	if (!gelf_getehdr(module->elf, &header) || elf_getphdrnum(module->elf, &segments))
		return false;
	if (header.e_type == ET_EXEC)
		return true;
	for (size_t i = 0; i < segments; i++) {
		if (!gelf_getphdr(module->elf, (int)i, &segment))
			return false;
		loader |= segment.p_type == PT_INTERP;
		if (segment.p_type != PT_LOAD)
			continue;
		first = segment.p_vaddr < first ? segment.p_vaddr : first;
		align = segment.p_align > align ? segment.p_align : align;
	}
	*ret = (POSITION & -align) - (first & -(xs_addr)PAGE_SIZE);
	return loader && first != XS_ADDR_NONE;
}

bool di_module_holds(const struct di_module *module, xs_addr addr)
{
	return xs_ranges_find(&module->image, addr);
}

bool di_module_discarded(const struct di_module *module, xs_addr addr)
{
	/* What has no size may lie at the end of a section. */
	if (xs_ranges_find(&module->sections, addr) ||
		(addr && xs_ranges_find(&module->sections, addr - 1)))
		return false;
	return addr <= 1 || addr >= (xs_addr)-2 ||
	       (module->sections.vec.len && di_module_holds(module, addr));
}

const uint8_t *di_module_bytes(const struct di_module *module, xs_addr addr, size_t *size)
{
	size_t segments = 0, length = 0;
	const char *raw = elf_rawfile(module->elf, &length);
	GElf_Phdr segment;
	if (!raw || elf_getphdrnum(module->elf, &segments))
		return NULL;
	for (size_t i = 0; i < segments; i++) {
		if (!gelf_getphdr(module->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
			addr < segment.p_vaddr || addr - segment.p_vaddr >= segment.p_filesz)
			continue;
		uint64_t at = addr - segment.p_vaddr, left = segment.p_filesz - at;
		if (segment.p_offset > length || at >= length - segment.p_offset)
			return NULL;
		at += segment.p_offset;
		*size = left < length - at ? left : length - at;
		return (const uint8_t *)raw + at;
	}
	return NULL;
}

const char *di_module_library(void)
{
	return dwfl_version(NULL);
}
