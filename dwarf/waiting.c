#include "dwarf/waiting.h"

#include <dwarf.h>

#include "dwarf/op.h"
#include "dwarf/place.h"
#include "dwarf/scope.h"
#include "dwarf/steady.h"
#include "dwarf/tailcall.h"
#include "dwarf/target.h"

/* Registers that a callee leaves as they are. */
#define PRESERVED                                                                                  \
	(1U << DI_REG_RBX | 1U << DI_REG_RBP | 1U << DI_REG_RSP | 1U << 12 | 1U << 13 | 1U << 14 | \
		1U << DI_REG_R15)

struct search {
	di_waiting_list *list;
	di_waiting_calls *calls; /* or these, see di_waiting_find_calls() */
	struct di_module *module;
	struct xs_map known;             /* (hash of a name, line) -> index into list, plus 1 */
	size_t count;                    /* entries so far */
	bool framed;                     /* the function's frame base is plain */
	const struct di_expr_unit *unit; /* of the variable or call site */
	struct di_waiting *one;          /* the variable's entry */
};

static uint32_t needs_of(const struct search *search, const struct di_op *op)
{
	uint64_t reg = op->info->form[0] == DI_OPERAND_REG ? op->operand[0] : op->info->implied;
	switch (op->info->class) {
	case DI_OP_REGISTER:
	case DI_OP_BASED:
		return reg <= DI_REG_R15 ? 1U << reg : DI_WAITING_UNKNOWN;
	case DI_OP_CONSTANT:
	case DI_OP_ADDRESS:
	case DI_OP_STACK:
	case DI_OP_UNARY:
	case DI_OP_BINARY:
		return 0;
	case DI_OP_ASK:
		return op->code == DW_OP_entry_value || op->code == DW_OP_GNU_entry_value
			       ? DI_WAITING_OUTWARD
			       : DI_WAITING_UNKNOWN;
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

static uint32_t needs_of_expr(const struct search *search, const uint8_t *data, size_t size)
{
	uint32_t all = 0;
	struct di_answer answer;
	struct di_op op;
	di_answer_known(&answer);
	for (size_t at = 0; at < size && all != DI_WAITING_UNKNOWN; at = op.next) {
		uint32_t needs = DI_WAITING_UNKNOWN;
		if (di_op_decode(search->unit, data, size, at, &op, &answer))
			needs = needs_of(search, &op);
		all = needs == DI_WAITING_UNKNOWN ? needs : all | needs;
	}
	return all;
}

static void add_expr(
	struct search *search, xs_addr lo, xs_addr hi, const uint8_t *data, size_t size)
{
	struct di_waiting_entry entry = {lo, hi, needs_of_expr(search, data, size)};
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

/* Calls `found` with each function of the module, until there are more entries than `most`. */
static void each_function(struct search *search, size_t most,
	void (*found)(struct search *search, const struct di_block *function))
{
	const struct di_function_list *all = di_functions_all(search->module->functions);
	for (size_t i = 0; i < all->vec.len && search->count <= most; i++) {
		const struct di_function *function = all->vec.data[i];
		if (function->symbol)
			continue;
		const struct di_scopes *scopes = di_scopes_at(search->module, function->entry);
		if (!scopes->activations.len)
			continue;
		const struct di_block *block =
			scopes->activations.data[scopes->activations.len - 1].function;
		search->framed = di_steady_is_framed(block);
		found(search, block);
	}
}

void di_waiting_find(struct di_module *module, size_t most, di_waiting_list *ret)
{
	struct search search = {.list = ret, .module = module};
	each_function(&search, most, add_block);
	xs_map_deinit(&search.known);
	if (search.count > most)
		di_waiting_deinit(ret);
}

/* What an attribute of a call site or of its parameter depends on; 0 if it has none. */
static uint32_t needs_of_attribute(struct search *search, Dwarf_Die *die, unsigned at)
{
	struct di_place place;
	if (!dwarf_hasattr(die, at))
		return 0;
	di_place_select(di_unit_of(search->module, die), die, at, XS_ADDR_NONE, &place, NULL, NULL);
	if (place.kind != DI_PLACE_EXPR || place.section)
		return DI_WAITING_UNKNOWN;
	return needs_of_expr(search, place.expr.data, place.expr.size);
}

static void add_call(void *arg, Dwarf_Die *site)
{
	static const unsigned of_site[] = {DW_AT_call_target, DW_AT_call_target_clobbered,
		DW_AT_GNU_call_site_target, DW_AT_GNU_call_site_target_clobbered};
	static const unsigned of_parameter[] = {DW_AT_call_value, DW_AT_call_data_value,
		DW_AT_call_data_location, DW_AT_GNU_call_site_value,
		DW_AT_GNU_call_site_data_value};
	struct search *search = arg;
	struct di_waiting_call call = {0};
	Dwarf_Die child;
	if (!di_call_site_return(search->module, site, &call.behind))
		return;
	search->unit = &di_unit_of(search->module, site)->expr;
	for (size_t i = 0; i < sizeof of_site / sizeof *of_site; i++)
		call.needs |= needs_of_attribute(search, site, of_site[i]);
	for (bool more = !dwarf_child(site, &child); more; more = !dwarf_siblingof(&child, &child))
		for (size_t i = 0; i < sizeof of_parameter / sizeof *of_parameter; i++)
			call.needs |= needs_of_attribute(search, &child, of_parameter[i]);
	/* A register that the callee may write is not what it was at the call. */
	if (call.needs & ~(uint32_t)(PRESERVED | DI_WAITING_OUTWARD))
		call.needs = DI_WAITING_UNKNOWN;
	else if (!(call.needs &= DI_WAITING_OUTWARD))
		return;
	xs_vec_push(search->calls, call);
}

static void add_calls(struct search *search, const struct di_block *function)
{
	Dwarf_Die die = function->die;
	di_call_sites(&die, add_call, search);
}

void di_waiting_find_calls(struct di_module *module, di_waiting_calls *ret)
{
	struct search search = {.calls = ret, .module = module};
	each_function(&search, SIZE_MAX, add_calls);
}

void di_waiting_deinit(di_waiting_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		xs_vec_deinit(&list->data[i].entries);
	xs_vec_deinit(list);
}
