#include "oracle/truth/check_twins.h"

#include "base/path.h"
#include "engine/interrupt.h"
#include "oracle/truth/twin_tell.h"

/* --- calls and stretches ---------------------------------------------------------------------- */

/* The call that is active, by its frame and function (twin_track.h, rules 1 and 2). */
static const struct ora_twin_call *find_call(
	struct ora_check_twins *twins, const struct ora_stop *stop)
{
	const struct di_view *view = &twins->side.view;
	const struct di_frame *frame = &view->stack.frames.data[0];
	const struct di_view_frame *outer = &view->frames.data[view->frames.len - 1];
	const void *function = outer->activation ? outer->activation->function : NULL;
	uint64_t skipped = stop->number - twins->kept;
	xs_addr pc = stop->place->pc;
	uint64_t *index = xs_map_at(
		&twins->call_index, frame->cfa_known ? frame->cfa : 0, (uintptr_t)function);
	if (!*index) {
		xs_vec_push(&twins->active, ((struct ora_twin_call){0}));
		*index = twins->active.len;
	}
	struct ora_twin_call *call = &twins->active.data[*index - 1];
	if (!call->number || call->skipped != skipped || !stop->place->offset ||
		!frame->cfa_known) {
		call->number = call->stretch = ++twins->calls;
		call->whole = !stop->place->offset;
	} else if (pc <= call->last) {
		call->stretch = ++twins->calls;
	}
	call->skipped = skipped;
	call->last = pc;
	return call;
}

/* --- one variable ----------------------------------------------------------------------------- */

static struct ora_twin_pair_state *state_of(struct ora_twin *twin, const struct ora_twin_pair *pair)
{
	uint64_t *index = xs_map_at(&twin->states, (uintptr_t)pair->first, (uintptr_t)pair->second);
	if (!*index) {
		struct ora_twin_pair_state *state = xs_calloc(1, sizeof *state);
		state->pair = *pair;
		xs_vec_push(&twin->pairs, state);
		*index = twin->pairs.len;
	}
	return twin->pairs.data[*index - 1];
}

static struct ora_twin_track *track_of(
	struct ora_twin_pair_state *state, const struct ora_twin_leaf *leaf)
{
	uint64_t *index = xs_map_at(&state->paths, leaf->path_hash, 0);
	if (!*index) {
		const struct di_block *block = state->pair.first->block;
		xs_vec_push(&state->tracks,
			((struct ora_twin_track){
				.inner = block && block->kind != DI_BLOCK_FUNCTION}));
		xs_vec_push(&state->names, xs_strdup(leaf->path));
		*index = state->tracks.len;
	}
	return &state->tracks.data[*index - 1];
}

static struct ora_twin_said said_of(const struct ora_twin_leaf *leaf)
{
	if (!leaf)
		return (struct ora_twin_said){.state = ORA_STATE_ABSENT};
	return (struct ora_twin_said){
		.state = leaf->state, .value = leaf->value, .hash = leaf->hash, .why = leaf->why};
}

/* A pointer that is told without an address, against one with: nobody can say if they differ. */
static bool is_incomparable(const struct ora_twin_said said[2])
{
	bool implicit[2];
	for (int i = 0; i < 2; i++)
		implicit[i] = said[i].value && !strcmp(said[i].value, "implicit");
	return said[0].value && said[1].value && implicit[0] != implicit[1];
}

/* What is said of one leaf, by both. */
static void compare_leaf(struct ora_check_twins *twins, struct ora_twin *twin,
	struct ora_twin_pair_state *state, const struct ora_twin_leaf *leaf,
	const struct ora_twin_said said[2], const struct ora_stop *stop)
{
	struct ora_twin_case ended;
	bool both = said[0].value && said[1].value;
	if (twin->identical) {
		state->both++;
		if (said[0].state != said[1].state || said[0].hash != said[1].hash ||
			said[0].why != said[1].why)
			ora_twin_tell_leaf(twins, twin, &state->pair, leaf->path, stop, said);
		return;
	}
	if (leaf->declared == DI_DECLARED_LATER || is_incomparable(said)) {
		state->apart += said[0].value || said[1].value;
		return;
	}
	state->both += both;
	state->one += !both && (said[0].value || said[1].value);
	struct ora_twin_stop at = {.number = stop->number,
		.n = stop->n,
		.prev = stop->prev,
		.place = stop->place,
		.call = state->call,
		.stretch = state->stretch,
		.whole = state->whole,
		.seen = state->seen,
		.places = {state->pair.places[0], state->pair.places[1]}};
	struct ora_twin_track *track = track_of(state, leaf);
	if (ora_twin_track_hear(track, &at, said, &ended)) {
		ora_twin_tell_case(twins, twin, &state->pair, leaf->path, &ended);
		ora_twin_case_deinit(&ended);
	}
}

