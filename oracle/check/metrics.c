#include "oracle/check/metrics.h"

#include <string.h>

#include "base/path.h"

/* A variable at a line. */
struct sight {
	char *function, *name;
	char *file; /* of the declaration; or NULL */
	uint32_t declared;
	enum ora_state state;
};

struct line {
	char *function; /* innermost */
	char *chain;    /* where that is inlined; NULL: nobody asked */
	uint32_t number;
	uint64_t key; /* of file and number */
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

/* Where the innermost function is inlined; to be freed. */
static char *chain_of(const struct ora_told *told)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	xs_assert(out);
	for (size_t i = 0; i + 1 < told->frames.len && told->frames.data[i].inlined; i++) {
		const struct ora_store_frame *caller = &told->frames.data[i + 1];
		fprintf(out, "%s%s:%u", i ? ", " : "",
			caller->file ? xs_base_name(caller->file) : "?", caller->line);
	}
	xs_assert(!fclose(out));
	return text;
}

/* Takes a stop on a line, unless it is not the first one; with a chain, the first one there. */
static void take_stop(struct lines *lines, const struct ora_scene *scene, const char *chain)
{
	uint64_t key = hash_line(scene->file, scene->line);
	const struct ora_scene_variable *variable;
	if (!scene->line)
		return;
	uint64_t *index = xs_map_at(&lines->index, chain ? xs_hash_text(key, chain) : key, 0);
	if (*index)
		return;
	struct line line = {.function = ora_bare_function(scene->function),
		.chain = chain ? xs_strdup(chain) : NULL,
		.number = scene->line,
		.key = key};
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++) {
		if (!variable->live || !ora_scene_is_listed(variable))
			continue;
		const struct ora_store_variable *about = variable->variable;
		struct sight sight = {.function = ora_bare_function(about->scope),
			.name = xs_strdup(about->name),
			.file = about->file ? xs_strdup(about->file) : NULL,
			.declared = about->line,
			.state = ora_scene_state(variable)};
		xs_vec_push(&line.sights, sight);
	}
	xs_vec_push(&lines->vec, line);
	*index = lines->vec.len;
}

/* apart: by instance, too; or NULL. */
static struct xs_error *take_trace(
	struct ora_store *store, uint64_t trace, struct lines *lines, struct lines *apart)
{
	struct ora_scene scene = {.store = store, .trace = trace};
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		if (scene.told->place->module)
			continue;
		XS_AUTO_FREE char *chain = apart ? chain_of(scene.told) : NULL;
		take_stop(lines, &scene, NULL);
		if (apart)
			take_stop(apart, &scene, chain);
	}
	ora_scene_deinit(&scene);
	return err;
}

/* Where statements begin and a breakpoint would be: of instances in which the line that is shown
 * there had no hit of its own. */
static struct xs_error *take_instances(
	const struct ora_metrics_subject *subject, struct lines *lines)
{
	struct ora_scene scene = {
		.store = subject->store, .trace = subject->instances, .module = subject->module};
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told)
		if (!scene.told->place->module && scene.statement_line) {
			XS_AUTO_FREE char *chain = chain_of(scene.told);
			take_stop(lines, &scene, chain);
		}
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
			free(line->sights.data[k].file);
		}
		free(line->function);
		free(line->chain);
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
			.file = sight->file ? xs_strdup(sight->file) : NULL,
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

/* One line of UNOPT against the same line of OPT; NULL: that does not hit it. */
static void measure_line(struct ora_metrics *metrics, struct xs_map *index, const struct line *line,
	const struct line *other)
{
	uint64_t had = 0, has = 0;
	for (size_t k = 0; k < line->sights.len; k++) {
		const struct sight *sight = &line->sights.data[k];
		bool fresh;
		if (sight->state != ORA_STATE_VALUE)
			continue;
		struct ora_metrics_variable *variable = variable_of(metrics, index, sight, &fresh);
		metrics->total.variables += fresh;
		row_of(metrics, index, sight->function)->variables += fresh;
		variable->baseline++;
		if (!other)
			continue;
		enum ora_state state = state_in(other, sight);
		had++;
		has += state == ORA_STATE_VALUE;
		variable->cover.present++;
		variable->cover.covered += state == ORA_STATE_VALUE;
		if (state != ORA_STATE_VALUE)
			xs_vec_push(
				&variable->lost, ((struct ora_metrics_loss){line->number, state}));
	}
	count_line(&metrics->total, other, had, has);
	count_line(row_of(metrics, index, line->function), other, had, has);
}

static struct ora_metrics_cover *cover_in(struct ora_metrics_variable *variable, const char *chain)
{
	for (size_t i = 0; i < variable->instances.len; i++)
		if (!strcmp(variable->instances.data[i].chain, chain))
			return &variable->instances.data[i].cover;
	struct ora_metrics_instance fresh = {.chain = xs_strdup(chain)};
	xs_vec_push(&variable->instances, fresh);
	return &variable->instances.data[variable->instances.len - 1].cover;
}

/* One line of an instance against UNOPT's: whose variables of that function have a value there. */
static void measure_instance(struct ora_metrics *metrics, struct xs_map *index,
	const struct line *line, const struct line *before)
{
	for (size_t k = 0; before && k < before->sights.len; k++) {
		const struct sight *sight = &before->sights.data[k];
		bool fresh;
		if (sight->state != ORA_STATE_VALUE || !sight->function || !line->function ||
			strcmp(sight->function, line->function) != 0)
			continue;
		struct ora_metrics_cover *cover =
			cover_in(variable_of(metrics, index, sight, &fresh), line->chain);
		cover->present++;
		cover->covered += state_in(line, sight) == ORA_STATE_VALUE;
	}
}

static const struct line *line_of(const struct lines *lines, uint64_t key)
{
	const uint64_t *at = xs_map_find(&lines->index, key, 0);
	return at && *at ? &lines->vec.data[*at - 1] : NULL;
}

struct xs_error *ora_metrics_measure(
	const struct ora_metrics_subject *subject, struct ora_metrics *ret)
{
	struct lines before = {0}, after = {0}, apart = {0};
	struct xs_map index = {0};
	struct xs_error *err;
	if (!(err = take_trace(subject->store, subject->unopt, &before, NULL)) &&
		!(err = take_trace(subject->store, subject->opt, &after,
			  subject->instances ? &apart : NULL)) &&
		subject->instances)
		err = take_instances(subject, &apart);
	for (size_t i = 0; !err && i < before.vec.len; i++) {
		const struct line *line = &before.vec.data[i];
		measure_line(ret, &index, line, line_of(&after, line->key));
	}
	for (size_t i = 0; !err && i < apart.vec.len; i++) {
		const struct line *line = &apart.vec.data[i];
		measure_instance(ret, &index, line, line_of(&before, line->key));
	}
	xs_map_deinit(&index);
	lines_deinit(&before);
	lines_deinit(&after);
	lines_deinit(&apart);
	return err;
}

void ora_metrics_deinit(struct ora_metrics *metrics)
{
	for (size_t i = 0; i < metrics->functions.len; i++)
		free(metrics->functions.data[i].function);
	for (size_t i = 0; i < metrics->variables.len; i++) {
		free(metrics->variables.data[i].function);
		struct ora_metrics_variable *variable = &metrics->variables.data[i];
		for (size_t k = 0; k < variable->instances.len; k++)
			free(variable->instances.data[k].chain);
		free(variable->name);
		free(variable->file);
		xs_vec_deinit(&variable->lost);
		xs_vec_deinit(&variable->instances);
	}
	xs_vec_deinit(&metrics->functions);
	xs_vec_deinit(&metrics->variables);
}
