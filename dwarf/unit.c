#include "dwarf/unit.h"

#include "base/path.h"

#include <dwarf.h>
#include <gelf.h>

#include "dwarf/attribute.h"
#include "dwarf/split.h"

enum { FUNCTIONS_LOOKED_AT = 32 }; /* to tell whether code was optimised */

/* --- sections --------------------------------------------------------------------------------- */

/* The sections of one file that units are read from. */
struct di_unit_sections {
	struct di_cursor info, types, addr, loc, loclists, ranges, rnglists;
};

/* Whether a section goes by that name, or is the .dwo or compressed form of it. */
static bool is_called(const char *found, const char *name)
{
	size_t length = strlen(name);
	if (!strncmp(found, name, length))
		return !found[length] || !strcmp(found + length, ".dwo");
	return !strncmp(found, ".z", 2) && !strcmp(found + 2, name + 1);
}

static void find_sections(Dwarf *dwarf, struct di_unit_sections *ret)
{
	struct {
		const char *name;
		struct di_cursor *cursor;
	} wanted[] = {{".debug_info", &ret->info}, {".debug_types", &ret->types},
		{".debug_addr", &ret->addr}, {".debug_loc", &ret->loc},
		{".debug_loclists", &ret->loclists}, {".debug_ranges", &ret->ranges},
		{".debug_rnglists", &ret->rnglists}};
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		*wanted[i].cursor = di_cursor_over(wanted[i].name, NULL, 0);
	while (elf && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS)
			continue;
		const char *found = di_section_name(elf, &header);
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
			Elf_Data *data;
			if (wanted[i].cursor->start || !is_called(found, wanted[i].name) ||
				!(data = elf_rawdata(scn, NULL)) || !data->d_buf)
				continue;
			*wanted[i].cursor =
				di_cursor_over(wanted[i].name, data->d_buf, data->d_size);
		}
	}
}

static const struct di_unit_sections *sections_of(struct di_module *module, Dwarf *dwarf)
{
	enum { OF_FILE = 1 }; /* units have 0 there */
	uint64_t *index = xs_map_at(&module->unit_index, (uintptr_t)dwarf, OF_FILE);
	if (!*index) {
		struct di_unit_sections *sections = xs_calloc(1, sizeof *sections);
		find_sections(dwarf, sections);
		xs_vec_push(&module->unit_sections, sections);
		*index = module->unit_sections.len;
	}
	return module->unit_sections.data[*index - 1];
}

/* --- attributes ------------------------------------------------------------------------------- */

/* A cursor at the value of an attribute; failed if that is not in the section. */
static struct di_cursor value_of(const struct di_cursor *section, const Dwarf_Attribute *attr)
{
	struct di_cursor at = *section;
	at.failed = attr->valp < section->start || attr->valp > section->end;
	at.at = at.failed ? section->end : attr->valp;
	return at;
}

static bool read_number(
	const struct di_cursor *section, unsigned offset_size, Dwarf_Attribute *attr, uint64_t *ret)
{
	struct di_cursor at = value_of(section, attr);
	switch (dwarf_whatform(attr)) {
	case DW_FORM_data1:
		*ret = di_cursor_u(&at, 1);
		break;
	case DW_FORM_data2:
		*ret = di_cursor_u(&at, 2);
		break;
	case DW_FORM_data4:
		*ret = di_cursor_u(&at, 4);
		break;
	case DW_FORM_data8:
		*ret = di_cursor_u(&at, 8);
		break;
	case DW_FORM_udata:
	case DW_FORM_rnglistx:
	case DW_FORM_loclistx:
		*ret = di_cursor_uleb(&at);
		break;
	case DW_FORM_sec_offset:
		*ret = di_cursor_u(&at, offset_size);
		break;
	case DW_FORM_sdata:
	case DW_FORM_implicit_const: {
		Dwarf_Sword value;
		if (dwarf_formsdata(attr, &value))
			return false;
		*ret = (uint64_t)value;
		return true;
	}
	default:
		return false;
	}
	return !at.failed;
}

bool di_unit_form_number(const struct di_unit *unit, Dwarf_Attribute *attr, uint64_t *ret)
{
	return read_number(&unit->info, unit->expr.offset_size, attr, ret);
}

static bool read_address(const struct di_unit *unit, const struct di_cursor *section,
	Dwarf_Attribute *attr, xs_addr *ret)
{
	struct di_cursor at = value_of(section, attr);
	uint64_t index;
	switch (dwarf_whatform(attr)) {
	case DW_FORM_addr:
		*ret = di_cursor_u(&at, unit->expr.address_size);
		return !at.failed;
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		index = di_cursor_uleb(&at);
		break;
	case DW_FORM_addrx1:
		index = di_cursor_u(&at, 1);
		break;
	case DW_FORM_addrx2:
		index = di_cursor_u(&at, 2);
		break;
	case DW_FORM_addrx3:
		index = di_cursor_u(&at, 3);
		break;
	case DW_FORM_addrx4:
		index = di_cursor_u(&at, 4);
		break;
	default:
		return false;
	}
	return !at.failed && di_unit_address(unit, index, ret);
}