/* All leaves of a variable. */
static void compare_leaves(struct ora_check_twins *twins, struct ora_twin *twin,
	struct ora_twin_pair_state *state, const struct ora_stop *stop)
{
	const struct ora_twin_seen *seen[2] = {ora_twin_seen_of(&twins->side, state->pair.first),
		ora_twin_seen_of(&twin->side, state->pair.second)};
	state->both = state->one = state->apart = 0;
	for (int side = 0; seen[0] && seen[1] && side < 2; side++)
		for (size_t i = 0; i < seen[side]->leaves.len; i++) {
			const struct ora_twin_leaf *leaf = &seen[side]->leaves.data[i];
			if (leaf->state == ORA_STATE_ABSENT)
				continue;
			const struct ora_twin_leaf *its =
				ora_twin_leaf_at(seen[!side], leaf->path, leaf->path_hash);
			/* Those of both have been compared already. A state of the whole is
			 * compared by the other one's leaves. */
			if (side && its && !strcmp(its->path, leaf->path))
				continue;
			if (!its && !twin->identical && leaf->state != ORA_STATE_VALUE)
				continue;
			struct ora_twin_said said[2];
			said[side] = said_of(leaf);
			said[!side] = said_of(its);
			compare_leaf(twins, twin, state, leaf, said, stop);
		}
}

/* --- a stop ----------------------------------------------------------------------------------- */

static void count_looked(
	struct ora_check_twins *twins, const struct ora_twin *twin, uint64_t both, uint64_t one)
{
	if (twin->identical)
		twins->compared += both;
	twins->both += twin->identical ? 0 : both;
	twins->one += twin->identical ? 0 : one;
}

static void compare_locals(struct ora_check_twins *twins, struct ora_twin *twin,
	const struct ora_stop *stop, const struct ora_twin_call *call)
{
	static const char *const reasons[ORA_TWIN_SINGLES] = {
		[ORA_TWIN_INLINED] = "of inlined calls that are described in different ways",
		[ORA_TWIN_UNLISTED] = "of variables that one does not list there",
		[ORA_TWIN_AMBIGUOUS] = "of variables with a namesake on their line",
	};
	const struct ora_twin_match *match = ora_twin_match_at(&twin->matches, stop->place->pc);
	const char *rule = twin->identical ? ORA_T3 : ORA_T2;
	uint64_t both = 0, one = 0, apart = 0;
	for (size_t i = 0; i < match->pairs.len; i++) {
		struct ora_twin_pair_state *state = state_of(twin, &match->pairs.data[i]);
		const struct ora_twin_seen *first =
			ora_twin_seen_of(&twins->side, state->pair.first);
		const struct ora_twin_seen *second =
			ora_twin_seen_of(&twin->side, state->pair.second);
		const uint64_t *places = match->pairs.data[i].places;
		if (state->call != call->number || state->stretch != call->stretch ||
			memcmp(places, state->pair.places, sizeof state->pair.places) != 0 ||
			(first && first->changed == twins->side.looks) ||
			(second && second->changed == twin->side.looks)) {
			state->call = call->number;
			state->stretch = call->stretch;
			state->whole = call->whole;
			memcpy(state->pair.places, places, sizeof state->pair.places);
			compare_leaves(twins, twin, state, stop);
		}
		state->seen++;
		both += state->both;
		one += state->one;
		apart += state->apart;
	}
	struct ora_asked *asked = &twins->check->asked;
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < ORA_TWIN_SINGLES; i++)
			if (match->singles[side][i])
				ora_asked_leave(asked, rule, ORA_TWIN_LEAVES, reasons[i],
					match->singles[side][i]);
	count_looked(twins, twin, both, one);
	if (apart)
		ora_asked_leave(asked, ORA_T1, ORA_TWIN_LEAVES,
			"before their declaration, or pointers without an address", apart);
}

