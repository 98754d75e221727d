#include "oracle/check/avail.h"

#include "base/path.h"

enum { LEAVES = 256 }; /* of an aggregate that are looked at one by one */

/* Whether the line that is shown is that of a statement, and what comes last at the pc. */
static bool is_clear(const struct di_module *module, const struct ora_scene *scene)
{
	xs_addr pc = scene->told->place->address;
	const struct di_row *row = module ? di_lines_find(&module->lines, pc) : NULL;
	const struct di_row *begin = module ? module->lines.rows.data : NULL;
	if (!row || row->address != pc || row->line != scene->line)
		return false;
	for (; row >= begin && row->address == pc && !row->end_sequence; row--)
		if (row->is_stmt && row->line == scene->line)
			return true;
	return false;
}

/* Inlined calls share the pc of their caller: of them, the line of the call counts. */
static uint64_t hash_around(const struct ora_told *told)
{
	uint64_t hash = told->frame_count;
	for (size_t i = 1; i < told->frames.len; i++) {
		const struct ora_store_frame *frame = &told->frames.data[i];
		bool shared = told->frames.data[i - 1].inlined;
		hash = xs_mix(xs_hash_text(hash, frame->function) ^
			      (shared ? frame->line : frame->address));
	}
	return hash;
}

static void take_sight(struct ora_hit *hit, const struct ora_scene_variable *variable,
	enum ora_state state, const struct ora_scene_leaf *leaf, bool part)
{
	const struct ora_store_variable *identity = variable->variable;
	struct ora_sight sight = {.name = xs_strdup(identity->name),
		.scope = xs_strdup(identity->scope ? identity->scope : ""),
		.path = part ? xs_strdup(leaf->path) : NULL,
		.declared = identity->line,
		.state = state,
		.message = leaf->message ? xs_strdup(leaf->message) : NULL};
	xs_vec_push(&hit->sights, sight);
}

static void take_variable(struct ora_hit *hit, const struct ora_scene_variable *variable)
{
	enum ora_state state = ora_scene_state(variable);
	size_t k = 0;
	while (variable->leaves.data[k].state != state)
		k++;
	take_sight(hit, variable, state, &variable->leaves.data[k], false);
	for (size_t i = 0; variable->leaves.len > 1 && i < variable->leaves.len && i < LEAVES; i++)
		take_sight(hit, variable, variable->leaves.data[i].state, &variable->leaves.data[i],
			true);
}

static void take_hit(struct ora_hits *hits, const struct ora_scene *scene, unsigned source)
{
	const struct ora_told *told = scene->told;
	const struct ora_scene_variable *variable;
	uint64_t *index = xs_map_at(&hits->index, scene->line, source);
	if (*index)
		return;
	struct ora_hit hit = {.source = source,
		.line = scene->line,
		.file = xs_strdup(scene->file),
		.function = ora_bare_function(scene->function),
		.place = {.address = told->place->address},
		.has_prev = told->prev,
		.number = told->number,
		.n = told->n,
		.around = hash_around(told)};
	if (told->prev)
		hit.prev.address = told->prev->address;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		if (variable->live)
			take_variable(&hit, variable);
	xs_vec_push(&hits->vec, hit);
	*index = hits->vec.len;
}

/* Which of the source's names a file goes by; false if it is another file. */
static bool find_source(const struct src_facts *facts, const char *file, unsigned *ret)
{
	for (size_t i = 0; i < facts->files.len; i++)
		if (!strcmp(xs_base_name(facts->files.data[i]), xs_base_name(file))) {
			*ret = (unsigned)i;
			return true;
		}
	return false;
}

struct xs_error *ora_hits_read(
	struct ora_check *check, size_t trace, const struct src_facts *facts, struct ora_hits *ret)
{
	struct ora_scene scene = {.store = check->store, .trace = check->traces[trace]->id};
	struct xs_error *err;
	unsigned source;
	*ret = (struct ora_hits){0};
	while (!(err = ora_scene_next(&scene)) && scene.told)
		if (scene.file && !scene.told->place->module &&
			find_source(facts, scene.file, &source)) {
			ret->stops++;
			if (is_clear(check->verdicts.module, &scene))
				take_hit(ret, &scene, source);
		}
	ora_scene_deinit(&scene);
	return err;
}

void ora_hits_deinit(struct ora_hits *hits)
{
	for (size_t i = 0; i < hits->vec.len; i++) {
		struct ora_hit *hit = &hits->vec.data[i];
		for (size_t k = 0; k < hit->sights.len; k++) {
			free(hit->sights.data[k].name);
			free(hit->sights.data[k].scope);
			free(hit->sights.data[k].path);
			free(hit->sights.data[k].message);
		}
		xs_vec_deinit(&hit->sights);
		free(hit->file);
		free(hit->function);
	}
	xs_vec_deinit(&hits->vec);
	xs_map_deinit(&hits->index);
}

const struct ora_hit *ora_hits_find(const struct ora_hits *hits, const struct src_facts *facts,
	unsigned source, unsigned line, size_t function)
{
	const uint64_t *index = xs_map_find(&hits->index, line, source);
	const struct ora_hit *hit = index && *index ? &hits->vec.data[*index - 1] : NULL;
	const char *name = facts->functions.data[function].name;
	return hit && hit->function && !strcmp(hit->function, name) ? hit : NULL;
}

static const struct ora_sight *find_sight(
	const struct ora_hit *hit, const struct src_variable *variable, const char *path)
{
	for (size_t i = 0; i < hit->sights.len; i++) {
		const struct ora_sight *one = &hit->sights.data[i];
		bool same = path ? one->path && !strcmp(one->path, path) : !one->path;
		if (one->declared == variable->line && same && !strcmp(one->name, variable->name))
			return one;
	}
	return NULL;
}

const struct ora_sight *ora_hit_sight(
	const struct ora_hit *hit, const struct src_variable *variable)
{
	const struct ora_sight *part =
		variable->path ? find_sight(hit, variable, variable->path) : NULL;
	return part ? part : find_sight(hit, variable, NULL);
}

unsigned ora_hit_rank(const struct ora_hit *hit, const struct src_variable *variable)
{
	const struct ora_sight *sight = ora_hit_sight(hit, variable);
	return !sight || sight->state == ORA_STATE_ABSENT ? 0
	       : sight->state == ORA_STATE_VALUE          ? 2
							  : 1;
}
