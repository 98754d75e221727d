#include "dwarf/cfi.h"

#include <dwarf.h>
#include <gelf.h>

#include "base/map.h"
#include "base/search.h"

/* The entries of one section. */
struct table {
	struct di_cfi_section section;
	XS_VEC(struct di_cie *) cies;
	struct xs_map by_offset;    /* offset of a CIE to its index + 1 */
	XS_VEC(struct di_fde) fdes; /* sorted by lo */
	struct di_answer trouble;   /* the first entry that could not be read, if any */
};

struct di_cfi {
	struct table table[2];            /* .eh_frame, .debug_frame */
	XS_VEC(struct di_cfi_row *) rows; /* all that were worked out */
	struct xs_map by_pc;              /* (pc, 0) and (row's lo, its FDE) to a row's index + 1 */
};

/* --- messages --------------------------------------------------------------------------------- */

bool di_cfi_is_wrong(struct di_answer *answer, const struct di_cfi_section *section, size_t offset,
	const struct di_why *why)
{
	di_answer_none(answer, DI_ANSWER_ERROR, why);
	return di_answer_within(answer, &(struct di_within){.kind = DI_WITHIN_SECTION,
						.name = section->bytes.section,
						.offset = offset});
}

bool di_cfi_read(struct di_answer *answer, const struct di_cursor *cursor)
{
	if (!cursor->failed)
		return true;
	struct di_why why = di_cursor_why(cursor);
	return di_answer_none(answer, DI_ANSWER_ERROR, &why);
}

/* --- encoded pointers ------------------------------------------------------------------------- */

enum {
	ENCODED_FORMAT = 0x0f,   /* how it is written */
	ENCODED_BASE = 0x70,     /* what it counts from */
	ENCODED_INDIRECT = 0x80, /* it is where the pointer is */
	POINTER = 8,             /* bytes of an address */
};

static bool read_format(const struct di_cfi_section *section, struct di_cursor *cursor,
	uint8_t encoding, uint64_t *ret, struct di_answer *answer)
{
	switch (encoding & ENCODED_FORMAT) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_signed: /* as wide as an address */
	case DW_EH_PE_sdata8:
		*ret = di_cursor_u(cursor, 8);
		break;
	case DW_EH_PE_udata2:
		*ret = di_cursor_u(cursor, 2);
		break;
	case DW_EH_PE_sdata2:
		*ret = (uint64_t)di_cursor_s(cursor, 2);
		break;
	case DW_EH_PE_udata4:
		*ret = di_cursor_u(cursor, 4);
		break;
	case DW_EH_PE_sdata4:
		*ret = (uint64_t)di_cursor_s(cursor, 4);
		break;
	case DW_EH_PE_uleb128:
		*ret = di_cursor_uleb(cursor);
		break;
	case DW_EH_PE_sleb128:
		*ret = (uint64_t)di_cursor_sleb(cursor);
		break;
	default:
		return di_cfi_wrong(answer, section, di_cursor_offset(cursor), DI_WHY_CFI_ENCODING,
			.number = {encoding});
	}
	return di_cfi_read(answer, cursor);
}

bool di_cfi_pointer(const struct di_cfi_section *section, struct di_cursor *cursor,
	uint8_t encoding, bool plain, uint64_t *ret, struct di_answer *answer)
{
	size_t at = di_cursor_offset(cursor);
	uint8_t base = encoding & ENCODED_BASE;
	*ret = 0;
	if (encoding == DW_EH_PE_omit)
		return true;
	if (encoding & ENCODED_INDIRECT && !plain)
		return di_cfi_wrong(answer, section, at, DI_WHY_CFI_INDIRECT, .number = {encoding});
	if (base == DW_EH_PE_aligned && !plain)
		di_cursor_bytes(cursor, -(section->addr + at) % POINTER);
	if (!read_format(section, cursor, encoding, ret, answer))
		return false;
	if (plain)
		return true;
	switch (base) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_aligned:
		return true;
	case DW_EH_PE_pcrel:
		*ret += section->addr + at;
		return true;
	case DW_EH_PE_textrel:
		*ret += section->text;
		return true;
	case DW_EH_PE_datarel:
		*ret += section->data;
		return true;
	default: /* funcrel has no meaning where the function is being found */
		return di_cfi_wrong(answer, section, at, DI_WHY_CFI_NO_BASE, .number = {encoding});
	}
}

