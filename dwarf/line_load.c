/* Reads the line tables that units refer to. Part of line.h. */
#include <dwarf.h>

#include "base/map.h"
#include "dwarf/line_program.h"
#include "dwarf/module.h"

static int by_lo(const void *a, const void *b)
{
	const struct di_sequence *x = a, *y = b;
	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Runs the line table of one unit, unless another unit had it already. */
static struct xs_error *load_unit(const struct di_line_source *source, Dwarf_Die *unit,
	struct xs_map *seen, struct di_lines *lines)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset;
	if (!dwarf_attr(unit, DW_AT_stmt_list, &attr) || dwarf_formudata(&attr, &offset))
		return NULL;
	uint64_t *known = xs_map_at(seen, offset, 0);
	if ((*known)++)
		return NULL;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	return di_line_program_run(source, offset, directory, lines);
}

struct xs_error *di_lines_read(
	Dwarf *dwarf, const struct di_line_source *source, struct di_lines *lines)
{
	struct xs_map seen = {0};
	struct xs_error *err = NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int more;
	while (!err && !(more = dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL)))
		err = load_unit(source, &unit, &seen, lines);
	if (!err && more < 0)
		err = xs_error_corrupt(".debug_info: %s", dwarf_errmsg(-1));
	xs_map_deinit(&seen);

	struct di_sequence *sequences = lines->sequences.data;
	if (lines->sequences.len)
		qsort(sequences, lines->sequences.len, sizeof *sequences, by_lo);
	for (size_t i = 0; i < lines->sequences.len; i++) {
		xs_addr before = i ? sequences[i - 1].reach : 0;
		sequences[i].reach = sequences[i].hi > before ? sequences[i].hi : before;
	}
	return err;
}

struct xs_error *di_lines_load(struct di_module *module)
{
	struct di_line_source source = {.code = &module->code};
	struct xs_error *err;
	if (!module->dwarf)
		return NULL;
	if ((err = di_module_section(module, ".debug_line", &source.line)) ||
		(err = di_module_section(module, ".debug_line_str", &source.line_str)) ||
		(err = di_module_section(module, ".debug_str", &source.str)))
		return err;
	return di_lines_read(module->dwarf, &source, &module->lines);
}
