#include "dwarf/symtab.h"

#include <elfutils/libdwelf.h>
#include <sys/mman.h>

#include "base/log.h"

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

/* A file in memory that holds these bytes; -1 if that fails. */
static int file_of(const struct di_cursor *bytes)
{
	int fd = memfd_create("gnu_debugdata", MFD_CLOEXEC);
	size_t size = di_cursor_left(bytes), done = 0;
	while (fd >= 0 && done < size) {
		ssize_t written = write(fd, bytes->at + done, size - done);
		if (written <= 0) {
			close(fd);
			return -1;
		}
		done += (size_t)written;
	}
	return fd;
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
	file->path = xs_asprintf("%s (.gnu_debugdata)", program->path);
	file->fd = file_of(&bytes);
	/* libdw uncompresses it, as it does for its own use. */
	file->elf = file->fd >= 0 ? dwelf_elf_begin(file->fd) : NULL;
	if (file->elf && gelf_getehdr(file->elf, &header) && header.e_machine == EM_X86_64 &&
		header.e_ident[EI_CLASS] == ELFCLASS64)
		return file;
	xs_log(XS_LOG_DWARF, XS_LOG_WARN,
		"%s: .gnu_debugdata cannot be read; functions that are not exported have no names",
		program->path);
	di_file_destroy(file);
	return NULL;
}
