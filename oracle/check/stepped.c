#include "oracle/check/stepped.h"

#include "base/path.h"
#include "dwarf/arrival.h"
#include "dwarf/scope.h"

/* --- what a trace has ------------------------------------------------------------------------- */

uint64_t ora_stepped_hash(const char *file, uint32_t line)
{
	return xs_mix(xs_hash_text(1, xs_base_name(file)) ^ line);
}

uint64_t ora_stepped_leaf_hash(
	const struct ora_scene_variable *variable, const struct ora_scene_leaf *leaf)
{
	uint64_t hash = xs_hash_text(xs_hash_text(2, variable->variable->scope), leaf->path);
	return xs_mix(xs_hash_text(hash, variable->variable->name) ^ variable->variable->line);
}

static uint64_t hash_of(const struct ora_stepped_line *line)
{
	return ora_stepped_hash(line->file, line->number);
}

const struct ora_stepped_line *ora_stepped_find(
	const struct ora_stepped *stepped, const struct ora_stepped_line *line)
{
	const uint64_t *index = xs_map_find(&stepped->index, hash_of(line), 0);
	return index && *index ? &stepped->lines.data[*index - 1] : NULL;
}

bool ora_stepped_hits(const struct ora_stepped *stepped, const struct ora_stepped_line *line)
{
	return ora_stepped_find(stepped, line) || xs_map_find(&stepped->ended, hash_of(line), 0);
}

uint64_t ora_stepped_first(const struct xs_map *map, const struct ora_stepped_line *line)
{
	const uint64_t *first = xs_map_find(map, hash_of(line), 0);
	return first ? *first : 0;
}

const struct ora_stepped_shown *ora_stepped_shown(
	const struct ora_stepped *stepped, xs_addr address)
{
	const uint64_t *index = xs_map_find(&stepped->shown_at, address, 0);
	return index && *index ? &stepped->shown.data[*index - 1] : NULL;
}

const struct di_row *ora_stepped_statement(
	const struct di_module *module, xs_addr address, uint64_t shown)
{
	const struct di_row *row = module ? di_lines_find(&module->lines, address) : NULL;
	const struct di_row *begin = module ? module->lines.rows.data : NULL;
	for (; row && row >= begin && row->address == address && !row->end_sequence; row--) {
		const char *file = di_lines_file(&module->lines, row);
		if (row->is_stmt && row->line && file &&
			(!shown || ora_stepped_hash(file, row->line) == shown))
			return row;
	}
	return NULL;
}

bool ora_stepped_is_prologue(struct di_module *module, const struct ora_store_place *place)
{
	if (!place->function || place->offset < 0)
		return false;
	xs_addr entry = place->address - (uint64_t)place->offset;
	xs_addr behind = di_arrival_behind_prologue(module, entry);
	return place->address >= entry && place->address < behind;
}

bool ora_stepped_is_call(struct di_module *module, xs_addr address)
{
	const struct di_scopes *scopes = module ? di_scopes_at(module, address) : NULL;
	for (size_t i = 0; scopes && i + 1 < scopes->activations.len; i++) {
		const struct di_block *call = scopes->activations.data[i].function;
		if (call->entry == address)
			return true;
		for (size_t k = 0; k < call->ranges.vec.len; k++)
			if (call->ranges.vec.data[k].lo == address)
				return true;
	}
	return false;
}

static xs_addr entry_of(const struct ora_store_place *place)
{
	return place->address - (uint64_t)place->offset;
}

bool ora_stepped_is_late(const struct ora_stepped *instruction, const struct ora_store_place *place)
{
	return place->offset >= 0 && xs_map_find(&instruction->late, entry_of(place), 0);
}

bool ora_stepped_is_own(const struct ora_check *check, size_t trace)
{
	return !strcmp(check->verdicts.witnesses[trace], "xstep");
}

/* --- reading it ------------------------------------------------------------------------------- */

static uint32_t column_of(const struct ora_told *told)
{
	return told->frames.len ? told->frames.data[0].column : told->place->column;
}

static struct ora_stepped_line line_of(const struct ora_scene *scene)
{
	const struct ora_told *told = scene->told;
	struct ora_stepped_line line = {.file = xs_strdup(scene->file ? scene->file : "?"),
		.function = scene->function ? xs_strdup(scene->function) : NULL,
		.number = scene->line,
		.column = column_of(told),
		.stop = told->number,
		.place = *told->place,
		.has_prev = told->prev,
		.n = told->n};
	if (told->prev)
		line.prev = *told->prev;
	return line;
}

