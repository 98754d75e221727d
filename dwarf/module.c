#include "dwarf/module.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#include "dwarf/cfi.h"

/* --- is it a program at all? ------------------------------------------------------------------ */

static const char *machine_name(unsigned machine)
{
	switch (machine) {
	case EM_386:
		return "i386";
	case EM_ARM:
		return "32-bit ARM";
	case EM_AARCH64:
		return "AArch64";
	case EM_RISCV:
		return "RISC-V";
	case EM_PPC64:
		return "PowerPC";
	case EM_S390:
		return "s390";
	default:
		return NULL;
	}
}

static struct xs_error *check_header(const struct di_module *module, GElf_Ehdr *header)
{
	if (elf_kind(module->elf) != ELF_K_ELF)
		return xs_error_create("not an ELF file");
	if (!gelf_getehdr(module->elf, header))
		return xs_error_create("cut short: %s", elf_errmsg(-1));
	if (header->e_ident[EI_CLASS] != ELFCLASS64 && header->e_machine != EM_X86_64)
		return xs_error_create("a 32-bit program; xstep traces x86-64 programs");
	if (header->e_machine != EM_X86_64) {
		const char *name = machine_name(header->e_machine);
		XS_AUTO_FREE char *number = xs_asprintf("ELF machine %u", header->e_machine);
		return xs_error_create(
			"a program for %s; xstep traces x86-64 programs", name ? name : number);
	}
	if (header->e_ident[EI_CLASS] != ELFCLASS64)
		return xs_error_create(
			"an x32 program (32-bit addresses); xstep traces 64-bit ones");
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return xs_error_create("%s; xstep traces linked programs",
			header->e_type == ET_REL    ? "an object file"
			: header->e_type == ET_CORE ? "a core file"
						    : "an ELF file of no known type");
	return NULL;
}

/* Every part that the headers speak of must be there. libelf would read on and see nothing. */
static struct xs_error *check_complete(const struct di_module *module, const GElf_Ehdr *header)
{
	struct stat file;
	size_t segments = 0;
	GElf_Phdr segment;
	if (fstat(module->fd, &file))
		return xs_error_sys("stat");
	uint64_t size = (uint64_t)file.st_size;
	uint64_t sections_end = header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;
	if (header->e_shoff && (sections_end < header->e_shoff || sections_end > size))
		return xs_error_create("cut short: the section table ends at byte %" PRIu64
				       ", the file at %" PRIu64,
			sections_end, size);
	if (elf_getphdrnum(module->elf, &segments))
		return xs_error_create("no program headers: %s", elf_errmsg(-1));
	for (size_t i = 0; i < segments; i++) {
		if (!gelf_getphdr(module->elf, (int)i, &segment))
			return xs_error_create("cut short: %s", elf_errmsg(-1));
		uint64_t end = segment.p_offset + segment.p_filesz;
		if (segment.p_type == PT_LOAD && (end < segment.p_offset || end > size))
			return xs_error_create("cut short: segment %zu ends at byte %" PRIu64
					       ", the file at %" PRIu64,
				i, end, size);
	}
	return NULL;
}

/* --- sections ----------------------------------------------------------------------------------
 */

static const char *section_name(const struct di_module *module, const GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(module->elf, &names))
		return "";
	const char *name = elf_strptr(module->elf, names, header->sh_name);
	return name ? name : "";
}

/* Uncompresses debug sections in libelf's copy, so that libdw and we read the same bytes. */
static struct xs_error *uncompress(const struct di_module *module)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	while ((scn = elf_nextscn(module->elf, scn))) {
		if (!gelf_getshdr(scn, &header))
			continue;
		const char *name = section_name(module, &header);
		bool gnu = !strncmp(name, ".zdebug_", 8);
		if (!gnu && (strncmp(name, ".debug_", 7) || !(header.sh_flags & SHF_COMPRESSED)))
			continue;
		if ((gnu ? elf_compress_gnu(scn, 0, 0) : elf_compress(scn, 0, 0)) < 0)
			return xs_error_create(
				"%s: cannot be uncompressed: %s", name, elf_errmsg(-1));
	}
	return NULL;
}

