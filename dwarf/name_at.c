#include "dwarf/name_at.h"

#include <dwarf.h>

#include "dwarf/name.h"
#include "dwarf/scope.h"

/* Whether two spellings are one but for what means nothing; by their last components only: 1. */
static unsigned compare(const char *one, const char *other)
{
	XS_AUTO_FREE char *left = di_name_key(one), *right = di_name_key(other);
	if (!strcmp(left, right))
		return 2;
	XS_AUTO_FREE char *last = di_name_last(left), *its = di_name_last(right);
	return *last && !strcmp(last, its);
}

/* How well a spelling names a function: 0 not at all, 1 by its last component, 2 by its name. */
static unsigned means(struct di_module *module, Dwarf_Die *die, const char *spelling)
{
	const char *names[] = {di_name_of_function(module, die), di_die_string(die, DW_AT_name),
		di_die_string(die, DW_AT_linkage_name)};
	unsigned ret = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names && ret < 2; i++) {
		unsigned one = !names[i]                     ? 0
			       : !strcmp(names[i], spelling) ? 2
							     : compare(names[i], spelling);
		ret = one > ret ? one : ret;
	}
	return ret;
}

const char *di_name_at(struct di_module *module, xs_addr pc, const char *spelling)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	const char *ret = NULL;
	unsigned best = 0;
	for (size_t i = 0; i < scopes->activations.len; i++) {
		const struct di_block *function = scopes->activations.data[i].function;
		Dwarf_Die die = function->die;
		unsigned how = function->name ? means(module, &die, spelling) : 0;
		if (how <= best)
			continue;
		best = how;
		ret = function->name;
	}
	return ret;
}

const char *di_name_of_global(struct di_module *module, const char *spelling)
{
	XS_AUTO_FREE char *key = di_name_key(spelling);
	const struct di_globals *globals = di_globals_of(module, NULL);
	for (size_t i = 0; i < globals->list.len; i++) {
		XS_AUTO_FREE char *its = di_name_key(globals->list.data[i]->name);
		if (!strcmp(its, key))
			return globals->list.data[i]->name;
	}
	return NULL;
}
