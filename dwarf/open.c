/* Opens modules and closes them. Part of module.h, and the one part of it that knows all that is
 * made of a module: who uses a module need not. */
#include <gelf.h>

#include "base/log.h"
#include "base/path.h"
#include "dwarf/callsite.h"
#include "dwarf/cfi.h"
#include "dwarf/gaps.h"
#include "dwarf/name.h"
#include "dwarf/module.h"
#include "dwarf/scope.h"
#include "dwarf/split.h"
#include "dwarf/symbol.h"
#include "dwarf/symtab.h"
#include "dwarf/tailcall.h"
#include "dwarf/unit.h"
#include "dwarf/view.h"

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

/* --- sections --------------------------------------------------------------------------------- */

static bool has_debug_sections(Elf *elf)
{
	GElf_Shdr header;
	return di_section_find(elf, ".debug_info", &header);
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
			(!want || want(di_section_name(module->elf, &header))))
			xs_ranges_add(ranges, header.sh_addr, header.sh_addr + header.sh_size);
	xs_ranges_normalise(ranges);
}

/* Adds the sections that are loaded to ranges. What .tbss has for an address belongs to what
 * follows it. */
static void add_loaded_sections(Elf *elf, struct xs_ranges *ranges)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_flags & SHF_ALLOC &&
			!(header.sh_flags & SHF_TLS && header.sh_type == SHT_NOBITS))
			xs_ranges_add(ranges, header.sh_addr, header.sh_addr + header.sh_size);
	xs_ranges_normalise(ranges);
}

static void find_code(struct di_module *module)
{
	size_t segments = 0;
	GElf_Phdr segment;
	struct xs_ranges mapped = {0}; /* executable, by the segments */
	add_sections(module, NULL, &module->code);
	add_loaded_sections(module->elf, &module->sections);
	if (elf_getphdrnum(module->elf, &segments))
		return;
	for (size_t i = 0; i < segments; i++) {
		if (!gelf_getphdr(module->elf, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		xs_ranges_add(&module->image, segment.p_vaddr, segment.p_vaddr + segment.p_memsz);
		if (segment.p_flags & PF_X)
			xs_ranges_add(&mapped, segment.p_vaddr, segment.p_vaddr + segment.p_filesz);
	}
	xs_ranges_normalise(&mapped);
	xs_ranges_normalise(&module->image);
	if (module->code.vec.len) {
		/* Sections tell code from what else is in a segment, but only segments are loaded.
		 */
		xs_ranges_intersect(&module->code, &mapped);
		xs_ranges_deinit(&mapped);
	} else {
		module->code = mapped; /* no section table (sstrip) */
	}
}

/* --- what is of interest ---------------------------------------------------------------------- */

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
	/* The same names elsewhere are somebody's own. */
	return slash && is_word_of(slash + 1, names) &&
	       (strstr(path, "/csu/") || strstr(path, "sysdeps/") || strstr(path, "libgcc"));
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
		const char *file =
			sequence->file != DI_NO_FILE ? lines->files.data[sequence->file] : NULL;
		if (!is_startup_file(file))
			xs_ranges_add(&module->interest, sequence->lo, sequence->hi);
	}
}

static void add_functions(struct di_module *module)
{
	size_t count;
	const struct di_function_range *ranges = di_functions_symbols(module->functions, &count);
	/* Without a main, _start is the program's own. */
	bool has_main = di_functions_named(module->functions, "main");
	for (size_t i = 0; di_functions_complete(module->functions) && i < count; i++)
		if (!has_main || !is_startup_symbol(ranges[i].function->name))
			xs_ranges_add(&module->interest, ranges[i].lo, ranges[i].hi);
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
		/* A sequence or a symbol may claim more than there is. */
		xs_ranges_intersect(&module->interest, &module->code);
	}
	xs_ranges_deinit(&linkage);
}

/* --- interface -------------------------------------------------------------------------------- */

/* Finds the DWARF, in this file or another. A separate file with DWARF that libdw refuses is warned
 * of and left alone, unless the user named it. */