struct xs_error *di_module_section(
	const struct di_module *module, const char *name, struct di_cursor *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	*ret = di_cursor_over(name, NULL, 0);
	while ((scn = elf_nextscn(module->elf, scn))) {
		if (!gelf_getshdr(scn, &header))
			continue;
		const char *found = section_name(module, &header);
		bool same = !strcmp(found, name) ||
			    (!strncmp(found, ".z", 2) && !strcmp(found + 2, name + 1));
		if (!same || header.sh_type == SHT_NOBITS)
			continue;
		Elf_Data *data = elf_rawdata(scn, NULL);
		if (!data || (header.sh_size && !data->d_buf))
			return xs_error_create("%s: cannot be read: %s", name, elf_errmsg(-1));
		*ret = di_cursor_over(name, data->d_buf, data->d_size);
		return NULL;
	}
	return NULL;
}

static bool has_debug_sections(const struct di_module *module)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	while ((scn = elf_nextscn(module->elf, scn))) {
		if (!gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS)
			continue;
		const char *name = section_name(module, &header);
		if (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info"))
			return true;
	}
	return false;
}

/* Adds the executable sections whose name satisfies `want` (NULL: all) to ranges. */
static void add_sections(
	const struct di_module *module, bool (*want)(const char *name), struct xs_ranges *ranges)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	while ((scn = elf_nextscn(module->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR &&
			header.sh_flags & SHF_ALLOC && header.sh_type != SHT_NOBITS &&
			(!want || want(section_name(module, &header))))
			xs_ranges_add(ranges, header.sh_addr, header.sh_addr + header.sh_size);
	xs_ranges_normalise(ranges);
}

static void find_code(struct di_module *module)
{
	size_t segments = 0;
	GElf_Phdr segment;
	add_sections(module, NULL, &module->code);
	if (module->code.vec.len || elf_getphdrnum(module->elf, &segments))
		return;
	/* No section table (sstrip): the segments must do. */
	for (size_t i = 0; i < segments; i++)
		if (gelf_getphdr(module->elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
			segment.p_flags & PF_X)
			xs_ranges_add(
				&module->code, segment.p_vaddr, segment.p_vaddr + segment.p_filesz);
	xs_ranges_normalise(&module->code);
}

/* --- what is of interest -----------------------------------------------------------------------
 */

static bool is_word_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

static bool is_linkage_section(const char *name)
{
	return !strncmp(name, ".plt", 4) || !strncmp(name, ".iplt", 5) || !strcmp(name, ".init") ||
	       !strcmp(name, ".fini");
}

static bool is_text_section(const char *name)
{
	return !strcmp(name, ".text") || !strncmp(name, ".text.", 6);
}

/* The C library's startup objects, where they carry line information. */
static bool is_startup_file(const char *path)
{
	static const char *const names[] = {"start.S", "crti.S", "crtn.S", "crtstuff.c",
		"elf-init.c", "static-reloc.c", "abi-note.c", "abi-note.S", NULL};
	const char *slash = path ? strrchr(path, '/') : NULL;
	return path && is_word_of(slash ? slash + 1 : path, names);
}

/* The same by symbol. */
static bool is_startup_symbol(const char *name)
{
	static const char *const names[] = {"_start", "_init", "_fini", "_dl_relocate_static_pie",
		"deregister_tm_clones", "register_tm_clones", "__do_global_dtors_aux",
		"frame_dummy", "__libc_csu_init", "__libc_csu_fini", NULL};
	return is_word_of(name, names);
}

static void add_sequences(struct di_module *module)
{
	const struct di_lines *lines = &module->lines;
	for (size_t i = 0; i < lines->sequences.len; i++) {
		const struct di_sequence *sequence = &lines->sequences.data[i];
		if (!is_startup_file(di_lines_file(lines, &lines->rows.data[sequence->first])))
			xs_ranges_add(&module->interest, sequence->lo, sequence->hi);
	}
}

static void add_functions(struct di_module *module)
{
	const struct di_functions *functions = &module->functions;
	/* Without a main, _start is the program's own. */
	bool has_main = di_functions_named(functions, "main");
	for (size_t i = 0; functions->complete && i < functions->symbol_ranges.len; i++) {
		const struct di_function_range *range = &functions->symbol_ranges.data[i];
		if (!has_main || !is_startup_symbol(functions->list.data[range->function].name))
			xs_ranges_add(&module->interest, range->lo, range->hi);
	}
}

static void add_text(struct di_module *module)
{
	add_sections(module, is_text_section, &module->interest);
	for (size_t i = 0; !module->interest.vec.len && i < module->code.vec.len; i++)
		xs_ranges_add(&module->interest, module->code.vec.data[i].lo,
			module->code.vec.data[i].hi);
}

static void find_interest(struct di_module *module)
{
	static void (*const ways[])(struct di_module *) = {
		[DI_KNOW_LINES] = add_sequences,
		[DI_KNOW_SYMBOLS] = add_functions,
		[DI_KNOW_NOTHING] = add_text,
	};
	struct xs_ranges linkage = {0};
	add_sections(module, is_linkage_section, &linkage);
	for (int know = DI_KNOW_LINES; know <= DI_KNOW_NOTHING && !module->interest.vec.len;
		know++) {
		module->knowledge = (enum di_knowledge)know;
		ways[know](module);
		xs_ranges_normalise(&module->interest);
		xs_ranges_subtract(&module->interest, &linkage);
	}
	xs_ranges_deinit(&linkage);
}

/* --- interface ---------------------------------------------------------------------------------
 */

static struct xs_error *load(struct di_module *module)
{
	GElf_Ehdr header;
	struct xs_error *err;
	if ((err = check_header(module, &header)) || (err = check_complete(module, &header)) ||
		(err = uncompress(module)))
		return err;
	module->entry = header.e_entry;
	find_code(module);
	if (has_debug_sections(module)) {
		module->dwarf = dwarf_begin_elf(module->elf, DWARF_C_READ, NULL);
		if (!module->dwarf)
			return xs_error_create("debug information: %s", dwarf_errmsg(-1));
	}
	if ((err = di_lines_load(module)) || (err = di_functions_load(module)))
		return err;
	find_interest(module);
	return NULL;
}

struct xs_error *di_module_open(const char *path, struct di_module **ret)
{
	XS_AUTO(di_module) module = xs_calloc(1, sizeof *module);
	const char *slash = strrchr(path, '/');
	struct stat file;
	struct xs_error *err;
	module->path = xs_strdup(path);
	module->name = xs_strdup(slash ? slash + 1 : path);
	elf_version(EV_CURRENT);
	/* O_NONBLOCK, so that opening a FIFO does not wait for a writer. */
	module->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (module->fd < 0)
		return xs_error_sys("%s", path);
	if (fstat(module->fd, &file))
		return xs_error_sys("%s", path);
	if (!S_ISREG(file.st_mode))
		return xs_error_create("%s: %s, not a program", path,
			S_ISDIR(file.st_mode) ? "a directory" : "not a regular file");
	module->elf = elf_begin(module->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (!module->elf)
		return xs_error_create("%s: %s", path, elf_errmsg(-1));
	if ((err = load(module)))
		return xs_error_context(err, "%s", path);
	*ret = xs_take(&module);
	return NULL;
}

void di_module_destroy(struct di_module *module)
{
	if (!module)
		return;
	di_cfi_destroy(module->cfi);
	di_lines_deinit(&module->lines);
	di_functions_deinit(&module->functions);
	xs_ranges_deinit(&module->interest);
	xs_ranges_deinit(&module->code);
	dwarf_end(module->dwarf);
	elf_end(module->elf);
	if (module->fd >= 0)
		close(module->fd);
	free(module->path);
	free(module->name);
	free(module);
}

const char *di_module_library(void)
{
	return dwfl_version(NULL);
}
