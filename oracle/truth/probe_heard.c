/* probe_heard.c - what debuggers say of variables that are operands of probes. */
#include "oracle/store/scene.h"
#include "oracle/truth/probes.h"

static const char what[] = "answers of debuggers";

/* The variable among those that the debugger sees from the innermost frame; NULL: none, or
 * *several. */
static const struct ora_scene_variable *find_variable(
	const struct ora_scene *scene, const struct ora_probe_said *said, bool *several)
{
	const struct ora_scene_variable *one, *ret = NULL;
	*several = false;
	for (size_t i = 0; (one = ora_scene_variable(scene, i)); i++) {
		if (!one->live || !one->depth || strcmp(one->variable->name, said->variable) != 0 ||
			(one->variable->line && said->decl_line &&
				one->variable->line != said->decl_line))
			continue;
		*several |= ret != NULL;
		ret = one;
	}
	return *several ? NULL : ret;
}

static const struct ora_scene_leaf *find_leaf(
	const struct ora_scene_variable *variable, const struct ora_probe_said *said)
{
	for (size_t i = 0; i < variable->leaves.len; i++)
		if (variable->leaves.data[i].state != ORA_STATE_ABSENT &&
			!strcmp(variable->leaves.data[i].path, said->path))
			return &variable->leaves.data[i];
	/* A state of the whole is that of every part. */
	for (size_t i = 0; i < variable->leaves.len; i++)
		if (variable->leaves.data[i].state == ORA_STATE_OPTIMIZED_OUT &&
			!strcmp(variable->leaves.data[i].path, said->variable))
			return &variable->leaves.data[i];
	return NULL;
}

/* Why a debugger's word cannot be taken for what it says of this; NULL: it can. */
static const char *obstacle(const struct ora_scene *scene, const struct ora_probe_said *said,
	const struct ora_scene_leaf **leaf)
{
	XS_AUTO_FREE char *shown = ora_bare_function(scene->function);
	XS_AUTO_FREE char *meant = ora_bare_function(said->function);
	bool several;
	*leaf = NULL;
	if (said->frame || !shown || !meant || strcmp(shown, meant) != 0)
		return "where it shows another function";
	const struct ora_scene_variable *variable = find_variable(scene, said, &several);
	if (several)
		return "where it shows several variables of that name";
	if (!variable)
		return NULL;
	*leaf = find_leaf(variable, said);
	if (!*leaf)
		return "that do not have this part";
	if ((*leaf)->unstable || (*leaf)->undeclared || (*leaf)->state == ORA_STATE_ERROR ||
		(*leaf)->state == ORA_STATE_CUT)
		return "that are errors, or not the same in two runs";
	return NULL;
}

static void compare(struct ora_check_probes *all, const struct ora_scene *scene, size_t trace,
	const struct ora_probe_said *said)
{
	struct ora_check *check = all->check;
	const struct ora_scene_leaf *leaf;
	const char *why = obstacle(scene, said, &leaf);
	if (why) {
		ora_asked_leave(&check->asked, "P1", what, why, 1);
		return;
	}
	ora_asked_add(&check->asked, "P1", what, 1);
	enum ora_state state = leaf ? leaf->state : ORA_STATE_ABSENT;
	const char *value = state == ORA_STATE_VALUE ? leaf->value : NULL;
	bool lie = state == ORA_STATE_VALUE && value, own_lie = said->state == ORA_STATE_VALUE;
	bool true_value = lie && !strcmp(value, said->truth);
	bool like_own = lie ? own_lie && !strcmp(value, said->value) : !own_lie;
	size_t at = said->violation;
	if (said->right && (true_value || (lie && like_own)))
		return;
	if (!said->right && like_own)
		ora_probe_violate(check, &all->traces, said, trace, own_lie, said->why);
	else if (!true_value)
		at = ora_probe_violate(
			check, &all->traces, said, trace, lie, lie ? "wrong-value" : "lost");
	ora_check_say(check, at, trace, state, value);
}

struct xs_error *ora_probes_hear(struct ora_check_probes *all)
{
	struct ora_check *check = all->check;
	struct xs_map first = {0}; /* number of a stop -> its first in saids, plus 1 */
	struct xs_error *err = NULL;
	for (size_t i = 0; i < all->saids.len; i++) {
		uint64_t *index = xs_map_at(&first, all->saids.data[i].number, 0);
		*index = *index ? *index : i + 1;
	}
	for (size_t w = all->traces.own + 1; !err && w < check->count; w++) {
		struct ora_scene scene = {.store = check->store, .trace = check->traces[w]->id};
		while (!(err = ora_scene_next(&scene)) && scene.told) {
			const uint64_t *index = xs_map_find(&first, scene.told->number, 0);
			for (size_t i = index ? *index - 1 : SIZE_MAX;
				i < all->saids.len &&
				all->saids.data[i].number == scene.told->number;
				i++)
				compare(all, &scene, w, &all->saids.data[i]);
		}
		ora_scene_deinit(&scene);
	}
	xs_map_deinit(&first);
	return err;
}