bool di_unit_form_address(const struct di_unit *unit, Dwarf_Attribute *attr, xs_addr *ret)
{
	return read_address(unit, &unit->info, attr, ret);
}

/* --- units ------------------------------------------------------------------------------------ */

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

/* Whether the function keeps all of its variables in its frame; *some: it has one there. */
static bool keeps_all_in_frame(Dwarf_Die *function, bool *some)
{
	Dwarf_Attribute attr;
	Dwarf_Block place;
	Dwarf_Die child;
	*some = false;
	for (int end = dwarf_child(function, &child); !end; end = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		if (dwarf_formblock(dwarf_attr(&child, DW_AT_location, &attr), &place) ||
			!place.length ||
			(place.data[0] != DW_OP_fbreg && place.data[0] != DW_OP_addr &&
				place.data[0] != DW_OP_addrx))
			return false;
		*some |= place.data[0] == DW_OP_fbreg;
	}
	return true;
}

static bool has_frame_base(Dwarf_Die *function, uint8_t op)
{
	Dwarf_Attribute attr;
	Dwarf_Block base;
	return !dwarf_formblock(dwarf_attr(function, DW_AT_frame_base, &attr), &base) &&
	       base.length == 1 && base.data[0] == op;
}

/* Whether its calls are all described, as clang promises of optimised code only. */
static bool speaks_of_calls(Dwarf_Die *function)
{
	return dwarf_hasattr(function, DW_AT_call_all_calls) ||
	       dwarf_hasattr(function, DW_AT_GNU_all_call_sites);
}

/* Whether that promise is kept: by clang from version 11 on, from DWARF 4 on. */
static bool is_promised(Dwarf_Die *unit, const char *producer)
{
	static const char name[] = "clang version ";
	const char *at = strstr(producer, name);
	Dwarf_Half version = 0;
	dwarf_cu_info(unit->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL);
	return at && strtol(at + sizeof name - 1, NULL, 10) >= 11 && version >= 4;
}

/* Whether a function looks optimised: a place changes with the pc, or calls tell what was passed.
 * clang: its unoptimised code does not speak of calls, and has frames based on rbp; or, without
 * frame pointers, on rsp, and everything is in them. *tells: whether "no" means something. */
static bool looks_optimised(Dwarf_Die *function, bool clang, bool *tells)
{
	*tells = true;
	if (has_list_or_call(function))
		return true;
	if (!clang)
		return false;
	if (speaks_of_calls(function))
		return true;
	return !has_frame_base(function, DW_OP_reg6) &&
	       !(has_frame_base(function, DW_OP_reg7) && keeps_all_in_frame(function, tells));
}

/* gcc notes its options in the producer, if it was not told to leave them out. For the others the
 * first functions tell. */
static bool is_optimised(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));
	unsigned looked = 0;
	bool tells = true;
	if (!producer)
		return true;
	bool gcc = !strncmp(producer, "GNU", 3);
	if (gcc && strstr(producer, " -")) {
		const char *level = NULL;
		for (const char *at = strstr(producer, " -O"); at; at = strstr(at + 1, " -O"))
			level = at + 3; /* the last one counts */
		return level && *level != '0';
	}
	bool promised = !gcc && is_promised(unit, producer);
	for (int end = dwarf_child(unit, &child); !end && looked < FUNCTIONS_LOOKED_AT;
		end = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_subprogram ||
			!dwarf_hasattr(&child, DW_AT_frame_base))
			continue;
		if (promised ? speaks_of_calls(&child) : looks_optimised(&child, !gcc, &tells))
			return true;
		looked += tells;
	}
	return !gcc && !looked;
}

/* A number of the skeleton's, or of what stands for it. */
static uint64_t number_of(const struct di_cursor *section, unsigned offset_size, Dwarf_Die *die,
	unsigned at, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	uint64_t value;
	return dwarf_attr(die, at, &attr) && read_number(section, offset_size, &attr, &value)
		       ? value
		       : otherwise;
}

/* What a unit's own file has of it. */
static void use_sections(struct di_unit *unit, const struct di_unit_sections *own)
{
	const uint8_t *at = unit->die.addr;
	bool in_types = own->types.start && at >= own->types.start && at < own->types.end;
	unit->info = in_types ? own->types : own->info;
	unit->addr = own->addr;
	unit->loc = own->loc;
	unit->loclists = own->loclists;
	unit->ranges = own->ranges;
	unit->rnglists = own->rnglists;
}

