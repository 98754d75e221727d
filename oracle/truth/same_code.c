#include "oracle/truth/same_code.h"

#include "base/path.h"
#include "dwarf/module.h"
#include "engine/disasm.h"

enum { BUILD_ID_BYTES = 64, INSN_BYTES = 16 };

/* One of the two files. */
struct side {
	struct di_file *file;
	const uint8_t *bytes;             /* the whole file */
	size_t size;                      /* bytes */
	Elf64_Ehdr header;                /* its own copy */
	XS_VEC(GElf_Phdr) loads;          /* PT_LOAD, in order */
	uint64_t id_offset;               /* of the build-id in the file */
	size_t id_size;                   /* its bytes; 0: there is none */
	uint8_t build_id[BUILD_ID_BYTES]; /* the first of it */
};

static void side_deinit(struct side *side)
{
	di_file_destroy(side->file);
	xs_vec_deinit(&side->loads);
}

/* Looks for the build-id in a segment of notes. */
static void read_notes(struct side *side, const GElf_Phdr *segment)
{
	size_t at = segment->p_offset;
	if (segment->p_offset > side->size || segment->p_filesz > side->size - segment->p_offset)
		return;
	size_t end = at + segment->p_filesz, align = segment->p_align == 8 ? 8 : 4;
	while (end - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;
		memcpy(&note, side->bytes + at, sizeof note);
		size_t name = at + sizeof note;
		size_t named = ((size_t)note.n_namesz + align - 1) & ~(align - 1);
		size_t said = ((size_t)note.n_descsz + align - 1) & ~(align - 1);
		if (named > end - name || note.n_descsz > end - name - named)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
			!memcmp(side->bytes + name, "GNU", sizeof "GNU") &&
			note.n_descsz <= BUILD_ID_BYTES) {
			side->id_offset = name + named;
			side->id_size = note.n_descsz;
			memcpy(side->build_id, side->bytes + side->id_offset, side->id_size);
			return;
		}
		if (said > end - name - named)
			return;
		at = name + named + said;
	}
}

static struct xs_error *side_open(struct side *side, const char *path)
{
	struct xs_error *err = di_file_open(path, "a program", &side->file);
	size_t count = 0;
	if (err)
		return err;
	side->bytes = (const uint8_t *)elf_rawfile(side->file->elf, &side->size);
	if (!side->bytes || side->size < sizeof side->header ||
		gelf_getclass(side->file->elf) != ELFCLASS64)
		return xs_error_create("%s: not a 64-bit program", path);
	memcpy(&side->header, side->bytes, sizeof side->header);
	if (elf_getphdrnum(side->file->elf, &count))
		return xs_error_create("%s: no program headers: %s", path, elf_errmsg(-1));
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr one;
		if (!gelf_getphdr(side->file->elf, (int)i, &one))
			return xs_error_create("%s: cut short: %s", path, elf_errmsg(-1));
		if (one.p_type == PT_NOTE && !side->id_size)
			read_notes(side, &one);
		if (one.p_type == PT_LOAD)
			xs_vec_push(&side->loads, one);
	}
	return NULL;
}

static bool same_build_id(const struct side *a, const struct side *b)
{
	return a->id_size && a->id_size == b->id_size &&
	       !memcmp(a->build_id, b->build_id, a->id_size);
}

/* The section that holds a link-time address; false if none does. */
static bool section_at(const struct side *side, xs_addr at, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(side->file->elf, scn)))
		if (gelf_getshdr(scn, ret) && ret->sh_flags & SHF_ALLOC && ret->sh_addr <= at &&
			at - ret->sh_addr < ret->sh_size)
			return true;
	return false;
}

/* --- rule 2 ----------------------------------------------------------------------------------- */

/* Whether a file has code, but none of its bytes. */
static bool is_debug_file(const struct side *side)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr section;
	bool hollow = false;
	while ((scn = elf_nextscn(side->file->elf, scn))) {
		if (!gelf_getshdr(scn, &section) || !(section.sh_flags & SHF_EXECINSTR))
			continue;
		if (section.sh_type != SHT_NOBITS)
			return false;
		hollow = true;
	}
	return hollow;
}

