#include "dwarf/view.h"

#include "dwarf/recall.h"

/* Where the variables of a list are, by index: chosen once. */
struct plan {
	XS_VEC(const struct di_place *) places;
};

struct di_plans {
	/* Places, each once: one entry of a list is chosen at many pcs. */
	struct xs_map known; /* (variable, kind and entry) -> index into places, plus 1 */
	XS_VEC(struct di_place *) places;
	struct xs_map pcs; /* link-time pc -> index into plans, plus 1 */
	XS_VEC(struct plan *) plans;
	struct xs_map views;           /* di_globals -> index into globals, plus 1 */
	XS_VEC(struct plan *) globals; /* of its list: the same at every pc */
};

static void plan_destroy(struct plan *plan)
{
	xs_vec_deinit(&plan->places);
	free(plan);
}

void di_plans_destroy(struct di_plans *plans)
{
	if (!plans)
		return;
	for (size_t i = 0; i < plans->plans.len; i++)
		plan_destroy(plans->plans.data[i]);
	for (size_t i = 0; i < plans->globals.len; i++)
		plan_destroy(plans->globals.data[i]);
	for (size_t i = 0; i < plans->places.len; i++)
		free(plans->places.data[i]);
	xs_map_deinit(&plans->known);
	xs_vec_deinit(&plans->places);
	xs_map_deinit(&plans->pcs);
	xs_map_deinit(&plans->views);
	xs_vec_deinit(&plans->plans);
	xs_vec_deinit(&plans->globals);
	free(plans);
}

static struct di_plans *plans_of(struct di_module *module)
{
	if (!module->plans)
		module->plans = xs_calloc(1, sizeof *module->plans);
	return module->plans;
}

static void choose(
	struct di_plans *plans, struct plan *plan, const struct di_variable *variable, xs_addr pc)
{
	enum { KIND_BITS = 3 };
	Dwarf_Die die = variable->die;
	struct di_place place;
	di_place_of_variable(variable->unit, &die, pc, &place, NULL, NULL);
	uint64_t *index = xs_map_at(
		&plans->known, (uintptr_t)variable, place.entry << KIND_BITS | place.kind);
	if (!*index) {
		struct di_place *fresh = xs_calloc(1, sizeof *fresh);
		*fresh = place;
		xs_vec_push(&plans->places, fresh);
		*index = plans->places.len;
	}
	xs_vec_push(&plan->places, plans->places.data[*index - 1]);
}

/* Where the locals of scopes are. */
static const struct plan *plan_at(struct di_module *module, const struct di_scopes *scopes)
{
	struct di_plans *plans = plans_of(module);
	uint64_t *index = xs_map_at(&plans->pcs, scopes->pc, 0);
	if (*index)
		return plans->plans.data[*index - 1];
	struct plan *plan = xs_calloc(1, sizeof *plan);
	for (size_t i = 0; i < scopes->locals.len; i++)
		choose(plans, plan, scopes->locals.data[i].variable, scopes->pc);
	xs_vec_push(&plans->plans, plan);
	*index = plans->plans.len;
	return plan;
}

