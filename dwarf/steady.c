#include "dwarf/steady.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/scope.h"
#include "dwarf/target.h"

/* How a variable is placed. */
enum placed { PLACED_UNSEEN, PLACED_FIXED, PLACED_FRAMED, PLACED_OTHERWISE };

struct search {
	struct di_module *module;
	struct xs_map placed;           /* (hash of the name, line) -> enum placed */
	XS_VEC(struct di_steady) found; /* each once, in the order they were first seen */
};

/* The one operator of an expression; false if it is not one. */
static bool only_operator(Dwarf_Die *die, unsigned at, Dwarf_Op *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	if (!di_attr_integrate(die, at, &attribute) ||
		dwarf_whatform(&attribute) == DW_FORM_sec_offset ||
		dwarf_whatform(&attribute) == DW_FORM_loclistx ||
		dwarf_getlocation(&attribute, &ops, &count) || count != 1)
		return false;
	*ret = ops[0];
	return true;
}

bool di_steady_is_framed(const struct di_block *function)
{
	Dwarf_Die die = function->die;
	Dwarf_Op op;
	return only_operator(&die, DW_AT_frame_base, &op) &&
	       (op.atom == DW_OP_call_frame_cfa || op.atom == DW_OP_reg0 + DI_REG_RBP ||
		       op.atom == DW_OP_breg0 + DI_REG_RBP);
}

bool di_steady_is_type(const struct di_type *type)
{
	switch (type->kind) {
	case DI_TYPE_BASE:
	case DI_TYPE_ENUM:
	case DI_TYPE_POINTER:
	case DI_TYPE_COMPLEX:
		return type->size_known;
	case DI_TYPE_ARRAY:
	case DI_TYPE_VECTOR:
		return !type->count_dynamic && !type->data_elsewhere &&
		       di_steady_is_type(type->target);
	case DI_TYPE_STRUCT:
	case DI_TYPE_UNION:
		for (size_t i = 0; i < type->members.len; i++)
			if (type->members.data[i].dynamic_offset ||
				!di_steady_is_type(type->members.data[i].type))
				return false;
		return type->size_known;
	default:
		return false;
	}
}

static enum placed place(const struct di_variable *variable, bool framed)
{
	Dwarf_Die die = variable->die;
	Dwarf_Op op;
	if (variable->type->problem || !di_steady_is_type(variable->type))
		return PLACED_OTHERWISE;
	if (!di_hasattr_integrate(&die, DW_AT_location))
		return PLACED_FIXED;
	if (!only_operator(&die, DW_AT_location, &op))
		return PLACED_OTHERWISE;
	if (op.atom == DW_OP_addr || op.atom == DW_OP_addrx)
		return PLACED_FIXED;
	return op.atom == DW_OP_fbreg && framed ? PLACED_FRAMED : PLACED_OTHERWISE;
}

static void search_block(struct search *search, const struct di_block *block, bool framed)
{
	for (size_t i = 0; i < block->variables.len; i++) {
		const struct di_variable *variable = &block->variables.data[i];
		enum placed how = place(variable, framed);
		uint64_t *known = xs_map_at(&search->placed, variable->name_hash, variable->line);
		if (*known == PLACED_UNSEEN)
			xs_vec_push(&search->found, ((struct di_steady){.name = variable->name,
							    .line = variable->line}));
		if (*known < how) /* the most that one of the name asks for */
			*known = how;
	}
	for (size_t i = 0; i < block->inner.len; i++)
		search_block(search, block->inner.data[i], framed);
}

void di_steady_find(struct di_module *module, di_steady_list *ret)
{
	struct search search = {.module = module};
	const struct di_function_list *all = di_functions_all(module->functions);
	for (size_t i = 0; i < all->vec.len; i++) {
		const struct di_function *function = all->vec.data[i];
		if (function->symbol)
			continue;
		const struct di_scopes *scopes = di_scopes_at(module, function->entry);
		if (!scopes->activations.len)
			continue;
		const struct di_block *block =
			scopes->activations.data[scopes->activations.len - 1].function;
		search_block(&search, block, di_steady_is_framed(block));
	}
	for (size_t i = 0; i < search.found.len; i++) {
		struct di_steady *one = &search.found.data[i];
		uint64_t how = *xs_map_at(&search.placed, xs_hash_text(0, one->name), one->line);
		one->framed = how == PLACED_FRAMED;
		if (how != PLACED_OTHERWISE)
			xs_vec_push(ret, *one);
	}
	xs_vec_deinit(&search.found);
	xs_map_deinit(&search.placed);
}
