/* What a module's file says. It is opened and closed in open.c. */
#include "dwarf/module.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

enum { PAGE_SIZE = 4096 };

struct xs_error *di_module_section(
	const struct di_module *module, const char *name, struct di_cursor *ret)
{
	GElf_Shdr header;
	bool debug =
		!strncmp(name, ".debug_", 7) && di_section_find(module->debug_elf, name, &header);
	return di_section_read(debug ? module->debug_elf : module->elf, name, ret);
}

xs_addr di_module_base(const struct di_module *module)
{
	size_t segments = 0;
	GElf_Phdr segment;
	if (!elf_getphdrnum(module->elf, &segments))
		for (size_t i = 0; i < segments; i++)
			if (gelf_getphdr(module->elf, (int)i, &segment) &&
				segment.p_type == PT_LOAD && segment.p_offset < PAGE_SIZE)
				return segment.p_vaddr - segment.p_offset;
	return 0;
}

bool di_module_holds(const struct di_module *module, xs_addr addr)
{
	return xs_ranges_find(&module->image, addr);
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
