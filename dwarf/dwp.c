#include "dwarf/dwp.h"

enum {
	GNU_VERSION = 2,
	SECTIONS_MAX = 8, /* greatest DW_SECT_ */
};

/* The sections by their numbers. */
static const char *const names[2][SECTIONS_MAX + 1] = {
	{NULL, ".debug_info.dwo", ".debug_types.dwo", ".debug_abbrev.dwo", ".debug_line.dwo",
		".debug_loc.dwo", ".debug_str_offsets.dwo", ".debug_macinfo.dwo",
		".debug_macro.dwo"},
	{NULL, ".debug_info.dwo", NULL, ".debug_abbrev.dwo", ".debug_line.dwo",
		".debug_loclists.dwo", ".debug_str_offsets.dwo", ".debug_macro.dwo",
		".debug_rnglists.dwo"},
};

/* --- the index -------------------------------------------------------------------------------- */

struct xs_error *di_dwp_index_read(struct di_cursor at, struct di_dwp_index *ret)
{
	*ret = (struct di_dwp_index){0};
	if (!di_cursor_left(&at))
		return NULL;
	uint64_t version = di_cursor_u(&at, 2);
	di_cursor_u(&at, 2);
	ret->columns = (uint32_t)di_cursor_u(&at, 4);
	ret->rows = (uint32_t)di_cursor_u(&at, 4);
	uint64_t slots = di_cursor_u(&at, 4);
	struct di_cursor ids = at;
	di_cursor_bytes(&at, 8 * slots);
	struct di_cursor rows = at;
	di_cursor_bytes(&at, 4 * slots);
	if (at.failed)
		return di_cursor_error(&at);
	ret->version = (unsigned)version;
	if (ret->version != GNU_VERSION && ret->version != 5)
		return xs_error_corrupt(
			"%s: version %u of the index is not known", at.section, ret->version);
	if (ret->columns > SECTIONS_MAX)
		return xs_error_corrupt("%s: %" PRIu32 " columns", at.section, ret->columns);
	/* The row of sections, offsets, sizes. */
	struct di_cursor end = at;
	di_cursor_bytes(&end, UINT64_C(4) * ret->columns * (1 + UINT64_C(2) * ret->rows));
	if (end.failed)
		return di_cursor_error(&end);
	ret->table = at;
	for (uint64_t i = 0; i < slots; i++) {
		uint64_t id = di_cursor_u(&ids, 8), row = di_cursor_u(&rows, 4);
		if (row && row <= ret->rows)
			*xs_map_at(&ret->row_of, id, 0) = row;
	}
	return NULL;
}

void di_dwp_index_deinit(struct di_dwp_index *index)
{
	xs_map_deinit(&index->row_of);
}

/* A number of the table. */
static uint64_t cell(const struct di_dwp_index *index, uint64_t row, uint64_t column)
{
	struct di_cursor at = index->table;
	di_cursor_bytes(&at, 4 * (row * index->columns + column));
	return di_cursor_u(&at, 4);
}

bool di_dwp_part(const struct di_dwp_index *index, uint64_t id, unsigned wanted, uint64_t *offset,
	uint64_t *size)
{
	const uint64_t *row = xs_map_find(&index->row_of, id, 0);
	for (uint32_t i = 0; row && i < index->columns; i++) {
		if (cell(index, 0, i) != wanted)
			continue;
		*offset = cell(index, *row, i);
		*size = cell(index, *row + index->rows, i);
		return true;
	}
	return false;
}

/* --- units ------------------------------------------------------------------------------------ */

struct xs_error *di_dwp_unit(const struct di_dwp *package, const struct di_dwp_index *index,
	uint64_t id, struct di_image *ret)
{
	const char *const *by_number = names[index->version != GNU_VERSION];
	struct di_image_part parts[SECTIONS_MAX + 2];
	struct di_cursor section;
	struct xs_error *err;
	size_t count = 0;
	uint64_t offset, size;
	*ret = (struct di_image){0};
	if (!xs_map_find(&index->row_of, id, 0))
		return NULL;
	for (unsigned i = 1; i <= SECTIONS_MAX; i++) {
		if (!by_number[i] || !di_dwp_part(index, id, i, &offset, &size) || !size)
			continue;
		if ((err = di_section_read(package->elf, by_number[i], &section)))
			return err;
		uint64_t have = di_cursor_left(&section);
		if (offset > have || size > have - offset)
			return xs_error_corrupt("%s: unit 0x%016" PRIx64 " has %" PRIu64
						" bytes at 0x%" PRIx64 ", but there are %" PRIu64,
				by_number[i], id, size, offset, have);
		parts[count++] = (struct di_image_part){by_number[i], section.start + offset, size};
	}
	/* libdw wants one, even if it is empty, as of a type unit before DWARF 5. */
	if (!count || strcmp(parts[0].name, by_number[1]) != 0)
		parts[count++] = (struct di_image_part){by_number[1], (const uint8_t *)"", 0};
	if ((err = di_section_read(package->elf, ".debug_str.dwo", &section)))
		return err;
	parts[count++] =
		(struct di_image_part){".debug_str.dwo", section.start, di_cursor_left(&section)};
	return di_image_open(parts, count, ret);
}

/* --- the file --------------------------------------------------------------------------------- */

static struct xs_error *read_index(Elf *elf, const char *name, struct di_dwp_index *ret)
{
	struct di_cursor section;
	struct xs_error *err = di_section_read(elf, name, &section);
	return err ? err : di_dwp_index_read(section, ret);
}

struct xs_error *di_dwp_open(const char *path, struct di_dwp **ret)
{
	XS_AUTO(di_dwp) package = xs_calloc(1, sizeof *package);
	struct xs_error *err;
	if ((err = di_file_open(path, "a package", &package->file)) ||
		(err = di_file_check_table(package->file)) ||
		(err = di_file_check_sections(package->file)) ||
		(err = di_file_uncompress(package->file)))
		return err;
	package->elf = package->file->elf;
	if ((err = read_index(package->elf, ".debug_cu_index", &package->units)) ||
		(err = read_index(package->elf, ".debug_tu_index", &package->types)))
		return err;
	*ret = xs_take(&package);
	return NULL;
}

void di_dwp_destroy(struct di_dwp *package)
{
	if (!package)
		return;
	di_dwp_index_deinit(&package->units);
	di_dwp_index_deinit(&package->types);
	di_file_destroy(package->file);
	free(package);
}
