#include "dwarf/companion.h"

#include <elfutils/libdwelf.h>

#include "dwarf/debugfile.h"
#include "dwarf/dwp.h"
#include "dwarf/split.h"

static void add_id(struct di_companions *companions, const void *bytes, ssize_t size)
{
	struct di_companion_id id = {.size = size > 0 ? (size_t)size : 0};
	if (!id.size || id.size > sizeof id.bytes)
		return;
	memcpy(id.bytes, bytes, id.size);
	xs_vec_push(&companions->ids, id);
}

/* What the DWARF of a known file asks for. */
static void add_asked(struct di_companions *companions, Dwarf *dwarf)
{
	const char *name;
	const void *id = NULL;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint64_t unit;
	add_id(companions, id, size);
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, NULL, NULL, NULL))
		if (di_split_id(cu, &die, &unit))
			*xs_map_at(&companions->units, unit, 0) = 1;
}

void di_companions_add(struct di_companions *companions, const char *path)
{
	XS_AUTO(di_file) file = NULL;
	XS_AUTO(xs_error) err = di_file_open(path, "a program", &file);
	const void *id = NULL;
	GElf_Word crc;
	if (err)
		return;
	ssize_t size = dwelf_elf_gnu_build_id(file->elf, &id);
	add_id(companions, id, size);
	if (dwelf_elf_gnu_debuglink(file->elf, &crc))
		*xs_map_at(&companions->crcs, crc, 0) = 1;
	Dwarf *dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	if (dwarf)
		add_asked(companions, dwarf);
	dwarf_end(dwarf);
}

static bool has_known_id(const struct di_companions *companions, const struct di_file *file)
{
	const void *id = NULL;
	ssize_t size = dwelf_elf_gnu_build_id(file->elf, &id);
	for (size_t i = 0; size > 0 && i < companions->ids.len; i++)
		if (companions->ids.data[i].size == (size_t)size &&
			!memcmp(companions->ids.data[i].bytes, id, (size_t)size))
			return true;
	return false;
}

static bool has_known_crc(const struct di_companions *companions, const struct di_file *file)
{
	size_t size = 0;
	const void *bytes = companions->crcs.len ? elf_rawfile(file->elf, &size) : NULL;
	return bytes && xs_map_find(&companions->crcs, di_debugfile_crc(bytes, size), 0);
}

static bool has_known_unit(const struct di_companions *companions, const struct di_file *file)
{
	Dwarf *dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint64_t unit;
	bool found = false;
	while (dwarf && !found && !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, NULL, NULL))
		found = di_split_id(cu, &die, &unit) && xs_map_find(&companions->units, unit, 0);
	dwarf_end(dwarf);
	return found;
}

static bool packs_known_unit(const struct di_companions *companions, const char *path)
{
	XS_AUTO(di_dwp) package = NULL;
	XS_AUTO(xs_error) err = di_dwp_open(path, &package);
	if (err)
		return false;
	for (size_t i = 0; i < companions->units.cap; i++) {
		const struct xs_map_slot *slot = &companions->units.slots[i];
		if (slot->used && xs_map_find(&package->units.row_of, slot->a, 0))
			return true;
	}
	return false;
}

bool di_companions_has(const struct di_companions *companions, const char *path)
{
	XS_AUTO(di_file) file = NULL;
	XS_AUTO(xs_error) err = di_file_open(path, "a debug file", &file);
	if (err)
		return false;
	return has_known_id(companions, file) || has_known_crc(companions, file) ||
	       (companions->units.len &&
		       (has_known_unit(companions, file) || packs_known_unit(companions, path)));
}

void di_companions_deinit(struct di_companions *companions)
{
	xs_vec_deinit(&companions->ids);
	xs_map_deinit(&companions->crcs);
	xs_map_deinit(&companions->units);
}
