#include "dwarf/unit.h"

#include <dwarf.h>
#include <gelf.h>

enum { FUNCTIONS_LOOKED_AT = 32 };

/* A section of the file that dwarf was read from, by name or by its .dwo name. */
static struct di_cursor section(Dwarf *dwarf, const char *name)
{
	Elf *elf = dwarf_getelf(dwarf);
	XS_AUTO_FREE char *split = xs_asprintf("%s.dwo", name);
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t names;
	if (!elf || elf_getshdrstrndx(elf, &names))
		return di_cursor_over(name, NULL, 0);
	while ((scn = elf_nextscn(elf, scn))) {
		const char *found =
			gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (!found || header.sh_type == SHT_NOBITS ||
			(strcmp(found, name) && strcmp(found, split) &&
				(strncmp(found, ".z", 2) || strcmp(found + 2, name + 1))))
			continue;
		Elf_Data *data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			return di_cursor_over(name, data->d_buf, data->d_size);
	}
	return di_cursor_over(name, NULL, 0);
}

static uint64_t number_of(Dwarf_Die *die, unsigned at, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	return dwarf_attr(die, at, &attr) && !dwarf_formudata(&attr, &value) ? value : otherwise;
}

/* Whether a variable of the function has a location list, or a call of it is described. */
static bool has_list_or_call(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	for (int end = dwarf_child(function, &child); !end; end = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
			return true;
		if (!dwarf_attr(&child, DW_AT_location, &attr))
			continue;
		unsigned form = dwarf_whatform(&attr);
		if (form == DW_FORM_sec_offset || form == DW_FORM_loclistx ||
			form == DW_FORM_data4 || form == DW_FORM_data8)
			return true;
	}
	return false;
}

/* Whether a function looks optimised: a place changes with the pc, or calls tell what was passed.
 * clang: its unoptimised code has frames based on rbp, and it does not speak of calls. */
static bool looks_optimised(Dwarf_Die *function, bool clang)
{
	Dwarf_Attribute attr;
	Dwarf_Block base;
	if (has_list_or_call(function))
		return true;
	return clang &&
	       (dwarf_hasattr(function, DW_AT_call_all_calls) ||
		       dwarf_hasattr(function, DW_AT_GNU_all_call_sites) ||
		       dwarf_formblock(dwarf_attr(function, DW_AT_frame_base, &attr), &base) ||
		       base.length != 1 || base.data[0] != DW_OP_reg6);
}

/* gcc notes its options in the producer, if it was not told to leave them out. For the others the
 * first functions tell. */
static bool is_optimised(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));
	unsigned looked = 0;
	if (!producer)
		return true;
	bool gcc = !strncmp(producer, "GNU", 3);
	if (gcc && strstr(producer, " -")) {
		const char *level = NULL;
		for (const char *at = strstr(producer, " -O"); at; at = strstr(at + 1, " -O"))
			level = at + 3; /* the last one counts */
		return level && *level != '0';
	}
	for (int end = dwarf_child(unit, &child); !end && looked < FUNCTIONS_LOOKED_AT;
		end = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_subprogram ||
			!dwarf_hasattr(&child, DW_AT_frame_base))
			continue;
		if (looks_optimised(&child, !gcc))
			return true;
		looked++;
	}
	return !gcc && !looked;
}

static struct di_unit *unit_create(struct di_module *module, Dwarf_Die *die)
{
	struct di_unit *unit = xs_calloc(1, sizeof *unit);
	Dwarf_Half version = 4;
	uint8_t type, address_size = 8, offset_size = 4;
	Dwarf_Die root, split;
	Dwarf_Attribute attr;
	unit->module = module;
	unit->cu = die->cu;
	unit->dwarf = dwarf_cu_getdwarf(die->cu);
	dwarf_cu_die(die->cu, &unit->die, &version, NULL, &address_size, &offset_size, NULL, NULL);
	unit->expr = (struct di_expr_unit){.version = version,
		.address_size = address_size,
		.offset_size = offset_size,
		.die_base = dwarf_dieoffset(&unit->die) - dwarf_cuoffset(&unit->die),
		.owner = unit};
	const char *name = dwarf_formstring(dwarf_attr(&unit->die, DW_AT_name, &attr));
	unit->name = name ? name : "";
	unit->optimised = is_optimised(&unit->die);

