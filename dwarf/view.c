#include "dwarf/view.h"

/* Where everything visible at one pc is: chosen once. */
struct plan {
	XS_VEC(struct di_place) locals; /* of scopes->locals, by index */
};

struct di_plans {
	struct xs_map pcs; /* link-time pc -> index into plans, plus 1 */
	XS_VEC(struct plan *) plans;
	struct xs_map globals;            /* variable -> index into places, plus 1 */
	XS_VEC(struct di_place *) places; /* of globals: the same at every pc */
};

void di_plans_destroy(struct di_plans *plans)
{
	if (!plans)
		return;
	for (size_t i = 0; i < plans->plans.len; i++) {
		xs_vec_deinit(&plans->plans.data[i]->locals);
		free(plans->plans.data[i]);
	}
	for (size_t i = 0; i < plans->places.len; i++)
		free(plans->places.data[i]);
	xs_map_deinit(&plans->pcs);
	xs_map_deinit(&plans->globals);
	xs_vec_deinit(&plans->plans);
	xs_vec_deinit(&plans->places);
	free(plans);
}

static struct di_plans *plans_of(struct di_module *module)
{
	if (!module->plans)
		module->plans = xs_calloc(1, sizeof *module->plans);
	return module->plans;
}

static const struct plan *plan_at(struct di_module *module, const struct di_scopes *scopes)
{
	struct di_plans *plans = plans_of(module);
	const uint64_t *known = xs_map_find(&plans->pcs, scopes->pc, 0);
	if (known)
		return plans->plans.data[*known - 1];
	struct plan *plan = xs_calloc(1, sizeof *plan);
	for (size_t i = 0; i < scopes->locals.len; i++) {
		const struct di_variable *variable = scopes->locals.data[i].variable;
		Dwarf_Die die = variable->die;
		struct di_place place;
		di_place_of_variable(variable->unit, &die, scopes->pc, &place, NULL, NULL);
		xs_vec_push(&plan->locals, place);
	}
	xs_vec_push(&plans->plans, plan);
	*xs_map_at(&plans->pcs, scopes->pc, 0) = plans->plans.len;
	return plan;
}

static const struct di_place *global_place(
	struct di_module *module, const struct di_variable *variable)
{
	struct di_plans *plans = plans_of(module);
	const uint64_t *known = xs_map_find(&plans->globals, (uintptr_t)variable, 0);
	if (known)
		return plans->places.data[*known - 1];
	struct di_place *place = xs_calloc(1, sizeof *place);
	Dwarf_Die die = variable->die;
	di_place_of_variable(variable->unit, &die, 0, place, NULL, NULL);
	xs_vec_push(&plans->places, place);
	*xs_map_at(&plans->globals, (uintptr_t)variable, 0) = plans->places.len;
	return place;
}

/* --- frames
 * ----------------------------------------------------------------------------------------- */

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
	const struct di_function *symbol = di_functions_find(&module->functions, frame->lookup);
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

/* --- variables
 * -------------------------------------------------------------------------------------- */

/* Passes leaves on as facts. */
struct relay {
	struct di_fact fact;
	void (*on_fact)(void *arg, const struct di_fact *fact);
	void *arg;
};

static void relay_leaf(void *arg, const struct di_leaf *leaf)
{
	struct relay *relay = arg;
	relay->fact.leaf = leaf;
	relay->on_fact(relay->arg, &relay->fact);
}

static struct xs_error *tell(struct di_context *context, const struct di_visible *visible,
	const struct di_place *place, uint64_t max_leaves, struct relay *relay)
{
	struct di_location location;
	struct xs_error *err;
	if ((err = di_context_locate(context, place, &location)))
		return err;
	relay->fact.variable = visible->variable;
	relay->fact.shadowed = visible->shadowed;
	relay->fact.declared = visible->declared;
	struct di_leaf_request request = {.host = &context->leaf,
		.path = visible->variable->name,
		.type = visible->variable->type,
		.location = &location,
		.max_leaves = max_leaves,
		.on_leaf = relay_leaf,
		.arg = relay};
	return di_leaves(&request);
}

struct xs_error *di_view_variables(struct di_view *view, unsigned frame, unsigned which,
	uint64_t max_leaves, void (*on_fact)(void *arg, const struct di_fact *fact), void *arg)
{
	const struct di_view_frame *at = &view->frames.data[frame];
	struct relay relay = {.fact = {.frame = frame}, .on_fact = on_fact, .arg = arg};
	struct di_context context;
	struct xs_error *err;
	const struct di_scopes *scopes = at->scopes;
	if (!scopes)
		return NULL;
	di_context_init(&context, view->target, &view->stack, at->physical);
	struct di_module *module = context.mapping->module;
	const struct plan *plan = which & DI_WHICH_LOCALS ? plan_at(module, scopes) : NULL;
	for (size_t i = 0; plan && i < scopes->locals.len; i++) {
		const struct di_visible *visible = &scopes->locals.data[i];
		if (visible->activation == at->index &&
			(err = tell(&context, visible, &plan->locals.data[i], max_leaves, &relay)))
			return err;
	}
	for (size_t i = 0; which & DI_WHICH_GLOBALS && i < scopes->globals->list.len; i++) {
		struct di_visible visible = di_scopes_global(scopes, i);
		if ((err = tell(&context, &visible, global_place(module, visible.variable),
			     max_leaves, &relay)))
			return err;
	}
	return NULL;
}
