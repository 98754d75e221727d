#include "dwarf/variable.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/language.h"
#include "dwarf/scope_mistake.h"
#include "dwarf/type_name.h"
#include "dwarf/type_odd.h"

const char *di_die_string(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	return dwarf_formstring(di_attr_integrate(die, at, &attr));
}

uint32_t di_die_number(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	bool there = di_attr_integrate(die, at, &attr) && !dwarf_formudata(&attr, &value);
	return there ? (uint32_t)value : 0;
}

static bool flag_of(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	bool value;
	return di_attr_integrate(die, at, &attr) && !dwarf_formflag(&attr, &value) && value;
}

/* libdw joins a file to its directory, which may itself be relative to the unit's. */
static const char *join(struct di_module *module, struct di_unit *unit, const char *file)
{
	const char *folder = di_unit_folder(unit);
	if (!file || *file == '/' || !folder)
		return file;
	uint64_t *index = xs_map_at(&module->scopes->joined, (uintptr_t)file, 0);
	if (!*index) {
		xs_vec_push(&module->scopes->files, xs_asprintf("%s/%s", folder, file));
		*index = module->scopes->files.len;
	}
	return module->scopes->files.data[*index - 1];
}

/* The file that attribute `at` of die names by its number in the unit's line table. */
const char *di_die_file(struct di_module *module, Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;
	Dwarf_Files *files;
	size_t count;
	Dwarf_Die root;
	/* The attribute may be that of the origin, in another unit, with other numbers. */
	if (!di_attr_integrate(die, at, &attr) || dwarf_formudata(&attr, &number) ||
		!dwarf_cu_die(attr.cu, &root, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	struct di_unit *unit = di_unit_of(module, &root);
	if (!di_unit_files(unit, &files, &count) || number >= count)
		return NULL;
	return join(module, unit, dwarf_filesrc(files, number, NULL, NULL));
}

const struct di_unit *di_home_of(struct di_module *module, Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	unsigned chain = 0;
	while (di_die_origin(&at, &chain))
		;
	const struct di_unit *own = di_unit_of(module, die), *home = di_unit_of(module, &at);
	Dwarf_Die root = home->die;
	/* A part that several units import is nobody's own. */
	return dwarf_tag(&root) == DW_TAG_compile_unit ? home : own;
}

bool di_has_place(Dwarf_Die *die)
{
	return di_hasattr_integrate(die, DW_AT_location) ||
	       di_hasattr_integrate(die, DW_AT_const_value);
}

/* Whether die is a variable with a name. */
static bool has_name(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
		return false;
	const char *name = di_die_string(die, DW_AT_name);
	return name && *name;
}

/* Whether die says no more than that there is a variable elsewhere. A concrete block repeats the
 * declarations of its abstract instance. */
static bool is_mere(const struct di_module *module, Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	bool declaration = dwarf_hasattr(&at, DW_AT_declaration);
	for (unsigned i = 0; !declaration && i < DI_ORIGINS && di_variable_origin(&at, &at); i++)
		declaration = dwarf_hasattr(&at, DW_AT_declaration);
	return declaration && !di_has_place(die) &&
	       !di_scope_has_declarations(module->scopes->mistake);
}

bool di_is_variable(const struct di_module *module, Dwarf_Die *die)
{
	return has_name(die) && !is_mere(module, die);
}

bool di_is_extern(const struct di_module *module, Dwarf_Die *die)
{
	return has_name(die) && is_mere(module, die) && dwarf_tag(die) == DW_TAG_variable;
}

struct di_variable di_variable_describe(
	struct di_module *module, Dwarf_Die *die, const struct di_block *block, const char *scope)
{
	Dwarf_Attribute attr;
	Dwarf_Die typed = *die;
	const char *name = di_die_string(die, DW_AT_name);
	unsigned chain = 0;
	/* The type may be the origin's. */
	if (di_attr_integrate(die, DW_AT_type, &attr))
		while (!dwarf_hasattr(&typed, DW_AT_type) && di_die_origin(&typed, &chain))
			;
	const struct di_block *root = block;
	while (root && root->outer)
		root = root->outer;
	struct di_type *type = di_type_of(module->types, &typed);
	struct di_why odd = di_variable_oddity(die);
	const struct di_unit *home = root ? root->home : di_home_of(module, die);
	if (!di_language_is_read(di_language_of(home)) && !di_language_is_plain(type))
		odd = (struct di_why){
			.code = DI_WHY_LANGUAGE, .number = {di_language_number(home)}};
	if (!di_attr_integrate(die, DW_AT_type, &attr))
		odd = (struct di_why){.code = DI_WHY_TYPE_UNTOLD};
	if (odd.code)
		type = di_type_unread(module->types, type->name, &odd);
	return (struct di_variable){.die = *die,
		.name = name,
		.unit = di_unit_of(module, die),
		.home = home,
		.block = block,
		.type = type,
		.file = di_die_file(module, die, DW_AT_decl_file),
		.line = di_die_number(die, DW_AT_decl_line),
		.column = di_die_number(die, DW_AT_decl_column),
		.parameter = dwarf_tag(die) == DW_TAG_formal_parameter,
		.artificial = flag_of(die, DW_AT_artificial),
		.external = flag_of(die, DW_AT_external),
		.scope = scope,
		.name_hash = xs_hash_text(0, name)};
}

bool di_variable_origin(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && di_formref_die(&attr, ret);
}