/* --- entries ---------------------------------------------------------------------------------- */

/* The frame that CIEs and FDEs have in common. */
struct entry {
	size_t offset;           /* of the entry in the section */
	bool is_cie;             /* by its id */
	uint64_t cie;            /* offset of the CIE that an FDE refers to */
	struct di_cursor cursor; /* behind the id; ends where the entry does */
};

/* The entry at the cursor, which goes on to the next one. False at the end of the section, with the
 * answer known, or where no further entry can be found. */
static bool next_entry(const struct di_cfi_section *section, struct di_cursor *cursor,
	struct entry *ret, struct di_answer *answer)
{
	uint64_t length = 0;
	bool wide = false;
	/* A zero length ends the table if nothing else does. Where the section's size does, objects
	 * that were linked behind crtend.o may follow. */
	while (di_cursor_left(cursor) && length == 0) {
		ret->offset = di_cursor_offset(cursor);
		length = di_cursor_u(cursor, 4);
		if ((wide = length == UINT32_MAX))
			length = di_cursor_u(cursor, 8);
		if (!di_cfi_read(answer, cursor))
			return false;
		if (length == 0 && section->open)
			return false;
	}
	if (length == 0)
		return false;
	if (length > di_cursor_left(cursor))
		return di_cfi_wrong(answer, section, ret->offset, DI_WHY_CFI_ENTRY_SIZE,
			.number = {length, di_cursor_left(cursor)});
	ret->cursor = *cursor;
	ret->cursor.end = cursor->at + length;
	cursor->at += length;

	/* In .eh_frame the id has 4 bytes in either format, as LSB says; nobody writes the wide. */
	bool wide_id = wide && !section->eh;
	size_t at = di_cursor_offset(&ret->cursor);
	uint64_t id = di_cursor_u(&ret->cursor, wide_id ? 8 : 4);
	ret->is_cie = id == (section->eh ? 0 : wide_id ? UINT64_MAX : UINT32_MAX);
	ret->cie = section->eh ? at - id : id;
	return true;
}

/* The augmentation data, letter by letter; the cursor ends where they do. */
static bool read_augmentation(
	struct di_cie *cie, const char *letters, struct di_cursor *cursor, struct di_answer *answer)
{
	uint64_t skipped;
	for (; *letters; letters++)
		switch (*letters) {
		case 'R':
			cie->encoding = (uint8_t)di_cursor_u(cursor, 1);
			break;
		case 'L': /* of the language's own data, which is of no use here */
			di_cursor_u(cursor, 1);
			break;
		case 'P': {
			uint8_t encoding = (uint8_t)di_cursor_u(cursor, 1);
			/* The personality itself is not wanted, only its size: indirect is fine. */
			if (!di_cfi_pointer(cie->section, cursor,
				    encoding == DW_EH_PE_omit
					    ? encoding
					    : (uint8_t)(encoding & ~ENCODED_INDIRECT),
				    false, &skipped, answer))
				return false;
			break;
		}
		case 'S':
			cie->signal = true;
			break;
		case 'B': /* return addresses are signed: AArch64 only */
			break;
		default: /* as LSB says: the rest means nothing to us, the size is known */
			return true;
		}
	return true;
}