/* Where its lists and addresses are. */
static void find_bases(struct di_unit *unit)
{
	const struct di_unit_sections *program = NULL;
	struct di_cursor section = unit->info; /* of the skeleton */
	unsigned size = unit->expr.offset_size;
	uint64_t header = size == 8 ? 20 : 12; /* of a table of lists */
	Dwarf_Attribute attr;
	if (unit->is_split) {
		program = sections_of(unit->module, unit->module->dwarf);
		section = program->info;
		unit->addr = program->addr;
		unit->ranges = program->ranges;
		unit->ranges_base =
			number_of(&section, size, &unit->skeleton, DW_AT_GNU_ranges_base, 0);
	}
	unit->addr_base = number_of(&section, size, &unit->skeleton, DW_AT_addr_base,
		number_of(&section, size, &unit->skeleton, DW_AT_GNU_addr_base,
			unit->expr.version < 5 ? 0
			: size == 8            ? 16
					       : 8));
	unit->loclists_base = number_of(&unit->info, size, &unit->die, DW_AT_loclists_base, header);
	unit->rnglists_base = number_of(&unit->info, size, &unit->die, DW_AT_rnglists_base, header);
	/* Without a table of its own a split unit has the skeleton's. */
	if (unit->is_split && !unit->rnglists.start) {
		unit->rnglists = program->rnglists;
		unit->rnglists_base =
			number_of(&section, size, &unit->skeleton, DW_AT_rnglists_base, header);
	}
	if (!dwarf_attr(&unit->skeleton, DW_AT_low_pc, &attr) ||
		!read_address(unit, &section, &attr, &unit->base))
		unit->base = 0;
}

static struct di_unit *unit_create(struct di_module *module, Dwarf_Die *die)
{
	struct di_unit *unit = xs_calloc(1, sizeof *unit);
	Dwarf_Half version = 4;
	uint8_t address_size = 8, offset_size = 4;
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
	unit->is_split = di_split_skeleton(module, die->cu, &unit->skeleton);
	if (!unit->is_split)
		unit->skeleton = unit->die;
	use_sections(unit, sections_of(module, unit->dwarf));
	find_bases(unit);
	return unit;
}

struct di_unit *di_unit_of(struct di_module *module, Dwarf_Die *die)
{
	const uint64_t *known = xs_map_find(&module->unit_index, (uintptr_t)die->cu, 0);
	if (known && *known)
		return module->units.data[*known - 1];
	/* Making one adds to the index: nothing that points into it is kept meanwhile. */
	struct di_unit *unit = unit_create(module, die);
	xs_vec_push(&module->units, unit);
	*xs_map_at(&module->unit_index, (uintptr_t)die->cu, 0) = module->units.len;
	return unit;
}

bool di_unit_files(struct di_unit *unit, Dwarf_Files **ret, size_t *count)
{
	/* A split unit may have a table of files without lines. */
	return !dwarf_getsrcfiles(&unit->die, ret, count) ||
	       (unit->is_split && !dwarf_getsrcfiles(&unit->skeleton, ret, count));
}

const char *di_unit_folder(const struct di_unit *unit)
{
	Dwarf_Die die = unit->die, skeleton = unit->skeleton;
	Dwarf_Attribute attr;
	const char *own = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attr));
	return own ? own : dwarf_formstring(dwarf_attr(&skeleton, DW_AT_comp_dir, &attr));
}

bool di_unit_is_optimised(const struct di_unit *unit)
{
	Dwarf_Die die = unit->die;
	if (unit->optimised)
		return unit->optimised > 0;
	bool ret = is_optimised(&die);
	di_unit_of(unit->module, &die)->optimised = ret ? 1 : -1;
	return ret;
}

bool di_unit_address(const struct di_unit *unit, uint64_t index, xs_addr *ret)
{
	struct di_cursor at = unit->addr;
	if (index > di_cursor_left(&at) / unit->expr.address_size ||
		unit->addr_base > di_cursor_left(&at))
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
		Dwarf_Die die = di_unit_die(module, cu);
		if (die.addr && has_form(&die, DW_FORM_data16))
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
	return dwarf_formstring(di_attr_integrate(&unit->die, DW_AT_producer, &attr));
}

/* The names of a program's units, without folders; true as soon as one is among the others' names.
 */
static bool share_names(struct di_module *module, const struct xs_map *others, struct xs_map *ret)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, &die, NULL)) {
		const char *name = xs_base_name(di_unit_of(module, &die)->name);
		if (*name && xs_map_find(others, xs_hash_text(0, name), 0))
			return true;
		if (*name)
			*xs_map_at(ret, xs_hash_text(0, name), 0) = 1;
	}
	return false;
}

bool di_units_are_foreign(struct di_module *one, struct di_module *other)
{
	struct xs_map left = {0}, right = {0};
	bool shared = share_names(one, &right, &left) || share_names(other, &left, &right);
	bool foreign = !shared && left.len && right.len;
	xs_map_deinit(&left);
	xs_map_deinit(&right);
	return foreign;
}

bool di_unit_claims(struct di_module *module, xs_addr pc)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, &die, NULL))
		if (dwarf_haspc(&die, pc) > 0)
			return true;
	return false;
}

void di_units_destroy(struct di_module *module)
{
	for (size_t i = 0; i < module->units.len; i++)
		free(module->units.data[i]);
	for (size_t i = 0; i < module->unit_sections.len; i++)
		free(module->unit_sections.data[i]);
	xs_vec_deinit(&module->unit_sections);
	xs_vec_deinit(&module->units);
	xs_map_deinit(&module->unit_index);
	xs_map_deinit(&module->type_units);
}
