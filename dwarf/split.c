#include "dwarf/split.h"

#include <dwarf.h>

#include "base/log.h"
#include "dwarf/module.h"

Dwarf_Die di_unit_die(Dwarf_CU *cu)
{
	Dwarf_Die own = {0}, split = {0};
	uint8_t type = 0;
	if (!dwarf_cu_info(cu, NULL, &type, &own, &split, NULL, NULL, NULL) &&
		type == DW_UT_skeleton && split.addr)
		return split;
	return own;
}

/* The .dwo that a skeleton names, joined to the directory that its name is relative to. */
static char *dwo_path(Dwarf_Die *skeleton)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_dwo_name, &attr));
	const char *folder = dwarf_formstring(dwarf_attr(skeleton, DW_AT_comp_dir, &attr));
	if (!name)
		name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attr));
	if (!name)
		return xs_strdup("without a name");
	return name[0] == '/' || !folder ? xs_strdup(name) : xs_asprintf("%s/%s", folder, name);
}

void di_split_check(const struct di_module *module)
{
	XS_AUTO_FREE char *first = NULL;
	XS_AUTO_FREE char *package = xs_asprintf("%s.dwp", module->path);
	size_t missing = 0;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	uint8_t type;
	while (module->dwarf &&
		!dwarf_get_units(module->dwarf, cu, &cu, NULL, &type, &unit, &split))
		if (type == DW_UT_skeleton && !split.addr && !missing++)
			first = dwo_path(&unit);
	if (!missing)
		return;
	XS_AUTO_FREE char *others =
		missing > 1 ? xs_asprintf(" and %zu more", missing - 1) : xs_strdup("");
	if (!access(package, R_OK))
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			"%s: %s cannot be read by libdw %s, and %s%s cannot be had without it; "
			"lines and symbols are all there is for that code",
			module->path, package, di_module_library(), first, others);
	else
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			"%s: split debug information %s%s is missing or does not fit; "
			"lines and symbols are all there is for that code",
			module->path, first, others);
}
