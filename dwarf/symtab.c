#include "dwarf/symtab.h"

#include "base/log.h"
#include "dwarf/xz.h"

static bool find_table(Elf *elf, GElf_Word type, struct di_symtab *ret)
{
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &ret->header) && ret->header.sh_type == type) {
			ret->elf = elf;
			ret->data = elf_getdata(scn, NULL);
			return ret->data;
		}
	return false;
}

size_t di_symtabs_of(
	const struct di_module *module, struct di_symtab ret[static DI_SYMTABS], bool *complete)
{
	size_t count = 0;
	*complete = true;
	if (find_table(module->elf, SHT_SYMTAB, &ret[0]) ||
		(module->separate && find_table(module->separate->elf, SHT_SYMTAB, &ret[0])))
		return 1;
	if (module->packed && find_table(module->packed->elf, SHT_SYMTAB, &ret[0]))
		count++;
	*complete = count;
	return count + find_table(module->elf, SHT_DYNSYM, &ret[count]);
}

const char *di_symtab_name(const struct di_symtab *table, const GElf_Sym *symbol)
{
	const char *name = elf_strptr(table->elf, table->header.sh_link, symbol->st_name);
	return name && *name ? name : NULL;
}

struct di_file *di_symtab_unpack(const struct di_file *program)
{
	struct di_symtab table;
	struct di_cursor bytes;
	GElf_Ehdr header;
	XS_AUTO(xs_error) err = di_section_read(program->elf, ".gnu_debugdata", &bytes);
	if (err || !di_cursor_left(&bytes) || find_table(program->elf, SHT_SYMTAB, &table))
		return NULL;
	struct di_file *file = xs_calloc(1, sizeof *file);
	uint8_t *all = NULL;
	size_t size = 0;
	file->path = xs_asprintf("%s (.gnu_debugdata)", program->path);
	file->fd = -1;
	err = di_xz_uncompress(
		bytes.at, di_cursor_left(&bytes), di_file_uncompressed_most(program), &all, &size);
	file->elf = all ? elf_memory((char *)all, size) : NULL;
	xs_vec_push(&file->uncompressed, all);
	if (file->elf && gelf_getehdr(file->elf, &header) && header.e_machine == EM_X86_64 &&
		header.e_ident[EI_CLASS] == ELFCLASS64)
		return file;
	xs_log(XS_LOG_DWARF, XS_LOG_WARN,
		"%s: .gnu_debugdata cannot be read: %s; functions that are not exported have no "
		"names",
		program->path, err ? err->message : "not a file of this machine");
	di_file_destroy(file);
	return NULL;
}