static size_t take_line(struct ora_stepped *stepped, const struct ora_scene *scene)
{
	uint64_t *index = xs_map_at(&stepped->index, ora_stepped_hash(scene->file, scene->line), 0);
	if (!*index) {
		xs_vec_push(&stepped->lines, line_of(scene));
		*index = stepped->lines.len;
	}
	return *index - 1;
}

static void take_stop(struct ora_stepped *stepped, const struct ora_scene *scene, size_t line)
{
	xs_vec_push(&stepped->stops,
		((struct ora_stepped_stop){.address = scene->told->place->address,
			.number = scene->told->number,
			.n = scene->told->n,
			.line = line,
			.statement = scene->statement_line ? ora_stepped_hash(scene->statement_file,
								     scene->statement_line)
							   : 0}));
}

/* Whether steps that come by a transition to a statement of a line are on another one: rule 2.
 * Behind a return they are on the line of the call. */
static bool is_entered(const struct di_module *module, const struct ora_told *told, uint64_t hash)
{
	const struct ora_store_place *prev = told->prev, *place = told->place;
	if (!prev || prev->module || !prev->function || !place->function)
		return false;
	if (!strcmp(prev->function, place->function))
		return prev->has_row && prev->line &&
		       ora_stepped_hash(prev->file, prev->line) != hash;
	const struct di_row *call =
		place->offset > 0 ? di_lines_find(&module->lines, place->address - 1) : NULL;
	return call && call->line &&
	       ora_stepped_hash(di_lines_file(&module->lines, call), call->line) != hash;
}

static void note_first(
	struct xs_map *stops, struct xs_map *places, uint64_t hash, const struct ora_told *told)
{
	uint64_t *stop = xs_map_at(stops, hash, 0);
	if (*stop)
		return;
	*stop = told->number;
	*xs_map_at(places, hash, 0) = told->place->address;
}

/* Notes where the body of a function begins, and whether that is late: rule 4. */
static void take_body(
	struct ora_stepped *stepped, const struct ora_scene *scene, const struct di_module *module)
{
	const struct ora_store_place *place = scene->told->place;
	const struct di_row *row = di_lines_find(&module->lines, place->address);
	const struct di_row *begin = module->lines.rows.data;
	bool ends = false;
	if (!place->function || place->offset <= 0)
		return;
	for (; row && row >= begin && row->address == place->address; row--)
		ends |= row->prologue_end;
	uint64_t *body = xs_map_at(&stepped->bodies, entry_of(place), 0);
	bool first = ends && !*body;
	*body |= ends;
	if (first && xs_map_find(&stepped->begun_in, entry_of(place), 0)) {
		*xs_map_at(&stepped->late, entry_of(place), 0) = 1;
		xs_vec_push(&stepped->late_lines, line_of(scene));
	}
	if (!ends)
		*xs_map_at(&stepped->begun_in, entry_of(place), 0) = 1;
}

/* Notes the statement that begins at the stop. */
static void take_statement(struct ora_stepped *stepped, const struct ora_scene *scene,
	struct di_module *module, bool own)
{
	const struct ora_store_place *place = scene->told->place;
	const struct di_row *row = ora_stepped_statement(
		module, place->address, own ? 0 : ora_stepped_hash(scene->file, scene->line));
	if (!row)
		return;
	uint64_t hash = ora_stepped_hash(di_lines_file(&module->lines, row), row->line);
	if (ora_stepped_is_prologue(module, place)) {
		*xs_map_at(&stepped->opened, hash, 0) = 1;
		return;
	}
	take_body(stepped, scene, module);
	note_first(&stepped->began, &stepped->begun_at, hash, scene->told);
	if (is_entered(module, scene->told, hash))
		note_first(&stepped->entered, &stepped->entered_at, hash, scene->told);
}