/* Which global is which. */
static void match_globals(struct ora_check_twins *twins, struct ora_twin *twin)
{
	const struct di_scopes *first = twins->side.view.frames.data[0].scopes;
	const struct di_scopes *second = twin->side.view.frames.data[0].scopes;
	if (twin->globals || !first || !second)
		return;
	twin->globals = ora_twin_match_globals(
		di_scopes_file(first)->globals, di_scopes_file(second)->globals);
	for (size_t i = 0; i < twin->globals->pairs.len; i++) {
		const struct ora_twin_pair *pair = &twin->globals->pairs.data[i];
		state_of(twin, pair);
		uint64_t index =
			*xs_map_at(&twin->states, (uintptr_t)pair->first, (uintptr_t)pair->second);
		*xs_map_at(&twin->global_states[0], (uintptr_t)pair->first, 0) = index;
		*xs_map_at(&twin->global_states[1], (uintptr_t)pair->second, 0) = index;
	}
}

static void compare_globals(
	struct ora_check_twins *twins, struct ora_twin *twin, const struct ora_stop *stop)
{
	const struct ora_twin_side *sides[2] = {&twins->side, &twin->side};
	uint64_t skipped = stop->number - twins->kept + 1;
	match_globals(twins, twin);
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side]->globals_changed.len; i++) {
			const uint64_t *index = xs_map_find(&twin->global_states[side],
				(uintptr_t)sides[side]->globals_changed.data[i]->variable, 0);
			if (!index || !*index)
				continue;
			struct ora_twin_pair_state *state = twin->pairs.data[*index - 1];
			/* Changed in both: it was compared already. */
			if (state->call == skipped && state->seen == twins->stops && side)
				continue;
			state->call = state->stretch = skipped;
			state->seen = twins->stops;
			twin->globals_both -= state->both;
			twin->globals_one -= state->one;
			compare_leaves(twins, twin, state, stop);
			twin->globals_both += state->both;
			twin->globals_one += state->one;
		}
	count_looked(twins, twin, twin->globals_both, twin->globals_one);
}

/* T3: the row, the function and the inlined calls of a pc, once each. */
static void compare_place(
	struct ora_check_twins *twins, struct ora_twin *twin, const struct ora_stop *stop)
{
	xs_addr pc = stop->place->pc;
	const struct di_row *rows[2] = {stop->place->row, di_lines_find(&twin->module->lines, pc)};
	char *texts[2];
	if ((*xs_map_at(&twin->checked, pc, 0))++)
		return;
	twins->places++;
	const struct di_module *modules[2] = {twins->side.module, twin->module};
	for (int i = 0; i < 2; i++)
		texts[i] =
			rows[i] ? xs_asprintf("%s:%u:%u%s",
					  xs_base_name(di_lines_file(&modules[i]->lines, rows[i])),
					  rows[i]->line, rows[i]->column,
					  rows[i]->is_stmt ? " is_stmt" : "")
				: xs_strdup("no row");
	if (strcmp(texts[0], texts[1]) != 0)
		ora_twin_tell_place(twins, twin, stop, "line", texts[0], texts[1]);
	free(texts[0]);
	free(texts[1]);
	const struct ora_twin_match *match = ora_twin_match_at(&twin->matches, pc);
	if (match->differs)
		ora_twin_tell_place(twins, twin, stop, "inlined", match->differs, "otherwise");
	for (int side = 0; side < 2; side++)
		if (match->singles[side][ORA_TWIN_UNLISTED])
			ora_twin_tell_place(twins, twin, stop, "unlisted",
				side ? "a variable less" : "a variable more",
				side ? "a variable more" : "a variable less");
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct ora_check_twins *twins = context;
	twins->kept++;
	if (!stop->place->main)
		return true;
	twins->err = ora_twin_look(&twins->side, stop->target);
	for (size_t i = 0; !twins->err && i < twins->count; i++)
		twins->err = ora_twin_look(&twins->twins[i].side, stop->target);
	/* An interruption kills the process: what was read is not so. */
	if (eng_interrupt_signal()) {
		xs_error_destroy(xs_take(&twins->err));
		return false;
	}
	if (twins->err)
		return false;
	twins->stops++;
	const struct ora_twin_call *call = find_call(twins, stop);
	for (size_t i = 0; i < twins->count; i++) {
		struct ora_twin *twin = &twins->twins[i];
		if (twin->identical)
			compare_place(twins, twin, stop);
		compare_locals(twins, twin, stop, call);
		if (twins->which & DI_WHICH_GLOBALS)
			compare_globals(twins, twin, stop);
	}
	return true;
}