static struct xs_error *find_dwarf(
	struct di_module *module, const struct di_module_options *options)
{
	bool named = options && options->debug_file;
	struct xs_error *err;
	module->debug_elf = module->elf;
	if (named || !has_debug_sections(module->elf))
		if ((err = di_debugfile_find(module->file, options, &module->separate)))
			return err;
	if (module->separate)
		module->debug_elf = module->separate->elf;
	if (!has_debug_sections(module->debug_elf))
		return NULL;
	module->dwarf = dwarf_begin_elf(module->debug_elf, DWARF_C_READ, NULL);
	if (!module->dwarf)
		return xs_error_corrupt("debug information: %s", dwarf_errmsg(-1));
	di_supplement_init(&module->supplement, module->separate ? module->separate : module->file,
		module->dwarf, options);
	return NULL;
}

static void forget_dwarf(struct di_module *module)
{
	di_lines_deinit(&module->lines);
	di_functions_destroy(module->functions);
	module->functions = NULL;
	di_units_destroy(module);
	di_split_destroy(module->split);
	dwarf_end(module->dwarf);
	di_supplement_deinit(&module->supplement);
	di_file_destroy(module->separate);
	module->separate = NULL;
	module->dwarf = NULL;
	module->split = NULL;
	module->debug_elf = module->elf;
}

/* Finds symbols that are neither in the program nor in its debug file. */
static struct xs_error *load_functions(struct di_module *module)
{
	if (!module->separate && !module->packed)
		module->packed = di_symtab_unpack(module->file);
	return di_functions_load(module);
}

static struct xs_error *read_dwarf(
	struct di_module *module, const struct di_module_options *options)
{
	struct xs_error *err = find_dwarf(module, options);
	if (!err)
		err = di_gaps_check_units(module);
	if (!err)
		err = di_lines_load(module);
	if (!err)
		err = load_functions(module);
	if (!err || !module->separate)
		return err;
	err = xs_error_context(err, "debug file %s", module->separate->path);
	if (err->code != XS_ERROR_CORRUPT || (options && options->debug_file))
		return err;
	xs_log(XS_LOG_DWARF, XS_LOG_WARN, "%s: %s; it is not used", module->path, err->message);
	xs_error_catch(&err, XS_ERROR_CORRUPT);
	forget_dwarf(module);
	return load_functions(module);
}

static struct xs_error *load(struct di_module *module, const struct di_module_options *options)
{
	GElf_Ehdr header;
	struct xs_error *err;
	if ((err = check_header(module, &header)) || (err = di_file_check_table(module->file)) ||
		(err = di_file_check_segments(module->file)) ||
		(err = di_file_uncompress(module->file)))
		return xs_error_context(err, "%s", module->path);
	module->entry = header.e_entry;
	find_code(module);
	if ((err = read_dwarf(module, options)))
		return xs_error_context(err, "%s", module->path);
	find_interest(module);
	return NULL;
}

struct xs_error *di_module_open_with(
	const char *path, const struct di_module_options *options, struct di_module **ret)
{
	XS_AUTO(di_module) module = xs_calloc(1, sizeof *module);
	struct xs_error *err;
	module->path = xs_strdup(path);
	module->name = xs_strdup(xs_base_name(path));
	if ((err = di_file_open(path, "a program", &module->file)))
		return err;
	module->elf = module->file->elf;
	if ((err = load(module, options)))
		return err;
	*ret = xs_take(&module);
	return NULL;
}

struct xs_error *di_module_open(const char *path, struct di_module **ret)
{
	return di_module_open_with(path, NULL, ret);
}

void di_module_destroy(struct di_module *module)
{
	if (!module)
		return;
	di_symbols_destroy(module->symbols);
	di_plans_destroy(module->plans);
	di_callsites_destroy(module->callsites);
	di_tails_destroy(module->tails);
	di_scope_tables_destroy(module->scopes);
	di_types_destroy(module->types);
	di_names_destroy(module->names);
	di_units_destroy(module);
	di_cfi_destroy(module->cfi);
	forget_dwarf(module);
	xs_ranges_deinit(&module->interest);
	xs_ranges_deinit(&module->code);
	xs_ranges_deinit(&module->image);
	di_file_destroy(module->packed);
	xs_ranges_deinit(&module->sections);
	di_file_destroy(module->file);
	free(module->path);
	free(module->name);
	free(module);
}