/* Keeps what is shown at the first arrival at a place, values and all. */
static void take_shown(struct ora_stepped *stepped, const struct ora_scene *scene)
{
	const struct ora_told *told = scene->told;
	const struct ora_scene_variable *variable;
	xs_addr address = told->place->address;
	uint64_t *index = xs_map_at(&stepped->shown_at, address, 0);
	if (*index)
		return;
	struct ora_stepped_shown shown = {
		.line = scene->line ? ora_stepped_hash(scene->file, scene->line) : 0,
		.column = column_of(told),
		.function = xs_hash_text(3, scene->function),
		.frames = told->frame_count};
	xs_vec_push(&stepped->shown, shown);
	*index = stepped->shown.len;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		for (size_t k = 0; variable->live && k < variable->leaves.len; k++) {
			const struct ora_scene_leaf *leaf = &variable->leaves.data[k];
			if (leaf->state == ORA_STATE_ABSENT || leaf->unstable)
				continue;
			uint64_t *kept = xs_map_at(
				&stepped->leaves, address, ora_stepped_leaf_hash(variable, leaf));
			if (*kept) {
				stepped->first.data[*kept - 1].twin = true;
				continue;
			}
			xs_vec_push(&stepped->first,
				((struct ora_stepped_leaf){.state = leaf->state,
					.value = leaf->value ? xs_strdup(leaf->value) : NULL}));
			*kept = stepped->first.len;
		}
}

static void on_transition(void *arg, const struct ora_store_place *prev,
	const struct ora_store_place *place, uint64_t count, uint64_t first)
{
	struct ora_stepped *stepped = arg;
	(void)prev, (void)first;
	if (!place->module)
		*xs_map_at(&stepped->places, place->address, 0) += count;
}

struct xs_error *ora_stepped_take(const struct ora_check *check, struct ora_stepped *stepped)
{
	const char *role = check->roles[stepped->trace];
	bool by_line = !strcmp(role, "line"), by_instruction = !strcmp(role, "instruction");
	struct ora_scene scene = ora_check_scene(check, stepped->trace, check->verdicts.module);
	bool own = ora_stepped_is_own(check, stepped->trace);
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		if (scene.told->place->module)
			continue;
		uint64_t *ended = scene.statement_line
					  ? xs_map_at(&stepped->ended,
						    ora_stepped_hash(scene.statement_file,
							    scene.statement_line),
						    0)
					  : NULL;
		if (ended && !*ended)
			*ended = scene.told->number;
		size_t line = scene.line ? take_line(stepped, &scene) : SIZE_MAX;
		if (by_line)
			take_stop(stepped, &scene, line);
		if (by_instruction && scene.line)
			take_statement(stepped, &scene, check->verdicts.module, own);
		if (by_instruction)
			take_shown(stepped, &scene);
	}
	if (!err)
		err = ora_store_transitions(check->store, scene.trace, on_transition, stepped);
	ora_scene_deinit(&scene);
	return err;
}

void ora_stepped_deinit(struct ora_stepped *stepped)
{
	for (size_t i = 0; i < stepped->lines.len; i++) {
		free(stepped->lines.data[i].file);
		free(stepped->lines.data[i].function);
	}
	for (size_t i = 0; i < stepped->late_lines.len; i++) {
		free(stepped->late_lines.data[i].file);
		free(stepped->late_lines.data[i].function);
	}
	for (size_t i = 0; i < stepped->first.len; i++)
		free(stepped->first.data[i].value);
	xs_vec_deinit(&stepped->late_lines);
	xs_vec_deinit(&stepped->lines);
	xs_vec_deinit(&stepped->stops);
	xs_vec_deinit(&stepped->first);
	xs_vec_deinit(&stepped->shown);
	struct xs_map *maps[] = {&stepped->index, &stepped->ended, &stepped->places,
		&stepped->began, &stepped->begun_at, &stepped->entered, &stepped->entered_at,
		&stepped->opened, &stepped->bodies, &stepped->begun_in, &stepped->late,
		&stepped->leaves, &stepped->shown_at};
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		xs_map_deinit(maps[i]);
}

/* --- violations ------------------------------------------------------------------------------- */

size_t ora_stepped_violate(const struct ora_stepped_three *three, const struct ora_stepped *stepped,
	const struct ora_stepped_line *line, const struct ora_check_rule *rule, const char *why,
	enum ora_kind kind, bool *fresh)
{
	struct ora_store_place place = {.address = line->place.address};
	struct ora_store_place prev = {.address = line->prev.address};
	struct ora_told told = {.number = line->stop,
		.n = line->n,
		.place = &place,
		.prev = line->has_prev ? &prev : NULL};
	return ora_check_violate(three->levels->check, stepped->trace,
		&(struct ora_violation){.rule = rule,
			.kind = kind,
			.why = why,
			.told = &told,
			.file = line->file,
			.function = line->function,
			.line = line->number},
		fresh);
}
