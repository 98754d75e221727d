#include "oracle/check/metrics.h"

#include "base/path.h"

/* A variable at a line. */
struct sight {
	char *function, *name;
	uint32_t declared;
	enum ora_state state;
};

struct line {
	char *function; /* innermost */
	uint32_t number;
	uint64_t key; /* in the index */
	XS_VEC(struct sight) sights;
};

struct lines {
	struct xs_map index; /* file and number -> index, plus 1 */
	XS_VEC(struct line) vec;
};

static uint64_t hash_line(const char *file, uint32_t line)
{
	return xs_mix(xs_hash_text(1, xs_base_name(file)) ^ line);
}

static uint64_t hash_sight(const struct sight *sight)
{
	return xs_mix(
		xs_hash_text(xs_hash_text(2, sight->function), sight->name) ^ sight->declared);
}

static void take_stop(struct lines *lines, const struct ora_scene *scene)
{
	uint64_t key = hash_line(scene->file, scene->line);
	uint64_t *index = xs_map_at(&lines->index, key, 0);
	const struct ora_scene_variable *variable;
	if (*index || !scene->line)
		return;
	struct line line = {
		.function = ora_bare_function(scene->function), .number = scene->line, .key = key};
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++) {
		if (!variable->live || !ora_scene_is_listed(variable))
			continue;
		struct sight sight = {.function = ora_bare_function(variable->variable->scope),
			.name = xs_strdup(variable->variable->name),
			.declared = variable->variable->line,
			.state = ora_scene_state(variable)};
		xs_vec_push(&line.sights, sight);
	}
	xs_vec_push(&lines->vec, line);
	*index = lines->vec.len;
}

static struct xs_error *take_trace(struct ora_store *store, uint64_t trace, struct lines *lines)
{
	struct ora_scene scene = {.store = store, .trace = trace};
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told)
		if (!scene.told->place->module)
			take_stop(lines, &scene);
	ora_scene_deinit(&scene);
	return err;
}

static void lines_deinit(struct lines *lines)
{
	for (size_t i = 0; i < lines->vec.len; i++) {
		struct line *line = &lines->vec.data[i];
		for (size_t k = 0; k < line->sights.len; k++) {
			free(line->sights.data[k].function);
			free(line->sights.data[k].name);
		}
		free(line->function);
		xs_vec_deinit(&line->sights);
	}
	xs_vec_deinit(&lines->vec);
	xs_map_deinit(&lines->index);
}

/* --- measuring -------------------------------------------------------------------------------- */

static struct ora_metrics_row *row_of(
	struct ora_metrics *metrics, struct xs_map *index, const char *function)
{
	uint64_t *at = xs_map_at(index, xs_hash_text(3, function), 0);
	if (!*at) {
		struct ora_metrics_row row = {.function = xs_strdup(function ? function : "?")};
		xs_vec_push(&metrics->functions, row);
		*at = metrics->functions.len;
	}
	return &metrics->functions.data[*at - 1];
}

static struct ora_metrics_variable *variable_of(
	struct ora_metrics *metrics, struct xs_map *index, const struct sight *sight, bool *fresh)
{
	uint64_t *at = xs_map_at(index, hash_sight(sight), 1);
	*fresh = !*at;
	if (*fresh) {
		struct ora_metrics_variable variable = {
			.function = xs_strdup(sight->function ? sight->function : "?"),
			.name = xs_strdup(sight->name),
			.declared = sight->declared};
		xs_vec_push(&metrics->variables, variable);
		*at = metrics->variables.len;
	}
	return &metrics->variables.data[*at - 1];
}

static enum ora_state state_in(const struct line *line, const struct sight *wanted)
{
	for (size_t i = 0; i < line->sights.len; i++)
		if (hash_sight(&line->sights.data[i]) == hash_sight(wanted))
			return line->sights.data[i].state;
	return ORA_STATE_ABSENT;
}

static void count_line(struct ora_metrics_row *row, bool common, uint64_t had, uint64_t has)
{
	row->lines++;
	row->common += common;
	if (!common || !had)
		return;
	row->measured++;
	row->available += (double)has / (double)had;
}

struct xs_error *ora_metrics_measure(
	struct ora_store *store, uint64_t unopt, uint64_t opt, struct ora_metrics *ret)
{
	struct lines before = {0}, after = {0};
	struct xs_map index = {0};
	struct xs_error *err;
	if (!(err = take_trace(store, unopt, &before)))
		err = take_trace(store, opt, &after);
	for (size_t i = 0; !err && i < before.vec.len; i++) {
		const struct line *line = &before.vec.data[i];
		const uint64_t *at = xs_map_find(&after.index, line->key, 0);
		const struct line *other = at && *at ? &after.vec.data[*at - 1] : NULL;
		uint64_t had = 0, has = 0;
		for (size_t k = 0; k < line->sights.len; k++) {
			const struct sight *sight = &line->sights.data[k];
			bool fresh;
			if (sight->state != ORA_STATE_VALUE)
				continue;
			struct ora_metrics_variable *variable =
				variable_of(ret, &index, sight, &fresh);
			ret->total.variables += fresh;
			row_of(ret, &index, sight->function)->variables += fresh;
			if (!other)
				continue;
			enum ora_state state = state_in(other, sight);
			had++;
			has += state == ORA_STATE_VALUE;
			variable->range++;
			variable->available += state == ORA_STATE_VALUE;
			if (state != ORA_STATE_VALUE)
				xs_vec_push(&variable->lost,
					((struct ora_metrics_loss){line->number, state}));
		}
		count_line(&ret->total, other, had, has);
		count_line(row_of(ret, &index, line->function), other, had, has);
	}
	xs_map_deinit(&index);
	lines_deinit(&before);
	lines_deinit(&after);
	return err;
}

void ora_metrics_deinit(struct ora_metrics *metrics)
{
	for (size_t i = 0; i < metrics->functions.len; i++)
		free(metrics->functions.data[i].function);
	for (size_t i = 0; i < metrics->variables.len; i++) {
		free(metrics->variables.data[i].function);
		free(metrics->variables.data[i].name);
		xs_vec_deinit(&metrics->variables.data[i].lost);
	}
	xs_vec_deinit(&metrics->functions);
	xs_vec_deinit(&metrics->variables);
}
