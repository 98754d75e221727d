/* Finds the variables at file scope, and how each unit sees them. Part of scope.h. */
#include <dwarf.h>

#include "dwarf/variable.h"
#include "dwarf/split.h"

static void find_globals(struct di_module *module, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;
	if (depth > DI_SCOPE_DEPTH || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_namespace) {
			find_globals(module, &child, depth + 1);
			continue;
		}
		if (tag != DW_TAG_variable || !di_is_variable(module, &child))
			continue;
		struct di_variable *global = xs_calloc(1, sizeof *global);
		*global = di_variable_describe(module, &child, NULL, "");
		if (!global->external)
			global->scope = global->unit->name;
		xs_vec_push(&module->scopes->globals, global);
	} while (!dwarf_siblingof(&child, &child));
}

/* Leaves out those without a place that others are instances of: with link time optimisation, the
 * unit that was compiled has a variable's abstract entry, and another unit the variable. */
static void drop_abstract_globals(struct di_module *module)
{
	struct di_scope_tables *tables = module->scopes;
	struct xs_map origins = {0};
	size_t kept = 0;
	for (size_t i = 0; i < tables->globals.len; i++) {
		Dwarf_Die origin = tables->globals.data[i]->die;
		for (unsigned k = 0; k < DI_ORIGINS && di_variable_origin(&origin, &origin); k++)
			*xs_map_at(&origins, (uintptr_t)origin.addr, 0) = 1;
	}
	for (size_t i = 0; i < tables->globals.len; i++) {
		struct di_variable *one = tables->globals.data[i];
		if (xs_map_find(&origins, (uintptr_t)one->die.addr, 0) && !di_has_place(&one->die))
			free(one);
		else
			tables->globals.data[kept++] = one;
	}
	tables->globals.len = kept;
	xs_map_deinit(&origins);
}

static void load_globals(struct di_module *module)
{
	Dwarf_CU *cu = NULL;
	if (module->scopes->globals_found)
		return;
	module->scopes->globals_found = true;
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		Dwarf_Die unit = di_unit_die(module, cu);
		find_globals(module, &unit, 0);
	}
	drop_abstract_globals(module);
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
	for (int others = 0; others < 2; others++) {
		for (size_t i = 0; i < tables->globals.len; i++) {
			const struct di_variable *global = tables->globals.data[i];
			if ((global->unit != unit) != others)
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

void di_globals_deinit(struct di_scope_tables *tables)
{
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
