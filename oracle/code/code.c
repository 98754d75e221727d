#include "oracle/code/code.h"

#include "base/map.h"

/* --- reading --------------------------------------------------------------------------------- */

static bool is_counted(const GElf_Shdr *header, const char *name)
{
	return header->sh_flags & SHF_ALLOC && header->sh_size && header->sh_type != SHT_NOTE &&
	       strncmp(name, ".debug_", 7) != 0 && header->sh_type != SHT_GROUP;
}

static struct xs_error *read_sections(struct ora_code *code)
{
	struct ora_code_section none = {.name = ""};
	Elf *elf = code->file->elf;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	struct xs_map names = {0}; /* how many there are of each */
	struct xs_error *err = NULL;
	xs_vec_push(&code->sections, none);
	while (!err && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &header)) {
			err = xs_error_create("section table: %s", elf_errmsg(-1));
			break;
		}
		struct ora_code_section section = {.name = di_section_name(elf, &header),
			.type = header.sh_type,
			.flags = header.sh_flags,
			.size = header.sh_size,
			.align = header.sh_addralign,
			.entry = header.sh_entsize};
		section.counts = is_counted(&header, section.name);
		if (section.counts && header.sh_type != SHT_NOBITS) {
			Elf_Data *data = elf_rawdata(scn, NULL);
			if (!data || data->d_size != header.sh_size)
				err = xs_error_create("%s: %s", section.name, elf_errmsg(-1));
			else
				section.bytes = data->d_buf;
		}
		if (section.counts)
			section.twin =
				(uint32_t)(*xs_map_at(&names, xs_hash_text(0, section.name), 0))++;
		xs_vec_push(&code->sections, section);
	}
	xs_map_deinit(&names);
	return err;
}

static struct xs_error *read_symbols(struct ora_code *code)
{
	Elf *elf = code->file->elf;
	Elf_Scn *scn = NULL;
	GElf_Shdr header = {0};
	Elf_Data *extended = NULL, *data = NULL;
	uint32_t strings = 0;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &header))
			continue;
		if (header.sh_type == SHT_SYMTAB_SHNDX)
			extended = elf_getdata(scn, NULL);
		if (header.sh_type == SHT_SYMTAB) {
			data = elf_getdata(scn, NULL);
			strings = header.sh_link;
		}
	}
	if (!data)
		return NULL; /* nothing to call */
	size_t count = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 0; i < count; i++) {
		GElf_Sym symbol;
		Elf32_Word index = 0;
		if (!gelf_getsymshndx(data, extended, (int)i, &symbol, &index))
			return xs_error_create("symbol %zu: %s", i, elf_errmsg(-1));
		if (symbol.st_shndx != SHN_XINDEX)
			index = symbol.st_shndx;
		bool defined = index && (index < SHN_LORESERVE || symbol.st_shndx == SHN_XINDEX);
		if (defined && index >= code->sections.len)
			return xs_error_create("symbol %zu: no section %u", i, index);
		const char *name = elf_strptr(elf, strings, symbol.st_name);
		struct ora_code_symbol one = {.name = name ? name : "",
			.value = symbol.st_value,
			.size = symbol.st_size,
			.section = defined ? index : ORA_CODE_NONE,
			.common = symbol.st_shndx == SHN_COMMON,
			.absolute = symbol.st_shndx == SHN_ABS,
			.type = GELF_ST_TYPE(symbol.st_info),
			.binding = GELF_ST_BIND(symbol.st_info),
			.visibility = GELF_ST_VISIBILITY(symbol.st_other)};
		if (one.type == STT_SECTION && defined)
			one.name = code->sections.data[index].name;
		xs_vec_push(&code->symbols, one);
	}
	return NULL;
}

