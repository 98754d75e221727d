#include "dwarf/tls.h"

#include <gelf.h>

#include "dwarf/module.h"
#include "dwarf/reg.h"
#include "dwarf/wide.h"

/* glibc's vector: pairs of words, the first pair being a generation, the one before it a length. */
enum { PAIR = 16, VECTOR = 8 /* its address is there from the thread pointer on */ };

static bool find_segment(const struct di_module *module, GElf_Phdr *ret)
{
	size_t count = 0;
	if (elf_getphdrnum(module->elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(module->elf, (int)i, ret) && ret->p_type == PT_TLS)
			return true;
	return false;
}

static bool read_word(const struct di_target *target, xs_addr address, uint64_t *ret)
{
	uint8_t bytes[8];
	if (!target->memory(target->arg, address, bytes, sizeof bytes))
		return false;
	*ret = di_wide_from_bytes(bytes, sizeof bytes).limb[0];
	return true;
}

static bool needs_glibc(const struct di_module *module)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	GElf_Dyn entry;
	while ((scn = elf_nextscn(module->elf, scn))) {
		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_DYNAMIC)
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
			const char *name =
				entry.d_tag == DT_NEEDED
					? elf_strptr(module->elf, header.sh_link, entry.d_un.d_val)
					: NULL;
			if (name && (!strcmp(name, "libc.so.6") ||
					    !strcmp(name, "ld-linux-x86-64.so.2")))
				return true;
		}
	}
	return false;
}

/* The first relocation of a type that is for the module's own storage: where its word is, and which
 * byte of the storage it speaks of. */
static bool find_relocation(
	const struct di_module *module, unsigned type, xs_addr *word, uint64_t *byte)
{
	Elf_Scn *scn = NULL, *symbols;
	GElf_Shdr header;
	GElf_Rela one;
	GElf_Sym symbol;
	while ((scn = elf_nextscn(module->elf, scn))) {
		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_RELA ||
			!(header.sh_flags & SHF_ALLOC))
			continue;
		Elf_Data *data = elf_getdata(scn, NULL), *table = NULL;
		if ((symbols = elf_getscn(module->elf, header.sh_link)))
			table = elf_getdata(symbols, NULL);
		for (int i = 0; data && gelf_getrela(data, i, &one); i++) {
			size_t index = GELF_R_SYM(one.r_info);
			symbol = (GElf_Sym){0};
			if (GELF_R_TYPE(one.r_info) != type ||
				(index && (!table || !gelf_getsym(table, (int)index, &symbol) ||
						  symbol.st_shndx == SHN_UNDEF ||
						  GELF_ST_VISIBILITY(symbol.st_other) ==
							  STV_DEFAULT)))
				continue;
			*word = one.r_offset;
			*byte = symbol.st_value + (uint64_t)one.r_addend;
			return true;
		}
	}
	return false;
}

/* Rule 2. */
static void find_in_library(const struct di_target *target, const struct di_mapping *mapping,
	uint64_t pointer, xs_addr *ret, struct di_answer *answer)
{
	const struct di_module *module = mapping->module;
	xs_addr word;
	uint64_t byte, value, vector, length;
	if (find_relocation(module, R_X86_64_TPOFF64, &word, &byte) &&
		read_word(target, mapping->bias + word, &value)) {
		*ret = pointer + value - byte;
		return;
	}
	if (!needs_glibc(module) || !find_relocation(module, R_X86_64_DTPMOD64, &word, &byte) ||
		!read_word(target, mapping->bias + word, &value) || !value ||
		!read_word(target, pointer + VECTOR, &vector) ||
		!read_word(target, vector - PAIR, &length)) {
		di_answer_error(answer, DI_WHY_TLS_OF_LIBRARY);
		return;
	}
	/* A thread gets the storage of an object that was loaded late when it first asks. */
	if (value > length || !read_word(target, vector + PAIR * value, ret) || !*ret ||
		*ret == UINT64_MAX)
		di_answer_error(answer, DI_WHY_TLS_NOT_YET, .text = {module->name});
}

/* Rule 1. */
static xs_addr below(uint64_t pointer, const GElf_Phdr *segment)
{
	uint64_t align = segment->p_align ? segment->p_align : 1;
	uint64_t first = -(segment->p_vaddr & (align - 1)) & (align - 1);
	return pointer - (segment->p_memsz - first + align - 1) / align * align - first;
}

void di_tls_address(const struct di_target *target, const struct di_mapping *mapping,
	uint64_t offset, xs_addr *ret, struct di_answer *answer)
{
	const struct di_module *module = mapping->module;
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	GElf_Phdr segment;
	if (!target->reg(target->arg, DI_REG_FS_BASE, bytes, &size)) {
		di_answer_error(answer, DI_WHY_NO_THREAD_POINTER);
		return;
	}
	if (!find_segment(module, &segment)) {
		di_answer_error(answer, DI_WHY_NO_TLS, .text = {module->name});
		return;
	}
	/* gcc's split units have an address there. */
	if (offset >= segment.p_memsz) {
		di_answer_error(answer, DI_WHY_TLS_OFFSET, .number = {offset, segment.p_memsz});
		return;
	}
	uint64_t pointer = di_wide_from_bytes(bytes, size).limb[0];
	if (module->program)
		*ret = below(pointer, &segment);
	else
		find_in_library(target, mapping, pointer, ret, answer);
	*ret += offset;
}
