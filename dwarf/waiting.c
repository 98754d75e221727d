#include "dwarf/waiting.h"

#include <dwarf.h>

#include "dwarf/op.h"
#include "dwarf/place.h"
#include "dwarf/scope.h"
#include "dwarf/steady.h"
#include "dwarf/target.h"

/* Registers that a callee leaves as they are. */
#define PRESERVED                                                                                  \
	(1U << DI_REG_RBX | 1U << DI_REG_RBP | 1U << DI_REG_RSP | 1U << 12 | 1U << 13 | 1U << 14 | \
		1U << DI_REG_R15)

struct search {
	di_waiting_list *list;
	struct xs_map known;             /* (hash of a name, line) -> index into list, plus 1 */
	size_t count;                    /* entries so far */
	bool framed;                     /* the function's frame base is plain */
	const struct di_expr_unit *unit; /* of the variable */
	struct di_waiting *one;          /* its entry */
};

static uint32_t needs_of(const struct search *search, const struct di_op *op)
{
	uint64_t reg = op->info->form[0] == DI_OPERAND_REG ? op->operand[0] : op->info->implied;
	switch (op->info->class) {
	case DI_OP_REGISTER:
	case DI_OP_BASED:
		return reg < 32 && PRESERVED >> reg & 1 ? 1U << reg : DI_WAITING_UNKNOWN;
	case DI_OP_CONSTANT:
	case DI_OP_ADDRESS:
	case DI_OP_STACK:
	case DI_OP_UNARY:
	case DI_OP_BINARY:
		return 0;
	case DI_OP_IMPLICIT:
		return op->code == DW_OP_stack_value || op->code == DW_OP_implicit_value
			       ? 0
			       : DI_WAITING_UNKNOWN;
	case DI_OP_CONTEXT:
		return op->code == DW_OP_call_frame_cfa ||
				       (op->code == DW_OP_fbreg && search->framed)
			       ? 0
			       : DI_WAITING_UNKNOWN;
	default:
		return DI_WAITING_UNKNOWN;
	}
}

static void add_expr(
	struct search *search, xs_addr lo, xs_addr hi, const uint8_t *data, size_t size)
{
	struct di_waiting_entry entry = {.lo = lo, .hi = hi};
	struct di_answer answer;
	struct di_op op;
	di_answer_known(&answer);
	for (size_t at = 0; at < size && entry.needs != DI_WAITING_UNKNOWN; at = op.next) {
		uint32_t needs = DI_WAITING_UNKNOWN;
		if (di_op_decode(search->unit, data, size, at, &op, &answer))
			needs = needs_of(search, &op);
		entry.needs = needs == DI_WAITING_UNKNOWN ? needs : entry.needs | needs;
	}
	xs_vec_push(&search->one->entries, entry);
	search->count++;
}

static void on_entry(void *arg, const struct di_place_entry *entry)
{
	struct search *search = arg;
	/* A default entry holds all that others do not, and some debuggers do not know it. */
	add_expr(search, entry->is_default ? 0 : entry->lo,
		entry->is_default ? INT64_MAX : entry->hi, entry->data, entry->size);
}

static void add_variable(struct search *search, const struct di_variable *variable)
{
	Dwarf_Die die = variable->die;
	struct di_place place;
	uint64_t *at = xs_map_at(&search->known, variable->name_hash, variable->line);
	if (!*at) {
		xs_vec_push(search->list,
			((struct di_waiting){.name = variable->name, .line = variable->line}));
		*at = search->list->len;
	}
	search->one = &search->list->data[*at - 1];
	search->unit = &variable->unit->expr;
	size_t before = search->one->entries.len;
	/* No address: all entries are shown, and none is chosen. */
	di_place_of_variable(variable->unit, &die, XS_ADDR_NONE, &place, on_entry, search);
	bool whole = place.kind == DI_PLACE_EXPR && !place.section;
	if (whole)
		add_expr(search, 0, INT64_MAX, place.expr.data, place.expr.size);
	/* A list that cannot be read to its end. */
	bool odd = place.kind == DI_PLACE_BAD ||
		   (place.kind == DI_PLACE_EXPR && !whole && search->one->entries.len == before);
	search->one->unknown |=
		odd || variable->type->problem || !di_steady_is_type(variable->type);
}

static void add_block(struct search *search, const struct di_block *block)
{
	for (size_t i = 0; i < block->variables.len; i++)
		add_variable(search, &block->variables.data[i]);
	for (size_t i = 0; i < block->inner.len; i++)
		add_block(search, block->inner.data[i]);
}

void di_waiting_find(struct di_module *module, size_t most, di_waiting_list *ret)
{
	struct search search = {.list = ret};
	const struct di_function_list *all = di_functions_all(module->functions);
	for (size_t i = 0; i < all->vec.len && search.count <= most; i++) {
		const struct di_function *function = all->vec.data[i];
		if (function->symbol)
			continue;
		const struct di_scopes *scopes = di_scopes_at(module, function->entry);
		if (!scopes->activations.len)
			continue;
		const struct di_block *block =
			scopes->activations.data[scopes->activations.len - 1].function;
		search.framed = di_steady_is_framed(block);
		add_block(&search, block);
	}
	xs_map_deinit(&search.known);
	if (search.count > most)
		di_waiting_deinit(ret);
}

void di_waiting_deinit(di_waiting_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		xs_vec_deinit(&list->data[i].entries);
	xs_vec_deinit(list);
}