unsigned ora_code_field(const struct ora_code *code, uint32_t type)
{
	if (!code->is_64)
		return type == R_386_8 || type == R_386_PC8                ? 1
		       : type == R_386_16 || type == R_386_PC16            ? 2
		       : type == R_386_NONE || type == R_386_TLS_DESC_CALL ? 0
									   : 4;
	switch (type) {
	case R_X86_64_64:
	case R_X86_64_PC64:
	case R_X86_64_GOTOFF64:
	case R_X86_64_GOT64:
	case R_X86_64_GOTPC64:
	case R_X86_64_GOTPCREL64:
	case R_X86_64_PLTOFF64:
	case R_X86_64_DTPOFF64:
	case R_X86_64_TPOFF64:
	case R_X86_64_SIZE64:
		return 8;
	case R_X86_64_16:
	case R_X86_64_PC16:
		return 2;
	case R_X86_64_8:
	case R_X86_64_PC8:
		return 1;
	case R_X86_64_TLSDESC_CALL: /* marks the call, fills in nothing */
	case R_X86_64_NONE:
		return 0;
	default:
		return 4;
	}
}

/* What stands in the field, where the addend is kept there (REL). */
static int64_t addend_in_place(
	const struct ora_code_section *section, uint64_t offset, unsigned size)
{
	int64_t value = 0;
	if (!section->bytes)
		return 0;
	memcpy(&value, section->bytes + offset, size);
	unsigned shift = 64 - 8 * size;
	return size && size < 8 ? (int64_t)((uint64_t)value << shift) >> shift : value;
}

static int by_offset(const void *a, const void *b)
{
	const struct ora_code_reloc *x = a, *y = b;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static struct xs_error *read_relocs(struct ora_code *code, Elf_Scn *scn, const GElf_Shdr *header)
{
	bool explicit = header->sh_type == SHT_RELA;
	struct ora_code_section *section = &code->sections.data[header->sh_info];
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	for (size_t i = 0; i < count; i++) {
		GElf_Rela rela = {0};
		GElf_Rel rel;
		if (explicit ? !gelf_getrela(data, (int)i, &rela)
			     : !gelf_getrel(data, (int)i, &rel))
			return xs_error_create(
				"relocation %zu of %s: %s", i, section->name, elf_errmsg(-1));
		if (!explicit)
			rela = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
		struct ora_code_reloc one = {.offset = rela.r_offset,
			.type = (uint32_t)GELF_R_TYPE(rela.r_info),
			.symbol = (uint32_t)GELF_R_SYM(rela.r_info),
			.addend = rela.r_addend};
		unsigned size = ora_code_field(code, one.type);
		if (one.offset > section->size || size > section->size - one.offset ||
			one.symbol >= code->symbols.len)
			return xs_error_create(
				"relocation %zu of %s: outside of it", i, section->name);
		if (!explicit)
			one.addend = addend_in_place(section, one.offset, size);
		xs_vec_push(&section->relocs, one);
	}
	if (section->relocs.len)
		qsort(section->relocs.data, section->relocs.len, sizeof *section->relocs.data,
			by_offset);
	return NULL;
}

static struct xs_error *read_all(struct ora_code *code)
{
	Elf *elf = code->file->elf;
	GElf_Ehdr header;
	Elf_Scn *scn = NULL;
	GElf_Shdr section;
	struct xs_error *err;
	if (!gelf_getehdr(elf, &header))
		return xs_error_create("cut short: %s", elf_errmsg(-1));
	if (header.e_type != ET_REL)
		return xs_error_create("not an object file (-c or -r)");
	if (header.e_machine != EM_X86_64 && header.e_machine != EM_386)
		return xs_error_create("an object for ELF machine %u; xstep reads x86-64 and i386",
			header.e_machine);
	code->is_64 = header.e_machine == EM_X86_64;
	if ((err = di_file_check_table(code->file)) || (err = di_file_check_sections(code->file)) ||
		(err = read_sections(code)) || (err = read_symbols(code)))
		return err;
	while (!err && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &section) &&
			(section.sh_type == SHT_RELA || section.sh_type == SHT_REL) &&
			section.sh_info < code->sections.len &&
			code->sections.data[section.sh_info].counts)
			err = read_relocs(code, scn, &section);
	return err;
}

struct xs_error *ora_code_open(const char *path, struct ora_code **ret)
{
	XS_AUTO(ora_code) code = xs_calloc(1, sizeof *code);
	struct xs_error *err;
	if ((err = di_file_open(path, "an object file", &code->file)))
		return err;
	if ((err = read_all(code)))
		return xs_error_context(err, "%s", path);
	*ret = xs_take(&code);
	return NULL;
}