	/* A split unit's addresses are those of its skeleton, in the program itself. */
	bool is_split = !dwarf_cu_info(die->cu, &version, &type, &root, &split, NULL, NULL, NULL) &&
			type == DW_UT_split_compile;
	Dwarf_Die *skeleton = is_split ? &split : &unit->die;
	if (is_split && !split.addr)
		skeleton = &unit->die;
	if (dwarf_lowpc(skeleton, &unit->base))
		unit->base = 0;
	unit->addr_base = number_of(skeleton, DW_AT_addr_base,
		number_of(skeleton, DW_AT_GNU_addr_base, version >= 5 ? 8 : 0));
	unit->loclists_base =
		number_of(&unit->die, DW_AT_loclists_base, offset_size == 8 ? 20 : 12);
	unit->info = section(unit->dwarf, ".debug_info");
	unit->loc = section(unit->dwarf, ".debug_loc");
	unit->loclists = section(unit->dwarf, ".debug_loclists");
	unit->addr = section(module->dwarf, ".debug_addr");
	return unit;
}

struct di_unit *di_unit_of(struct di_module *module, Dwarf_Die *die)
{
	uint64_t *index = xs_map_at(&module->unit_index, (uintptr_t)die->cu, 0);
	if (!*index) {
		xs_vec_push(&module->units, unit_create(module, die));
		*index = module->units.len;
	}
	return module->units.data[*index - 1];
}

bool di_unit_address(const struct di_unit *unit, uint64_t index, xs_addr *ret)
{
	struct di_cursor at = unit->addr;
	if (index > di_cursor_left(&at) / unit->expr.address_size)
		return false;
	di_cursor_bytes(&at, unit->addr_base + index * unit->expr.address_size);
	*ret = di_cursor_u(&at, unit->expr.address_size);
	return !at.failed;
}

bool di_unit_die_at(const struct di_unit *unit, uint64_t offset, Dwarf_Die *ret)
{
	return dwarf_offdie(unit->dwarf, offset, ret) != NULL;
}

static bool has_form(Dwarf_Die *unit, unsigned form)
{
	size_t length = 0;
	Dwarf_Abbrev *abbrev;
	for (Dwarf_Off at = 0; (abbrev = dwarf_getabbrev(unit, at, &length)) &&
			       abbrev != DWARF_END_ABBREV && length;
		at += length) {
		unsigned its;
		for (size_t i = 0; !dwarf_getabbrevattr_data(abbrev, i, NULL, &its, NULL, NULL);
			i++)
			if (its == form)
				return true;
	}
	return false;
}

bool di_module_has_data16(struct di_module *module)
{
	Dwarf_CU *cu = NULL;
	if (module->data16)
		return module->data16 > 0;
	module->data16 = -1;
	while (module->data16 < 0 && module->dwarf &&
		!dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		Dwarf_Die die;
		if (dwarf_cu_die(cu, &die, NULL, NULL, NULL, NULL, NULL, NULL) &&
			has_form(&die, DW_FORM_data16))
			module->data16 = 1;
	}
	return module->data16 > 0;
}

const char *di_unit_producer(struct di_module *module, xs_addr pc)
{
	const struct di_function *function = di_functions_find_debug(module->functions, pc);
	Dwarf_Attribute attr;
	if (!function)
		return NULL;
	Dwarf_Die die = function->die;
	struct di_unit *unit = di_unit_of(module, &die);
	return dwarf_formstring(dwarf_attr_integrate(&unit->die, DW_AT_producer, &attr));
}

bool di_unit_is_c(struct di_module *module, xs_addr pc)
{
	const struct di_function *function = di_functions_find_debug(module->functions, pc);
	if (!function)
		return true;
	Dwarf_Die die = function->die;
	switch (dwarf_srclang(&di_unit_of(module, &die)->die)) {
	case -1: /* it does not say */
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case 0x2c: /* DW_LANG_C17, of DWARF 6 */
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

void di_units_destroy(struct di_module *module)
{
	for (size_t i = 0; i < module->units.len; i++)
		free(module->units.data[i]);
	xs_vec_deinit(&module->units);
	xs_map_deinit(&module->unit_index);
	xs_map_deinit(&module->type_units);
}
