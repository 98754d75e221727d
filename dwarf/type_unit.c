/* Finds type units by their signatures. Part of unit.h.
 *
 * A file's type units are found once, when the first is asked for. The map has (signature, file)
 * for each of them, and (file, WALKED) once that is done. */
#include <dwarf.h>

#include "dwarf/split.h"
#include "dwarf/unit.h"

enum { WALKED = 1 }; /* no file is there */

static void walk(struct di_module *module, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	uint64_t signature;
	uint8_t type;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, NULL, NULL)) {
		if ((type != DW_UT_type && type != DW_UT_split_type) ||
			dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &signature, NULL, NULL))
			continue;
		uint64_t *known = xs_map_at(&module->type_units, signature, (uintptr_t)dwarf);
		*known = *known ? *known : (uintptr_t)cu;
	}
}

static bool find_in(struct di_module *module, Dwarf *dwarf, uint64_t signature, Dwarf_Die *ret)
{
	if (!xs_map_find(&module->type_units, (uintptr_t)dwarf, WALKED)) {
		*xs_map_at(&module->type_units, (uintptr_t)dwarf, WALKED) = 1;
		walk(module, dwarf);
	}
	const uint64_t *cu = xs_map_find(&module->type_units, signature, (uintptr_t)dwarf);
	return cu &&
	       !dwarf_cu_info(
		       (Dwarf_CU *)(uintptr_t)*cu, NULL, NULL, NULL, ret, NULL, NULL, NULL) &&
	       ret->addr;
}

bool di_unit_type_by_signature(
	struct di_module *module, Dwarf_CU *cu, uint64_t signature, Dwarf_Die *ret)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(cu);
	return find_in(module, dwarf, signature, ret) ||
	       (dwarf != module->dwarf && di_split_type(module, signature, ret));
}