static bool read_cie(struct di_cie *cie, struct entry *entry, struct di_answer *answer)
{
	const struct di_cfi_section *section = cie->section;
	struct di_cursor *cursor = &entry->cursor;
	cie->version = (unsigned)di_cursor_u(cursor, 1);
	if (!di_cfi_read(answer, cursor))
		return false;
	if (cie->version != 1 && cie->version != 3 && cie->version != 4)
		return di_cfi_wrong(answer, section, entry->offset, DI_WHY_CFI_CIE_VERSION,
			.number = {cie->version});
	const char *letters = di_cursor_string(cursor);
	if (cie->version == 4) {
		uint64_t address_size = di_cursor_u(cursor, 1),
			 segment_size = di_cursor_u(cursor, 1);
		if (!cursor->failed && (address_size != POINTER || segment_size))
			return di_cfi_wrong(answer, section, entry->offset, DI_WHY_CFI_CIE_SIZES,
				.number = {address_size, segment_size});
	}
	if (!strncmp(letters, "eh", 2)) { /* gcc 2: the address of its exception table */
		di_cursor_u(cursor, POINTER);
		letters += 2;
	}
	cie->code_factor = di_cursor_uleb(cursor);
	cie->data_factor = di_cursor_sleb(cursor);
	uint64_t ra = cie->version == 1 ? di_cursor_u(cursor, 1) : di_cursor_uleb(cursor);
	if (!di_cfi_read(answer, cursor))
		return false;
	if (ra >= DI_REG_GENERAL)
		return di_cfi_wrong(
			answer, section, entry->offset, DI_WHY_CFI_RETURN_COLUMN, .number = {ra});
	cie->ra = (unsigned)ra;
	cie->sized = *letters == 'z';
	if (*letters && !cie->sized)
		return di_cfi_wrong(
			answer, section, entry->offset, DI_WHY_CFI_AUGMENTATION, .text = {letters});
	cie->program = cursor->at;
	if (cie->sized) {
		uint64_t size = di_cursor_uleb(cursor);
		const uint8_t *data = di_cursor_bytes(cursor, size);
		if (!data)
			return di_cfi_read(answer, cursor);
		struct di_cursor inside = *cursor;
		inside.at = data;
		inside.end = cie->program = data + size;
		if (!read_augmentation(cie, letters + 1, &inside, answer) ||
			!di_cfi_read(answer, &inside))
			return false;
	}
	cie->end = cursor->end;
	return true;
}

/* Keeps the first trouble of the table. */
static void remember_trouble(struct table *table, const struct di_answer *answer)
{
	if (table->trouble.state == DI_ANSWER_KNOWN)
		di_answer_copy(&table->trouble, answer);
}

/* The CIE at offset, read when it is first referred to. One that is bad stays, as such. */
static const struct di_cie *cie_at(struct table *table, uint64_t offset, size_t fde)
{
	const struct di_cfi_section *section = &table->section;
	size_t size = (size_t)(section->bytes.end - section->bytes.start);
	const uint64_t *found = xs_map_find(&table->by_offset, offset, 0);
	struct di_answer answer = {0};
	struct entry entry = {0};
	if (found)
		return table->cies.data[*found - 1];
	struct di_cie *cie = xs_calloc(1, sizeof *cie);
	*cie = (struct di_cie){.section = section, .offset = (size_t)offset};
	xs_vec_push(&table->cies, cie);
	*xs_map_at(&table->by_offset, offset, 0) = table->cies.len;

	struct di_cursor cursor = section->bytes;
	struct di_cfi_section here = *section;
	here.open = true; /* a zero length is no entry here, and nothing to skip */
	if (offset < size) {
		cursor.at += offset;
		cie->good = next_entry(&here, &cursor, &entry, &answer) && entry.is_cie &&
			    entry.offset == offset && read_cie(cie, &entry, &answer);
	}
	if (!cie->good && answer.state == DI_ANSWER_KNOWN)
		di_cfi_wrong(&answer, section, fde, DI_WHY_CFI_NO_CIE, .number = {offset});
	if (!cie->good)
		remember_trouble(table, &answer);
	return cie;
}

static bool read_fde(struct table *table, struct entry *entry, struct di_answer *answer)
{
	const struct di_cfi_section *section = &table->section;
	struct di_cursor *cursor = &entry->cursor;
	uint64_t raw, range;
	const struct di_cie *cie = cie_at(table, entry->cie, entry->offset);
	if (!cie->good)
		return true; /* told already */
	struct di_fde fde = {.offset = entry->offset, .cie = cie};
	struct di_cursor again = *cursor;
	if (!di_cfi_pointer(section, cursor, cie->encoding, false, &fde.lo, answer) ||
		!di_cfi_pointer(
			section, cursor, cie->encoding & ENCODED_FORMAT, true, &range, answer))
		return false;
	if (cie->sized && !di_cursor_bytes(cursor, di_cursor_uleb(cursor)))
		return di_cfi_read(answer, cursor);
	fde.hi = fde.lo + range;
	if (fde.hi < fde.lo)
		return di_cfi_wrong(answer, section, entry->offset, DI_WHY_CFI_FDE_SIZE,
			.number = {range, fde.lo});
	fde.program = cursor->at;
	fde.end = cursor->end;
	/* A null pointer, whatever its base: the linker threw the function away. */
	bool null = cie->encoding != DW_EH_PE_absptr &&
		    di_cfi_pointer(section, &again, cie->encoding, true, &raw, answer) && raw == 0;
	/* An absolute one is 0, or what else the linker puts there. */
	bool away = section->code && !xs_ranges_find(section->code, fde.lo);
	if (range && !null && !away)
		xs_vec_push(&table->fdes, fde);
	return true;
}