static char *compare_sections(const struct side *program, const struct side *other)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr one, its;
	while ((scn = elf_nextscn(program->file->elf, scn))) {
		if (!gelf_getshdr(scn, &one) || !(one.sh_flags & SHF_ALLOC) || !one.sh_size ||
			one.sh_flags & SHF_TLS)
			continue;
		const char *name = di_section_name(program->file->elf, &one);
		if (!section_at(other, one.sh_addr, &its) || its.sh_addr != one.sh_addr)
			return xs_asprintf(
				"section %s at 0x%" PRIx64 " is in one only", name, one.sh_addr);
		if (its.sh_size != one.sh_size ||
			strcmp(name, di_section_name(other->file->elf, &its)) != 0)
			return xs_asprintf("section %s at 0x%" PRIx64 " has 0x%" PRIx64
					   " bytes in one, 0x%" PRIx64 " in the other",
				name, one.sh_addr, one.sh_size, its.sh_size);
	}
	return NULL;
}

/* --- rule 1 ----------------------------------------------------------------------------------- */

/* The instruction around a difference: from the beginning of its function on, or of its section. */
static char *name_instruction(
	const struct side *sides[2], const GElf_Phdr *segment, const GElf_Shdr *section, xs_addr at)
{
	struct di_module *module = NULL;
	XS_AUTO_FREE char *function = NULL;
	char text[2][ENG_DISASM_TEXT];
	xs_addr begin = section->sh_addr;
	struct xs_error *err = di_module_open(sides[0]->file->path, &module);
	const struct di_function *found = err ? NULL : di_functions_find(module->functions, at);
	if (found && found->entry <= at && found->entry >= begin) {
		begin = found->entry;
		function =
			xs_asprintf(", %s+0x%" PRIx64, found->name ? found->name : "?", at - begin);
	}
	xs_error_destroy(err);
	xs_addr end = segment->p_vaddr + segment->p_filesz;
	for (xs_addr next = begin; next <= at && next < end;) {
		begin = next;
		size_t have = end - begin < INSN_BYTES ? end - begin : INSN_BYTES;
		const uint8_t *bytes =
			sides[0]->bytes + segment->p_offset + (begin - segment->p_vaddr);
		next += eng_disasm(bytes, have, true).length;
	}
	for (int i = 0; i < 2; i++) {
		size_t have = end - begin < INSN_BYTES ? end - begin : INSN_BYTES;
		/* Both segments are alike, but for where they are in the file. */
		const GElf_Phdr *its = segment;
		for (size_t k = 0; k < sides[i]->loads.len; k++)
			if (sides[i]->loads.data[k].p_vaddr == segment->p_vaddr)
				its = &sides[i]->loads.data[k];
		eng_disasm_text(sides[i]->bytes + its->p_offset + (begin - its->p_vaddr), have,
			true, begin, text[i]);
	}
	char *ret = xs_asprintf(
		"%s: `%s` in one, `%s` in the other", function ? function : "", text[0], text[1]);
	di_module_destroy(module);
	return ret;
}

static char *name_difference(const struct side *sides[2], const GElf_Phdr *segment, xs_addr at)
{
	GElf_Shdr section;
	if (!section_at(sides[0], at, &section))
		return xs_asprintf("what is loaded at 0x%" PRIx64 ", in no section", at);
	const char *name = di_section_name(sides[0]->file->elf, &section);
	XS_AUTO_FREE char *how = section.sh_flags & SHF_EXECINSTR
					 ? name_instruction(sides, segment, &section, at)
					 : NULL;
	return xs_asprintf("%s+0x%" PRIx64 " at 0x%" PRIx64 "%s", name, at - section.sh_addr, at,
		how ? how : "");
}

