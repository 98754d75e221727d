/* Finds the variables at file scope, and how each unit sees them. Part of scope.h. */
#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/gaps.h"
#include "dwarf/name.h"
#include "dwarf/name_text.h"
#include "dwarf/variable.h"
#include "dwarf/split.h"

/* A unit whose variables are looked for. */
struct search {
	struct di_module *module;
	const struct di_unit *unit; /* that has them, or imports the part that has them */
	struct xs_map imported;     /* address of a part's entry -> 1: each is looked at once */
	struct xs_map *parts;       /* the same for all units so far */
};

static bool is_part(const struct di_unit *unit)
{
	Dwarf_Die root = unit->die;
	return dwarf_tag(&root) == DW_TAG_partial_unit;
}

/* What dwz moved to a part that several units import was in each of them before. So a static there
 * is each unit's own, and an external variable is one. */
static void add_global(struct search *search, Dwarf_Die *die)
{
	struct di_scope_tables *tables = search->module->scopes;
	struct di_variable *global = xs_calloc(1, sizeof *global);
	*global = di_variable_describe(search->module, die, NULL, "");
	global->name = di_name_of_variable(search->module, die);
	global->name_hash = xs_hash_text(0, global->name);
	if (is_part(global->home))
		global->home = search->unit;
	if (!global->external)
		global->scope = global->home->name;
	xs_vec_push(&tables->globals, global);
}

static void find_globals(struct search *search, Dwarf_Die *die, unsigned depth);

static void find_imported(struct search *search, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die part;
	if (!dwarf_attr(die, DW_AT_import, &attr) || !di_formref_die(&attr, &part) ||
		(*xs_map_at(&search->imported, (uintptr_t)part.addr, 0))++)
		return;
	*xs_map_at(search->parts, (uintptr_t)part.addr, 0) = 1;
	find_globals(search, &part, depth + 1);
}

static void find_globals(struct search *search, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;
	if (depth > DI_SCOPE_DEPTH || di_gaps_child(search->module, die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_common_block:
			find_globals(search, &child, depth + 1);
			break;
		case DW_TAG_imported_unit:
			find_imported(search, &child, depth);
			break;
		case DW_TAG_variable:
			if (di_is_variable(search->module, &child))
				add_global(search, &child);
			break;
		default:
			break;
		}
	} while (!di_gaps_sibling(search->module, &child, &child));
}

/* The entry that a global is an instance of, or its own. */
static uintptr_t origin_of(const struct di_variable *global)
{
	Dwarf_Die origin = global->die;
	for (unsigned i = 0; i < DI_ORIGINS && di_variable_origin(&origin, &origin); i++)
		;
	return (uintptr_t)origin.addr;
}

/* Leaves out what is no other variable. With link time optimisation, the unit that was compiled has
 * a variable's abstract entry, and other units have instances of it, with a place or without: one
 * that has a place is the variable. What several units import is one variable if it is external. */
static void drop_copies(struct di_scope_tables *tables)
{
	struct xs_map chosen = {0}; /* (origin, home) -> index into globals, plus 1 */
	size_t kept = 0;
	for (int place = 1; place >= 0; place--)
		for (size_t i = 0; i < tables->globals.len; i++) {
			struct di_variable *one = tables->globals.data[i];
			uint64_t *index = xs_map_at(
				&chosen, origin_of(one), one->external ? 0 : (uintptr_t)one->home);
			if (!*index && di_has_place(&one->die) >= place)
				*index = i + 1;
		}
	for (size_t i = 0; i < tables->globals.len; i++) {
		struct di_variable *one = tables->globals.data[i];
		if (*xs_map_at(&chosen, origin_of(one), one->external ? 0 : (uintptr_t)one->home) ==
			i + 1)
			tables->globals.data[kept++] = one;
		else
			free(one);
	}
	tables->globals.len = kept;
	xs_map_deinit(&chosen);
}

