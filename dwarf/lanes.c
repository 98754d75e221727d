#include "dwarf/lanes.h"

#include "dwarf/op.h"
#include "dwarf/place.h"

/* --- blocks ----------------------------------------------------------------------------------- */

static void push_block(struct di_lanes *lanes, const struct di_block *block)
{
	Dwarf_Die die = block->die;
	const char *name = block->name ? block->name : "?";
	struct di_lane lane = {.kind = DI_LANE_BLOCK,
		.title = block->kind == DI_BLOCK_FUNCTION  ? xs_strdup(name)
			 : block->kind == DI_BLOCK_INLINED ? xs_asprintf("inlined %s", name)
							   : xs_strdup("block"),
		.offset = dwarf_dieoffset(&die)};
	for (size_t i = 0; i < block->ranges.vec.len; i++)
		xs_vec_push(&lane.ranges, block->ranges.vec.data[i]);
	xs_vec_push(&lanes->vec, lane);
}

/* A block and those around it, the function first. */
static void push_around(struct di_lanes *lanes, const struct di_block *block)
{
	if (block->outer)
		push_around(lanes, block->outer);
	push_block(lanes, block);
}

static const struct di_variable *find_in(const struct di_block *block, uint64_t offset)
{
	const struct di_variable *found = NULL;
	for (size_t i = 0; i < block->variables.len && !found; i++) {
		Dwarf_Die die = block->variables.data[i].die;
		if (dwarf_dieoffset(&die) == offset)
			found = &block->variables.data[i];
	}
	for (size_t i = 0; i < block->inner.len && !found; i++)
		found = find_in(block->inner.data[i], offset);
	return found;
}

/* --- entries ---------------------------------------------------------------------------------- */

struct listing {
	struct di_lanes *lanes;
	const struct di_variable *variable;
};

static char *title_of(const struct di_expr_unit *unit, const uint8_t *data, size_t size)
{
	char text[600];
	di_op_text_all(unit, data, size, text, sizeof text);
	return xs_strdup(*text ? text : "(empty)");
}

static void push_entry(void *arg, const struct di_place_entry *entry)
{
	const struct listing *listing = arg;
	struct di_lane lane = {.kind = DI_LANE_ENTRY,
		.title = title_of(&listing->variable->unit->expr, entry->data, entry->size),
		.offset = entry->offset,
		.everywhere = entry->is_default,
		.verdict = entry->verdict};
	if (!entry->is_default)
		xs_vec_push(&lane.ranges, ((struct xs_range){entry->lo, entry->hi}));
	xs_vec_push(&listing->lanes->vec, lane);
}

/* What is no list holds wherever its block is. */
static void push_only(
	struct di_lanes *lanes, const struct di_variable *variable, const struct di_place *place)
{
	struct di_lane lane = {.kind = DI_LANE_ENTRY};
	if (place->kind == DI_PLACE_EXPR)
		lane.title = title_of(place->expr.unit, place->expr.data, place->expr.size);
	else
		lane.title = xs_strdup("DW_AT_const_value");
	const struct di_block *block = variable->block;
	for (size_t i = 0; i < block->ranges.vec.len; i++)
		xs_vec_push(&lane.ranges, block->ranges.vec.data[i]);
	xs_vec_push(&lanes->vec, lane);
}

void di_lanes_of(struct di_module *module, xs_addr pc, uint64_t die, struct di_lanes *ret)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	size_t count = scopes->activations.len;
	*ret = (struct di_lanes){0};
	if (!count)
		return;
	const struct di_block *root = scopes->activations.data[count - 1].function;
	const struct di_variable *variable = die ? find_in(root, die) : NULL;
	if (!variable) {
		push_around(ret, scopes->activations.data[0].innermost);
		return;
	}
	struct listing listing = {.lanes = ret, .variable = variable};
	struct di_place place;
	Dwarf_Die entry = variable->die;
	ret->found = true;
	push_around(ret, variable->block);
	di_place_of_variable(variable->unit, &entry, pc, &place, push_entry, &listing);
	ret->section = place.section;
	if (!place.section && (place.kind == DI_PLACE_EXPR || place.kind == DI_PLACE_CONSTANT))
		push_only(ret, variable, &place);
}

void di_lanes_deinit(struct di_lanes *lanes)
{
	for (size_t i = 0; i < lanes->vec.len; i++) {
		free(lanes->vec.data[i].title);
		xs_vec_deinit(&lanes->vec.data[i].ranges);
	}
	xs_vec_deinit(&lanes->vec);
}
