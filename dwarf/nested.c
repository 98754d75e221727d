#include "dwarf/name.h"
#include "dwarf/nested.h"

#include <dwarf.h>

/* The entry that all instances of one come from. */
static Dwarf_Die origin_of(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	for (unsigned i = 0; i < DI_ORIGINS && di_variable_origin(&at, &at); i++)
		;
	return at;
}

bool di_nested_is_same(const Dwarf_Die *a, const Dwarf_Die *b)
{
	return origin_of(a).addr == origin_of(b).addr;
}

static void add_names(struct di_module *module, Dwarf_Die *die, struct di_block *block)
{
	Dwarf_Die child;
	for (int end = dwarf_child(die, &child); !end; end = dwarf_siblingof(&child, &child)) {
		bool variable = di_is_variable(module, &child);
		if (!variable && !di_is_extern(module, &child))
			continue;
		struct di_variable one = di_variable_describe(module, &child, block, block->scope);
		if (variable)
			xs_vec_push(&block->variables, one);
		else
			xs_vec_push(&block->externs, one);
	}
}

/* A block that has the names of an entry. */
static struct di_block *describe(struct di_module *module, Dwarf_Die *die)
{
	struct di_block *block = xs_calloc(1, sizeof *block);
	bool function = dwarf_tag(die) == DW_TAG_subprogram;
	const char *name = function ? di_name_of_function(module, die) : NULL;
	block->kind = function ? DI_BLOCK_FUNCTION : DI_BLOCK_LEXICAL;
	block->die = *die;
	block->unit = di_unit_of(module, die);
	block->home = di_home_of(module, die);
	block->name = name;
	block->scope = xs_strdup(name ? name : "");
	add_names(module, die, block);
	return block;
}

const struct di_block *di_nested_around(struct di_module *module, const struct di_block *function)
{
	Dwarf_Die die = origin_of(&function->die), *scopes = NULL;
	struct di_block *inner = NULL;
	const struct di_block *first = NULL;
	Dwarf_Die link = function->die;
	if (!module->functions->nested && !dwarf_hasattr(&link, DW_AT_static_link))
		return NULL;
	struct di_scope_tables *tables = module->scopes;
	uint64_t *known = xs_map_at(&tables->nested, (uintptr_t)die.addr, 0);
	if (*known)
		return tables->around.data[*known - 1];
	int count = dwarf_getscopes_die(&die, &scopes);
	/* The first is the entry itself, the last its unit. */
	for (int i = 1; i + 1 < count; i++) {
		int tag = dwarf_tag(&scopes[i]);
		if (tag != DW_TAG_subprogram && tag != DW_TAG_lexical_block)
			break;
		struct di_block *block = describe(module, &scopes[i]);
		xs_vec_push(&tables->shells, block);
		if (inner)
			inner->outer = block;
		else
			first = block;
		inner = block;
	}
	free(scopes);
	xs_vec_push(&tables->around, first);
	*xs_map_at(&tables->nested, (uintptr_t)die.addr, 0) = tables->around.len;
	return first;
}

bool di_nested_sees(const struct di_block *function, const struct di_variable *variable)
{
	Dwarf_Die die = function->die;
	uint32_t line = di_die_number(&die, DW_AT_decl_line);
	uint32_t column = di_die_number(&die, DW_AT_decl_column);
	if (variable->parameter || !line || !variable->line)
		return true;
	return variable->line < line ||
	       (variable->line == line && (!column || variable->column < column));
}
