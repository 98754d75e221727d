#include "dwarf/callee.h"

#include "dwarf/symtab.h"

/* --- names of code ---------------------------------------------------------------------------- */

/* Whether the name of a symbol, which may have a version (`name@V`, `name@@V`), is that one. */
static bool is_name(const char *symbol, const char *name)
{
	size_t length = strlen(name);
	return symbol && !strncmp(symbol, name, length) &&
	       (!symbol[length] || symbol[length] == '@');
}

static bool has_symbol(const struct di_module *module, xs_addr entry, const char *name)
{
	struct di_symtab tables[DI_SYMTABS];
	bool complete;
	size_t count = di_symtabs_of(module, tables, &complete);
	GElf_Sym symbol;
	for (size_t i = 0; i < count; i++)
		for (int k = 0; gelf_getsym(tables[i].data, k, &symbol); k++)
			if (symbol.st_value == entry && symbol.st_shndx != SHN_UNDEF &&
				is_name(di_symtab_name(&tables[i], &symbol), name))
				return true;
	return false;
}

/* Rule 1. */
static bool is_code_of(struct di_module *module, xs_addr entry, const char *name)
{
	const struct di_function *function = di_functions_find_debug(module->functions, entry);
	return (function && function->entry == entry && function->name &&
		       !strcmp(function->name, name)) ||
	       has_symbol(module, entry, name);
}

/* --- slots ------------------------------------------------------------------------------------ */

struct slot {
	GElf_Rela relocation;
	struct di_symtab symbols; /* that the relocation refers to */
};

static bool find_in_section(
	const struct di_module *module, Elf_Scn *scn, xs_addr address, struct slot *ret)
{
	GElf_Shdr header;
	if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_RELA ||
		!(header.sh_flags & SHF_ALLOC))
		return false;
	Elf_Data *data = elf_getdata(scn, NULL);
	for (int i = 0; data && gelf_getrela(data, i, &ret->relocation); i++) {
		if (ret->relocation.r_offset != address)
			continue;
		Elf_Scn *symbols = elf_getscn(module->elf, header.sh_link);
		ret->symbols = (struct di_symtab){.elf = module->elf};
		if (header.sh_link && symbols && gelf_getshdr(symbols, &ret->symbols.header))
			ret->symbols.data = elf_getdata(symbols, NULL);
		return true;
	}
	return false;
}

/* The relocation of a slot; false: it has none. */
static bool find_slot(const struct di_module *module, xs_addr address, struct slot *ret)
{
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(module->elf, scn)))
		if (find_in_section(module, scn, address, ret))
			return true;
	return false;
}

static bool is_symbolic(const struct slot *slot)
{
	uint64_t type = GELF_R_TYPE(slot->relocation.r_info);
	return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
}

bool di_callee_slot_is(struct di_module *module, xs_addr address, const char *name)
{
	struct slot slot;
	GElf_Sym symbol;
	if (!find_slot(module, address, &slot))
		return false;
	uint64_t type = GELF_R_TYPE(slot.relocation.r_info);
	if (type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE)
		return is_code_of(module, (xs_addr)slot.relocation.r_addend, name);
	return is_symbolic(&slot) && slot.symbols.data &&
	       gelf_getsym(slot.symbols.data, (int)GELF_R_SYM(slot.relocation.r_info), &symbol) &&
	       is_name(di_symtab_name(&slot.symbols, &symbol), name);
}

bool di_callee_is_linked(const struct di_module *module, xs_addr address)
{
	struct slot slot;
	return find_slot(module, address, &slot) && is_symbolic(&slot);
}

/* --- entries of the PLT ----------------------------------------------------------------------- */

static bool is_in_plt(const struct di_module *module, xs_addr address)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	while ((scn = elf_nextscn(module->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR &&
			address - header.sh_addr < header.sh_size) {
			const char *name = di_section_name(module->elf, &header);
			return !strncmp(name, ".plt", 4) || !strncmp(name, ".iplt", 5);
		}
	return false;
}

/* The slot that an entry jumps by: rule 2. */
static bool read_entry(const struct di_module *module, xs_addr entry, xs_addr *ret)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	static const uint8_t jump[] = {0xff, 0x25}; /* jmp *disp32(%rip) */
	enum { BND = 0xf2 };
	size_t size, at = 0;
	const uint8_t *bytes = di_module_bytes(module, entry, &size);
	if (!bytes || !is_in_plt(module, entry))
		return false;
	if (size >= sizeof endbr64 && !memcmp(bytes, endbr64, sizeof endbr64))
		at += sizeof endbr64;
	at += at < size && bytes[at] == BND;
	int32_t offset;
	if (size < at + sizeof jump + sizeof offset || memcmp(bytes + at, jump, sizeof jump) != 0)
		return false;
	at += sizeof jump;
	memcpy(&offset, bytes + at, sizeof offset);
	*ret = entry + at + sizeof offset + (xs_addr)(int64_t)offset;
	return true;
}

bool di_callee_is(struct di_module *module, xs_addr entry, const char *name)
{
	xs_addr slot;
	if (read_entry(module, entry, &slot))
		return di_callee_slot_is(module, slot, name);
	return is_code_of(module, entry, name);
}