/* --- the index -------------------------------------------------------------------------------- */

/* By address; of two that begin alike, the one that comes first in the section comes last, so that
 * it is found first. */
static int by_lo(const void *a, const void *b)
{
	const struct di_fde *left = a, *right = b;
	if (left->lo != right->lo)
		return left->lo < right->lo ? -1 : 1;
	return left->offset > right->offset ? -1 : left->offset < right->offset;
}

static void table_load(struct table *table)
{
	struct di_cursor cursor = table->section.bytes;
	struct di_answer answer = {0};
	struct entry entry = {0};
	while (next_entry(&table->section, &cursor, &entry, &answer)) {
		if (entry.is_cie)
			continue;
		if (!di_cfi_read(&answer, &entry.cursor) || !read_fde(table, &entry, &answer)) {
			remember_trouble(table, &answer);
			di_answer_known(&answer);
		}
	}
	if (answer.state != DI_ANSWER_KNOWN)
		remember_trouble(table, &answer);
	if (!table->fdes.len)
		return;
	qsort(table->fdes.data, table->fdes.len, sizeof *table->fdes.data, by_lo);
	xs_addr reach = 0;
	for (size_t i = 0; i < table->fdes.len; i++) {
		struct di_fde *fde = &table->fdes.data[i];
		reach = fde->hi > reach ? fde->hi : reach;
		fde->reach = reach;
	}
}

/* The entry that covers pc and begins nearest to it. */
static const struct di_fde *table_find(const struct table *table, xs_addr pc)
{
	const struct di_fde *fdes = table->fdes.data;
	size_t i;
	xs_search(i, 0, table->fdes.len, fdes[i].lo <= pc);
	for (; i > 0 && fdes[i - 1].reach > pc; i--)
		if (fdes[i - 1].hi > pc)
			return &fdes[i - 1];
	return NULL;
}

static void table_deinit(struct table *table)
{
	for (size_t i = 0; i < table->cies.len; i++)
		free(table->cies.data[i]);
	xs_vec_deinit(&table->cies);
	xs_vec_deinit(&table->fdes);
	xs_map_deinit(&table->by_offset);
}

struct di_cfi *di_cfi_create(const struct di_cfi_section *eh, const struct di_cfi_section *debug)
{
	struct di_cfi *cfi = xs_calloc(1, sizeof *cfi);
	cfi->table[0].section = *eh;
	cfi->table[1].section = *debug;
	table_load(&cfi->table[0]);
	table_load(&cfi->table[1]);
	return cfi;
}

void di_cfi_destroy(struct di_cfi *cfi)
{
	if (!cfi)
		return;
	table_deinit(&cfi->table[0]);
	table_deinit(&cfi->table[1]);
	for (size_t i = 0; i < cfi->rows.len; i++)
		free(cfi->rows.data[i]);
	xs_vec_deinit(&cfi->rows);
	xs_map_deinit(&cfi->by_pc);
	free(cfi);
}

size_t di_cfi_entries(const struct di_cfi *cfi)
{
	return cfi->table[0].fdes.len + cfi->table[1].fdes.len;
}

size_t di_cfi_rows(const struct di_cfi *cfi)
{
	return cfi->rows.len;
}

bool di_cfi_find(
	struct di_cfi *cfi, xs_addr pc, const struct di_cfi_row **ret, struct di_answer *answer)
{
	const uint64_t *known = xs_map_find(&cfi->by_pc, pc, 0);
	const struct di_fde *fde = NULL;
	struct di_cfi_row row;
	*ret = NULL;
	if (known) {
		*ret = cfi->rows.data[*known - 1];
		return true;
	}
	for (size_t i = 0; i < 2 && !fde; i++)
		fde = table_find(&cfi->table[i], pc);
	for (size_t i = 0; i < 2 && !fde; i++)
		if (cfi->table[i].trouble.state != DI_ANSWER_KNOWN) {
			di_answer_copy(answer, &cfi->table[i].trouble);
			return false;
		}
	if (!fde)
		return true;
	if (!di_cfi_run(fde, pc, &row, answer))
		return false;
	/* The row may be there already, found from another of its pcs. */
	uint64_t *index = xs_map_at(&cfi->by_pc, row.lo, (uint64_t)(uintptr_t)fde);
	if (*index == 0) {
		struct di_cfi_row *kept = xs_calloc(1, sizeof *kept);
		*kept = row;
		xs_vec_push(&cfi->rows, kept);
		*index = cfi->rows.len;
	}
	uint64_t at = *index;
	*xs_map_at(&cfi->by_pc, pc, 0) = at;
	*ret = cfi->rows.data[at - 1];
	return true;
}