void ora_code_destroy(struct ora_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->sections.len; i++)
		xs_vec_deinit(&code->sections.data[i].relocs);
	xs_vec_deinit(&code->sections);
	xs_vec_deinit(&code->symbols);
	xs_vec_deinit(&code->atoms);
	xs_vec_deinit(&code->insns);
	di_file_destroy(code->file);
	free(code);
}

/* --- is it all the same? --------------------------------------------------------------------- */

bool ora_code_is_unwind(const struct ora_code_section *section)
{
	return !strcmp(section->name, ".eh_frame") ||
	       !strncmp(section->name, ".gcc_except_table", 17);
}

bool ora_code_is_walked(const struct ora_code_section *section)
{
	static const char identifier[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	if (!section->counts || section->flags & SHF_EXECINSTR)
		return false;
	return section->type == SHT_INIT_ARRAY || section->type == SHT_FINI_ARRAY ||
	       section->type == SHT_PREINIT_ARRAY || !strncmp(section->name, ".ctors", 6) ||
	       !strncmp(section->name, ".dtors", 6) ||
	       (*section->name && !section->name[strspn(section->name, identifier)]);
}

static bool is_same_place(const struct ora_code *a, const struct ora_code_symbol *x,
	const struct ora_code *b, const struct ora_code_symbol *y)
{
	if ((x->section == ORA_CODE_NONE) != (y->section == ORA_CODE_NONE) ||
		x->common != y->common || x->absolute != y->absolute || x->value != y->value ||
		x->size != y->size || x->type != y->type || x->binding != y->binding ||
		x->visibility != y->visibility)
		return false;
	if (x->type != STT_SECTION && strcmp(x->name, y->name) != 0)
		return false;
	if (x->section == ORA_CODE_NONE)
		return true;
	const struct ora_code_section *of = &a->sections.data[x->section],
				      * or = &b->sections.data[y->section];
	return !strcmp(of->name, or->name) && of->twin == or->twin;
}

static bool is_same_section(const struct ora_code *a, const struct ora_code_section *x,
	const struct ora_code *b, const struct ora_code_section *y)
{
	if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->flags != y->flags ||
		x->size != y->size || x->align != y->align || x->entry != y->entry ||
		x->relocs.len != y->relocs.len ||
		(x->bytes && memcmp(x->bytes, y->bytes, x->size) != 0))
		return false;
	for (size_t i = 0; i < x->relocs.len; i++) {
		const struct ora_code_reloc *p = &x->relocs.data[i], *q = &y->relocs.data[i];
		if (p->offset != q->offset || p->type != q->type || p->addend != q->addend ||
			!is_same_place(
				a, &a->symbols.data[p->symbol], b, &b->symbols.data[q->symbol]))
			return false;
	}
	return true;
}

/* The next index from *at on that counts; false if there is none. */
static bool next_section(const struct ora_code *code, size_t *at, bool unwind)
{
	for (; *at < code->sections.len; ++*at)
		if (code->sections.data[*at].counts &&
			(unwind || !ora_code_is_unwind(&code->sections.data[*at])))
			return true;
	return false;
}

/* The next symbol that names a function or a variable of a section that counts, common room, or a
 * number. */
static bool next_symbol(const struct ora_code *code, size_t *at)
{
	for (; *at < code->symbols.len; ++*at) {
		const struct ora_code_symbol *symbol = &code->symbols.data[*at];
		if (symbol->common || (symbol->absolute && symbol->type != STT_FILE) ||
			(symbol->section != ORA_CODE_NONE &&
				code->sections.data[symbol->section].counts &&
				symbol->type != STT_SECTION))
			return true;
	}
	return false;
}

bool ora_code_same(const struct ora_code *a, const struct ora_code *b, bool unwind)
{
	size_t i = 0, k = 0;
	if (a->is_64 != b->is_64)
		return false;
	for (;; i++, k++) {
		bool more = next_section(a, &i, unwind);
		if (more != next_section(b, &k, unwind))
			return false;
		if (!more)
			break;
		if (!is_same_section(a, &a->sections.data[i], b, &b->sections.data[k]))
			return false;
	}
	for (i = k = 0;; i++, k++) {
		bool more = next_symbol(a, &i);
		if (more != next_symbol(b, &k))
			return false;
		if (!more)
			return true;
		if (!is_same_place(a, &a->symbols.data[i], b, &b->symbols.data[k]))
			return false;
	}
}
