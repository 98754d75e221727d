#include "dwarf/sanitised.h"

#include <gelf.h>
#include <string.h>

static bool has_one(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;
	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && (!strcmp(name, "__asan_init") || !strcmp(name, "__lsan_init")))
			return true;
	}
	return false;
}

bool di_is_leak_sanitised(const struct di_module *module)
{
	GElf_Shdr header;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(module->elf, section));)
		if (gelf_getshdr(section, &header) &&
			(header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) &&
			has_one(module->elf, section, &header))
			return true;
	return false;
}
