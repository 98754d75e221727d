#include "oracle/witness/own/coverage.h"

#include "dwarf/place.h"
#include "dwarf/scope.h"

enum { SELECTED = 1, EVALUATED = 2 };

/* Things that were met, each by what identifies it. */
struct tally {
	struct xs_map instructions, rows, scopes, locations;
	uint64_t selected[256], evaluated[256]; /* locations with that operator */
};

void ora_coverage_stop(struct ora_coverage *coverage, size_t place)
{
	while (coverage->places.len <= place)
		xs_vec_push(&coverage->places, false);
	coverage->places.data[place] = true;
}

void ora_coverage_deinit(struct ora_coverage *coverage)
{
	xs_vec_deinit(&coverage->places);
}

static void note(struct xs_map *map, const void *a, const void *b, bool evaluated)
{
	*xs_map_at(map, (uintptr_t)a, (uintptr_t)b) |=
		(uint64_t)(SELECTED | (evaluated ? EVALUATED : 0));
}

/* The operators of an expression, each once. */
static void note_operators(
	struct tally *tally, const struct di_place *place, bool fresh, bool first_evaluation)
{
	bool met[256] = {false};
	struct di_answer answer = {0};
	struct di_op op;
	const struct di_expr_source *expr = &place->expr;
	for (size_t at = 0; at < expr->size;) {
		if (!di_op_decode(expr->unit, expr->data, expr->size, at, &op, &answer))
			break;
		met[expr->data[at]] = true;
		at = op.next;
	}
	for (unsigned i = 0; i < 256; i++) {
		tally->selected[i] += met[i] && fresh;
		tally->evaluated[i] += met[i] && first_evaluation;
	}
}

static void note_location(
	struct tally *tally, const struct di_variable *variable, xs_addr pc, bool evaluated)
{
	struct di_place place;
	Dwarf_Die die = variable->die;
	di_place_of_variable(variable->unit, &die, pc, &place, NULL, NULL);
	/* What has no location selects none. */
	if (place.kind == DI_PLACE_NONE || place.kind == DI_PLACE_ELSEWHERE)
		return;
	const void *which = place.kind == DI_PLACE_EXPR ? (const void *)place.expr.data : NULL;
	uint64_t *seen = xs_map_at(&tally->locations, (uintptr_t)variable, (uintptr_t)which);
	bool fresh = !*seen, first = evaluated && !(*seen & EVALUATED);
	*seen |= (uint64_t)(SELECTED | (evaluated ? EVALUATED : 0));
	if (place.kind == DI_PLACE_EXPR && (fresh || first))
		note_operators(tally, &place, fresh, first);
}

static void note_place(
	const struct ora_coverage *coverage, struct tally *tally, const struct ora_place *place)
{
	bool kept = place->index < coverage->places.len && coverage->places.data[place->index];
	bool evaluated = kept && coverage->states;
	uint64_t *known = xs_map_at(&tally->instructions, place->index, 0);
	if (*known)
		return;
	*known = (uint64_t)(SELECTED | (kept ? EVALUATED : 0));
	if (place->row)
		note(&tally->rows, place->row, NULL, kept);
	const struct di_scopes *scopes = di_scopes_at(place->module, place->pc);
	for (size_t i = 0; i < scopes->activations.len; i++) {
		const struct di_activation *activation = &scopes->activations.data[i];
		const struct di_block *block = activation->innermost;
		for (; block && block != activation->function; block = block->outer)
			note(&tally->scopes, block, NULL, evaluated);
		note(&tally->scopes, activation->function, NULL, evaluated);
	}
	for (size_t i = 0; i < scopes->locals.len; i++)
		note_location(tally, scopes->locals.data[i].variable, place->pc, evaluated);
	/* Those of file scope are the same at every pc of a unit. */
	const struct di_globals *globals = di_scopes_file(scopes)->globals;
	const uint64_t *unit = xs_map_find(&tally->scopes, (uintptr_t)globals, 1);
	bool told = evaluated && coverage->globals;
	if (unit && (!told || *unit & EVALUATED))
		return;
	note(&tally->scopes, globals, (const void *)1, told);
	for (size_t i = 0; i < globals->list.len; i++)
		note_location(tally, globals->list.data[i], 0, told);
}

/* Counts a map; `file scope` aside, which is no scope of its own. */
static void count(const struct xs_map *map, const char *kind, ora_on_figure *on_figure, void *arg)
{
	uint64_t selected = 0, evaluated = 0;
	for (size_t i = 0; i < map->cap; i++) {
		const struct xs_map_slot *slot = &map->slots[i];
		if (!slot->used || (slot->b == 1 && !strcmp(kind, "scope")))
			continue;
		selected += slot->value & SELECTED;
		evaluated += (slot->value & EVALUATED) != 0;
	}
	on_figure(arg, kind, "", selected, evaluated);
}

void ora_coverage_tell(const struct ora_coverage *coverage, const struct ora_recording *recording,
	ora_on_figure *on_figure, void *arg)
{
	struct tally tally = {0};
	for (size_t i = 0; i < recording->transitions.len; i++)
		note_place(coverage, &tally, recording->transitions.data[i].pc);
	on_figure(arg, "state", "", recording->stops, recording->kept);
	count(&tally.instructions, "instruction", on_figure, arg);
	count(&tally.rows, "row", on_figure, arg);
	count(&tally.scopes, "scope", on_figure, arg);
	count(&tally.locations, "location", on_figure, arg);
	for (unsigned i = 0; i < 256; i++)
		if (tally.selected[i])
			on_figure(arg, "operator", di_op_table[i].name ? di_op_table[i].name : "?",
				tally.selected[i], tally.evaluated[i]);
	xs_map_deinit(&tally.instructions);
	xs_map_deinit(&tally.rows);
	xs_map_deinit(&tally.scopes);
	xs_map_deinit(&tally.locations);
}