/* Where the globals are. */
static const struct plan *plan_of(struct di_module *module, const struct di_globals *globals)
{
	struct di_plans *plans = plans_of(module);
	uint64_t *index = xs_map_at(&plans->views, (uintptr_t)globals, 0);
	if (*index)
		return plans->globals.data[*index - 1];
	struct plan *plan = xs_calloc(1, sizeof *plan);
	for (size_t i = 0; i < globals->list.len; i++)
		choose(plans, plan, globals->list.data[i], 0);
	xs_vec_push(&plans->globals, plan);
	*index = plans->globals.len;
	return plan;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Adds the activations of one physical frame. */
static void add_frames(struct di_view *view, size_t physical)
{
	const struct di_frame *frame = &view->stack.frames.data[physical];
	struct di_view_frame one = {.physical = physical};
	if (!frame->mapping) {
		xs_vec_push(&view->frames, one);
		return;
	}
	struct di_module *module = frame->mapping->module;
	const struct di_function *symbol = di_functions_find(module->functions, frame->lookup);
	const struct di_row *row = di_lines_find(&module->lines, frame->lookup);
	one.scopes = di_scopes_at(module, frame->lookup);
	if (!one.scopes->activations.len) {
		one.function = symbol ? symbol->name : NULL;
		one.has_row = row;
		one.file = row ? di_lines_file(&module->lines, row) : NULL;
		one.line = row ? row->line : 0;
		one.column = row ? row->column : 0;
		xs_vec_push(&view->frames, one);
		return;
	}
	for (unsigned i = 0; i < one.scopes->activations.len; i++) {
		const struct di_activation *activation = &one.scopes->activations.data[i];
		one.activation = activation;
		one.index = i;
		one.inlined = activation->function->kind == DI_BLOCK_INLINED;
		one.function = activation->function->name;
		one.has_row = i == 0 && row;
		one.file = activation->file;
		one.line = activation->line;
		one.column = activation->column;
		xs_vec_push(&view->frames, one);
	}
}

struct xs_error *di_view_open(struct di_view *view, const struct di_target *target, bool all_frames)
{
	struct xs_error *err;
	view->target = target;
	view->whole = all_frames;
	view->frames.len = 0;
	if ((err = all_frames ? di_stack_walk(target, &view->stack)
			      : di_stack_top(target, &view->stack)))
		return err;
	for (size_t i = 0; i < (all_frames ? view->stack.frames.len : 1); i++)
		add_frames(view, i);
	return NULL;
}

void di_view_deinit(struct di_view *view)
{
	di_stack_deinit(&view->stack);
	xs_vec_deinit(&view->frames);
}

/* --- variables -------------------------------------------------------------------------------- */

struct xs_error *di_view_each(struct di_view *view, unsigned frame, unsigned which,
	struct xs_error *(*on_sight)(void *arg, const struct di_sight *sight), void *arg)
{
	const struct di_view_frame at = view->frames.data[frame];
	const struct di_scopes *scopes = at.scopes;
	struct di_context context;
	struct di_sight sight = {.frame = frame, .global = SIZE_MAX, .context = &context};
	struct xs_error *err = NULL;
	if (!scopes)
		return NULL;
	di_context_init(&context, view->target, &view->stack, at.physical);
	struct di_module *module = context.mapping->module;
	const struct plan *locals = which & DI_WHICH_LOCALS ? plan_at(module, scopes) : NULL;
	const struct di_globals *list =
		which & DI_WHICH_GLOBALS ? di_scopes_file(scopes)->globals : NULL;
	const struct plan *globals = list ? plan_of(module, list) : NULL;
	for (size_t i = 0; locals && i < scopes->locals.len && !err; i++) {
		const struct di_visible *visible = &scopes->locals.data[i];
		if (visible->activation != at.index)
			continue;
		sight.variable = visible->variable;
		sight.shadowed = visible->shadowed;
		sight.declared = visible->declared;
		sight.place = locals->places.data[i];
		err = on_sight(arg, &sight);
	}
	for (size_t i = 0; globals && i < list->list.len && !err; i++) {
		if (view->skip && view->skip[i])
			continue;
		struct di_visible visible = di_scopes_global(scopes, i);
		sight.variable = visible.variable;
		sight.shadowed = visible.shadowed;
		sight.declared = visible.declared;
		sight.place = globals->places.data[i];
		sight.global = i;
		err = on_sight(arg, &sight);
	}
	return err;
}

struct xs_error *di_sight_look(const struct di_sight *sight, uint64_t max_leaves,
	struct di_reads *reads, void (*on_leaf)(void *arg, const struct di_leaf *leaf), void *arg)
{
	struct di_location location;
	struct di_leaf_request request = {.host = &sight->context->leaf,
		.path = sight->variable->name,
		.type = sight->variable->type,
		.location = &location,
		.max_leaves = max_leaves,
		.on_leaf = on_leaf,
		.arg = arg};
	if (reads)
		di_reads_begin(reads, sight->context, sight->place);
	sight->context->reads = reads;
	struct xs_error *err = di_context_locate(sight->context, sight->place, &location);
	if (!err)
		err = di_leaves(&request);
	sight->context->reads = NULL;
	return err;
}

bool di_sight_is_known(const struct di_sight *sight, struct di_reads *reads)
{
	return di_reads_hold(reads, sight->context, sight->place);
}

/* Passes leaves on as facts. */
struct relay {
	struct di_fact fact;
	uint64_t max_leaves;
	void (*on_fact)(void *arg, const struct di_fact *fact);
	void *arg;
};

static void relay_leaf(void *arg, const struct di_leaf *leaf)
{
	struct relay *relay = arg;
	relay->fact.leaf = leaf;
	relay->on_fact(relay->arg, &relay->fact);
}

static struct xs_error *relay_sight(void *arg, const struct di_sight *sight)
{
	struct relay *relay = arg;
	relay->fact.variable = sight->variable;
	relay->fact.shadowed = sight->shadowed;
	relay->fact.declared = sight->declared;
	return di_sight_look(sight, relay->max_leaves, NULL, relay_leaf, relay);
}

struct xs_error *di_view_variables(struct di_view *view, unsigned frame, unsigned which,
	uint64_t max_leaves, void (*on_fact)(void *arg, const struct di_fact *fact), void *arg)
{
	struct relay relay = {
		.fact = {.frame = frame}, .max_leaves = max_leaves, .on_fact = on_fact, .arg = arg};
	return di_view_each(view, frame, which, relay_sight, &relay);
}