/* --- the sections of a module ----------------------------------------------------------------- */

/* The address of the first section of this name; 0 if there is none. */
static xs_addr section_address(const struct di_module *module, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t names;
	if (elf_getshdrstrndx(module->elf, &names))
		return 0;
	while ((scn = elf_nextscn(module->elf, scn))) {
		const char *found = gelf_getshdr(scn, &header)
					    ? elf_strptr(module->elf, names, header.sh_name)
					    : NULL;
		if (found && !strcmp(found, name))
			return header.sh_addr;
	}
	return 0;
}

/* The first program header of this type that holds addr (any, if that is XS_ADDR_NONE). */
static bool find_segment(
	const struct di_module *module, uint32_t type, xs_addr addr, GElf_Phdr *ret)
{
	size_t count = 0;
	if (elf_getphdrnum(module->elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(module->elf, (int)i, ret) && ret->p_type == type &&
			(addr == XS_ADDR_NONE || addr - ret->p_vaddr < ret->p_filesz))
			return true;
	return false;
}

/* .eh_frame of a file without section headers: its search table says where it begins. */
static void find_by_segment(const struct di_module *module, struct di_cfi_section *section)
{
	GElf_Phdr table, load;
	size_t size;
	struct di_answer ignored = {0};
	uint64_t addr;
	const char *file = elf_rawfile(module->elf, &size);
	if (!file || !find_segment(module, PT_GNU_EH_FRAME, XS_ADDR_NONE, &table) ||
		table.p_offset > size || table.p_filesz > size - table.p_offset)
		return;
	struct di_cfi_section header = {.addr = table.p_vaddr, .data = table.p_vaddr};
	header.bytes = di_cursor_over(".eh_frame_hdr", file + table.p_offset, table.p_filesz);
	struct di_cursor cursor = header.bytes;
	unsigned version = (unsigned)di_cursor_u(&cursor, 1);
	uint8_t encoding = (uint8_t)di_cursor_u(&cursor, 1);
	di_cursor_u(&cursor, 2); /* how the count and the table are encoded */
	if (version != 1 || encoding == DW_EH_PE_omit ||
		!di_cfi_pointer(&header, &cursor, encoding, false, &addr, &ignored) ||
		!find_segment(module, PT_LOAD, addr, &load) || load.p_offset > size ||
		load.p_filesz > size - load.p_offset)
		return;
	section->addr = addr;
	section->open = true;
	section->bytes = di_cursor_over(".eh_frame", file + load.p_offset + (addr - load.p_vaddr),
		load.p_filesz - (addr - load.p_vaddr));
}

struct di_cfi *di_module_cfi(struct di_module *module, struct di_answer *answer)
{
	struct di_cfi_section eh = {.eh = true}, debug = {0};
	if (module->cfi)
		return module->cfi;
	const char *name = ".eh_frame";
	struct xs_error *err = di_module_section(module, name, &eh.bytes);
	if (!err)
		err = di_module_section(module, name = ".debug_frame", &debug.bytes);
	if (err) {
		di_answer_error(answer, DI_WHY_CFI_UNREADABLE,
			.text = {module->name, name, elf_errmsg(-1)});
		xs_error_destroy(err);
		return NULL;
	}
	eh.addr = section_address(module, ".eh_frame");
	eh.text = section_address(module, ".text");
	eh.data = section_address(module, ".got.plt");
	if (!eh.data)
		eh.data = section_address(module, ".got");
	if (!di_cursor_left(&eh.bytes))
		find_by_segment(module, &eh);
	eh.code = debug.code = &module->code;
	module->cfi = di_cfi_create(&eh, &debug);
	return module->cfi;
}
