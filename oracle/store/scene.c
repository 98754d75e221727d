#include "oracle/store/scene.h"

#include "dwarf/name_text.h"

char *ora_bare_function(const char *name)
{
	return name ? di_name_plain(di_name_in_scope(name)) : NULL;
}

uint64_t ora_variable_hash(const struct ora_store_variable *variable)
{
	XS_AUTO_FREE char *function = ora_bare_function(variable->scope);
	return xs_mix(xs_hash_text(xs_hash_text(2, function), variable->name) ^ variable->line);
}

uint64_t ora_leaf_hash(const struct ora_store_variable *variable, const char *path)
{
	return xs_hash_text(ora_variable_hash(variable), path);
}

/* The variable of a fact, new or known. */
static size_t variable_of(struct ora_scene *scene, const struct ora_told_fact *fact)
{
	uint64_t *index =
		xs_map_at(&scene->variable_index, (uint64_t)(uintptr_t)fact->variable, fact->depth);
	if (*index)
		return *index - 1;
	xs_vec_push(&scene->variables, ((struct ora_scene_variable){.variable = fact->variable,
					       .hash = ora_variable_hash(fact->variable),
					       .depth = fact->depth}));
	*index = scene->variables.len;
	while (scene->depths.len <= fact->depth)
		xs_vec_push(&scene->depths, (struct ora_scene_depth){0});
	xs_vec_push(&scene->depths.data[fact->depth].list, scene->variables.len - 1);
	return scene->variables.len - 1;
}

static void take_fact(struct ora_scene *scene, const struct ora_told_fact *fact)
{
	uint64_t *index = xs_map_at(&scene->leaf_index, fact->leaf, fact->element);
	if (fact->state == ORA_STATE_CUT)
		return;
	if (!*index) {
		size_t number = variable_of(scene, fact);
		struct ora_scene_variable *fresh = &scene->variables.data[number];
		xs_vec_push(&fresh->leaves, ((struct ora_scene_leaf){.path = xs_strdup(fact->path),
						    .hash = xs_hash_text(fresh->hash, fact->path),
						    .type = fact->type,
						    .state = ORA_STATE_ABSENT}));
		*index = ((uint64_t)number << 32 | (fresh->leaves.len - 1)) + 1;
	}
	struct ora_scene_variable *variable = &scene->variables.data[(*index - 1) >> 32];
	struct ora_scene_leaf *leaf = &variable->leaves.data[(uint32_t)(*index - 1)];
	variable->live -= leaf->state != ORA_STATE_ABSENT;
	variable->live += fact->state != ORA_STATE_ABSENT;
	free(leaf->value);
	free(leaf->message);
	leaf->state = fact->state;
	leaf->value = fact->value ? xs_strdup(fact->value) : NULL;
	leaf->message = fact->message ? xs_strdup(fact->message) : NULL;
	leaf->undeclared = fact->undeclared;
	leaf->unstable = fact->unstable;
}

/* The statement that begins at a place; NULL if none does. */
static const struct di_row *statement_at(
	const struct di_module *module, const struct ora_store_place *place)
{
	if (!module || place->module)
		return NULL;
	const struct di_row *first = module->lines.rows.data;
	const struct di_row *row = di_lines_find(&module->lines, place->address);
	for (; row && row >= first && row->address == place->address && !row->end_sequence; row--)
		if (row->is_stmt && row->line)
			return row;
	return NULL;
}

struct xs_error *ora_scene_next(struct ora_scene *scene)
{
	struct xs_error *err = NULL;
	if (!scene->reader && (err = ora_reader_create(scene->store, scene->trace, &scene->reader)))
		return err;
	if ((err = ora_reader_next(scene->reader, &scene->told)) || !scene->told)
		return err;
	const struct ora_told *told = scene->told;
	for (size_t i = 0; i < told->facts.len; i++)
		take_fact(scene, &told->facts.data[i]);
	scene->file = told->place->file;
	scene->line = told->place->has_row ? told->place->line : 0;
	scene->function = told->place->function;
	if (told->frames.len) {
		scene->file = told->frames.data[0].file;
		scene->line = told->frames.data[0].line;
		scene->function = told->frames.data[0].function;
	}
	const struct di_row *row = statement_at(scene->module, told->place);
	scene->statement_file = row ? di_lines_file(&scene->module->lines, row) : NULL;
	scene->statement_line = row ? row->line : 0;
	return NULL;
}

void ora_scene_deinit(struct ora_scene *scene)
{
	for (size_t i = 0; i < scene->variables.len; i++) {
		struct ora_scene_variable *variable = &scene->variables.data[i];
		for (size_t k = 0; k < variable->leaves.len; k++) {
			free(variable->leaves.data[k].path);
			free(variable->leaves.data[k].value);
			free(variable->leaves.data[k].message);
		}
		xs_vec_deinit(&variable->leaves);
	}
	for (size_t i = 0; i < scene->depths.len; i++)
		xs_vec_deinit(&scene->depths.data[i].list);
	xs_vec_deinit(&scene->variables);
	xs_vec_deinit(&scene->depths);
	xs_map_deinit(&scene->leaf_index);
	xs_map_deinit(&scene->variable_index);
	ora_reader_destroy(scene->reader);
}

const struct ora_scene_variable *ora_scene_variable(const struct ora_scene *scene, size_t i)
{
	unsigned depth = scene->told ? scene->told->frame_count : 0;
	if (!depth || depth >= scene->depths.len || i >= scene->depths.data[depth].list.len)
		return NULL;
	return &scene->variables.data[scene->depths.data[depth].list.data[i]];
}

bool ora_scene_is_listed(const struct ora_scene_variable *variable)
{
	for (size_t i = 0; variable->live && i < variable->leaves.len; i++)
		if (variable->leaves.data[i].state != ORA_STATE_ABSENT &&
			!variable->leaves.data[i].undeclared)
			return true;
	return false;
}

enum ora_state ora_scene_state(const struct ora_scene_variable *variable)
{
	enum ora_state ret = ORA_STATE_ABSENT;
	for (size_t i = 0; variable->live && i < variable->leaves.len; i++)
		if (variable->leaves.data[i].state < ret)
			ret = variable->leaves.data[i].state;
	return ret;
}