static void on_progress(void *context, uint64_t executed)
{
	const struct ora_check_twins *twins = context;
	twins->on_progress(twins->context, executed, twins->kept);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Cases that are still open when the program ends. */
static void end_cases(struct ora_check_twins *twins, struct ora_twin *twin)
{
	struct ora_twin_case ended;
	for (size_t i = 0; i < twin->pairs.len; i++) {
		struct ora_twin_pair_state *state = twin->pairs.data[i];
		for (size_t k = 0; k < state->tracks.len; k++) {
			uint64_t seen = state->pair.first->block ? state->seen : twins->stops;
			if (!ora_twin_track_end(&state->tracks.data[k], seen, &ended))
				continue;
			ora_twin_tell_case(twins, twin, &state->pair, state->names.data[k], &ended);
			ora_twin_case_deinit(&ended);
		}
	}
}

/* What was looked at counts as asked, unless it was left after all (asked.h, rule 1). */
static void count_asked(struct ora_check_twins *twins)
{
	struct ora_asked *asked = &twins->check->asked;
	bool tools = false, builds = false;
	for (size_t i = 0; i < twins->count; i++) {
		tools |= twins->twins[i].identical;
		builds |= !twins->twins[i].identical;
	}
	if (builds) {
		ora_asked_add(asked, ORA_T1, ORA_TWIN_LEAVES, twins->both - twins->left_both);
		ora_asked_add(
			asked, ORA_T2, ORA_TWIN_LEAVES, twins->both + twins->one - twins->left_one);
	}
	if (tools) {
		ora_asked_add(asked, ORA_T3, ORA_TWIN_LEAVES, twins->compared);
		ora_asked_add(asked, ORA_T3, ORA_TWIN_PLACES, twins->places);
	}
}

struct xs_error *ora_check_twins(struct ora_check_twins *twins)
{
	struct ora_recording *recording = twins->recording;
	struct di_module *program = recording->run.subject->modules.data[0].info;
	struct xs_error *err;
	twins->side.module = program;
	twins->side.which = twins->which;
	twins->side.max_leaves = twins->max_leaves;
	for (size_t i = 0; i < twins->count; i++) {
		struct ora_twin *twin = &twins->twins[i];
		twin->side = (struct ora_twin_side){.module = twin->module,
			.program = program,
			.which = twins->which,
			.max_leaves = twins->max_leaves};
		twin->matches = (struct ora_twin_matches){.first = program, .second = twin->module};
	}
	/* In the order of the rules. */
	for (int tools = 0; tools < 2; tools++)
		for (size_t i = 0; i < twins->count; i++)
			for (int second = 0; second < (tools ? 1 : 2); second++)
				if (twins->twins[i].identical == tools)
					ora_asked_add(&twins->check->asked,
						tools    ? ORA_T3
						: second ? ORA_T2
							 : ORA_T1,
						ORA_TWIN_LEAVES, 0);
	recording->live = true;
	recording->on_stop = on_stop;
	recording->on_progress = twins->on_progress ? on_progress : NULL;
	recording->context = twins;
	err = ora_record(recording);
	if (twins->err) {
		xs_error_destroy(err);
		err = xs_take(&twins->err);
	}
	for (size_t i = 0; !err && i < twins->count; i++)
		end_cases(twins, &twins->twins[i]);
	count_asked(twins);
	return err;
}

static void twin_deinit(struct ora_twin *twin)
{
	for (size_t i = 0; i < twin->pairs.len; i++) {
		struct ora_twin_pair_state *state = twin->pairs.data[i];
		for (size_t k = 0; k < state->tracks.len; k++) {
			ora_twin_track_deinit(&state->tracks.data[k]);
			free(state->names.data[k]);
		}
		xs_vec_deinit(&state->tracks);
		xs_vec_deinit(&state->names);
		xs_map_deinit(&state->paths);
		free(state);
	}
	xs_vec_deinit(&twin->pairs);
	xs_map_deinit(&twin->states);
	xs_map_deinit(&twin->global_states[0]);
	xs_map_deinit(&twin->global_states[1]);
	xs_map_deinit(&twin->checked);
	ora_twin_match_destroy(twin->globals);
	ora_twin_matches_deinit(&twin->matches);
	ora_twin_side_deinit(&twin->side);
}

void ora_check_twins_deinit(struct ora_check_twins *twins)
{
	for (size_t i = 0; i < twins->count; i++)
		twin_deinit(&twins->twins[i]);
	for (size_t i = 0; i < twins->features.len; i++)
		free(twins->features.data[i]);
	xs_vec_deinit(&twins->features);
	xs_map_deinit(&twins->feature_index);
	ora_teller_deinit(&twins->teller);
	ora_twin_side_deinit(&twins->side);
	xs_map_deinit(&twins->call_index);
	xs_vec_deinit(&twins->active);
	xs_error_destroy(twins->err);
}