/* Finds the variables of all units, or of all parts that nobody imports. */
static void find_in_units(struct di_module *module, bool parts, struct xs_map *seen)
{
	Dwarf_CU *cu = NULL;
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		Dwarf_Die die = di_unit_die(module, cu);
		if ((dwarf_tag(&die) == DW_TAG_partial_unit) != parts ||
			xs_map_find(seen, (uintptr_t)die.addr, 0))
			continue;
		struct search search = {
			.module = module, .unit = di_unit_of(module, &die), .parts = seen};
		find_globals(&search, &die, 0);
		xs_map_deinit(&search.imported);
	}
}

static void load_globals(struct di_module *module)
{
	struct xs_map parts = {0};
	if (module->scopes->globals_found)
		return;
	module->scopes->globals_found = true;
	find_in_units(module, false, &parts);
	find_in_units(module, true, &parts);
	drop_copies(module->scopes);
	xs_map_deinit(&parts);
}

/* How near a global is to a unit: its own, visible everywhere, another unit's own. */
static int distance(const struct di_variable *global, const struct di_unit *unit)
{
	return global->home == unit ? 0 : global->external ? 1 : 2;
}

/* The globals as unit sees them. */
const struct di_globals *di_globals_of(struct di_module *module, const struct di_unit *unit)
{
	struct di_scope_tables *tables = module->scopes;
	load_globals(module);
	for (size_t i = 0; i < tables->views.len; i++)
		if (tables->views.data[i]->unit == unit)
			return tables->views.data[i];
	struct di_globals *view = xs_calloc(1, sizeof *view);
	view->unit = unit;
	for (int far = 0; far < 3; far++) {
		for (size_t i = 0; i < tables->globals.len; i++) {
			const struct di_variable *global = tables->globals.data[i];
			if (distance(global, unit) != far)
				continue;
			uint64_t *first = xs_map_at(&view->names, global->name_hash, 0);
			xs_vec_push(&view->list, global);
			xs_vec_push(&view->hidden, *first != 0);
			*first = *first ? *first : view->list.len;
			if (global->line > view->last_line)
				view->last_line = global->line;
		}
	}
	xs_vec_push(&tables->views, view);
	return view;
}

/* --- constants of classes --------------------------------------------------------------------- */

/* Some write `Box<char[]>::x`, and some `Box<char []>::x`. */
static uint64_t constant_key(const char *name)
{
	XS_AUTO_FREE char *key = di_name_key(name);
	return xs_hash_text(0, key);
}

static void find_constants(struct di_module *module, Dwarf_Die *die, unsigned depth, bool class)
{
	Dwarf_Die child;
	if (depth > DI_SCOPE_DEPTH || di_gaps_child(module, die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_namespace:
			find_constants(module, &child, depth + 1, false);
			break;
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			find_constants(module, &child, depth + 1, true);
			break;
		case DW_TAG_member:
		case DW_TAG_variable: {
			const char *name = NULL;
			if (class && dwarf_hasattr(&child, DW_AT_const_value) &&
				dwarf_hasattr(&child, DW_AT_declaration))
				name = di_name_of_variable(module, &child);
			if (name)
				*xs_map_at(&module->scopes->constants, constant_key(name), 0) = 1;
			break;
		}
		default:
			break;
		}
	} while (!di_gaps_sibling(module, &child, &child));
}

bool di_is_class_constant(struct di_module *module, const char *name)
{
	struct di_scope_tables *tables = module->scopes;
	Dwarf_CU *cu = NULL;
	while (!tables->constants_found && module->dwarf &&
		!dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		Dwarf_Die die = di_unit_die(module, cu);
		find_constants(module, &die, 0, false);
	}
	tables->constants_found = true;
	return xs_map_find(&tables->constants, constant_key(name), 0) != NULL;
}

void di_globals_deinit(struct di_scope_tables *tables)
{
	xs_map_deinit(&tables->constants);
	for (size_t i = 0; i < tables->globals.len; i++)
		free(tables->globals.data[i]);
	for (size_t i = 0; i < tables->views.len; i++) {
		xs_vec_deinit(&tables->views.data[i]->list);
		xs_vec_deinit(&tables->views.data[i]->hidden);
		xs_map_deinit(&tables->views.data[i]->names);
		free(tables->views.data[i]);
	}
	xs_vec_deinit(&tables->globals);
	xs_vec_deinit(&tables->views);
}