/* Whether a byte of the file, by its offset, may differ (rule 1). */
static bool is_excused(const struct side *side, uint64_t offset)
{
	const Elf64_Ehdr *header = &side->header;
	uint64_t headers = header->e_phoff + (uint64_t)header->e_phnum * sizeof(Elf64_Phdr);
	return (offset >= side->id_offset && offset < side->id_offset + side->id_size) ||
	       (offset >= header->e_phoff && offset < headers) ||
	       (offset >= offsetof(Elf64_Ehdr, e_shoff) &&
		       offset < offsetof(Elf64_Ehdr, e_flags)) ||
	       (offset >= offsetof(Elf64_Ehdr, e_shentsize) && offset < sizeof *header);
}

/* The first difference in one segment; NULL: there is none. */
static char *compare_segment(const struct side *sides[2], size_t number)
{
	const struct side *a = sides[0], *b = sides[1];
	const GElf_Phdr *one = &a->loads.data[number], *its = &b->loads.data[number];
	size_t size = one->p_filesz < its->p_filesz ? one->p_filesz : its->p_filesz;
	if (one->p_offset > a->size || one->p_filesz > a->size - one->p_offset ||
		its->p_offset > b->size || its->p_filesz > b->size - its->p_offset)
		return xs_asprintf("segment %zu is cut short in one", number);
	if (one->p_vaddr != its->p_vaddr || one->p_flags != its->p_flags)
		return xs_asprintf("segment %zu is at 0x%" PRIx64 " in one, at 0x%" PRIx64
				   " in the other",
			number, one->p_vaddr, its->p_vaddr);
	const uint8_t *left = a->bytes + one->p_offset, *right = b->bytes + its->p_offset;
	for (size_t k = 0; k < size; k++)
		if (left[k] != right[k] && !is_excused(a, one->p_offset + k))
			return name_difference(sides, one, one->p_vaddr + k);
	if (one->p_filesz != its->p_filesz || one->p_memsz != its->p_memsz)
		return xs_asprintf("segment %zu has 0x%" PRIx64 " bytes in one, 0x%" PRIx64
				   " in the other",
			number, one->p_memsz, its->p_memsz);
	return NULL;
}

static char *compare_segments(const struct side *sides[2])
{
	const struct side *a = sides[0], *b = sides[1];
	if (a->header.e_type != b->header.e_type || a->header.e_machine != b->header.e_machine)
		return xs_strdup("they are not of one type");
	if (!a->loads.len)
		return xs_strdup("nothing is loaded of one");
	/* Code first: data that differ mostly do because of it. */
	for (int data = 0; data < 2; data++)
		for (size_t i = 0; i < a->loads.len && i < b->loads.len; i++) {
			bool code = a->loads.data[i].p_flags & PF_X;
			char *difference = code != data ? compare_segment(sides, i) : NULL;
			if (difference)
				return difference;
		}
	if (a->loads.len != b->loads.len)
		return xs_asprintf(
			"one has %zu segments, the other %zu", a->loads.len, b->loads.len);
	return a->header.e_entry == b->header.e_entry ? NULL : xs_strdup("their entries differ");
}

struct xs_error *ora_same_code(const char *program, const char *other, struct ora_same_code *ret)
{
	struct side sides[2] = {0};
	const struct side *both[2] = {&sides[0], &sides[1]};
	*ret = (struct ora_same_code){0};
	struct xs_error *err = side_open(&sides[0], program);
	if (!err)
		err = side_open(&sides[1], other);
	if (!err) {
		ret->same_build_id = same_build_id(&sides[0], &sides[1]);
		ret->debug_file = is_debug_file(&sides[1]);
		if (!ret->debug_file)
			ret->difference = compare_segments(both);
		else if (!ret->same_build_id)
			ret->difference = xs_strdup("one has no code, and another build-id: "
						    "nothing says that they belong together");
		else
			ret->difference = compare_sections(&sides[0], &sides[1]);
	}
	side_deinit(&sides[0]);
	side_deinit(&sides[1]);
	return err;
}
