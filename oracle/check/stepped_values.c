/* stepped_values.c - R3: values are the same at a place, however it was stepped to.
 *
 * By pc (value): at the first line step on a line, the leaves of the innermost frame are what they
 * are when instruction steps first arrive at that pc. Where both begin it is value-at-start:
 * debuggers may get there in different ways (oracle/witness/own/start.h).
 *
 * By line (value-by-line): they are what they are when instruction steps first arrive at that line,
 * though line steps stop at another pc of it. Only if instruction steps arrive where a statement of
 * the line is entered (stepped.h): line steps should have stopped there, and showed the line's
 * values later. Else it is the line table that has the line begin elsewhere, and values change on
 * the way. */
#include "base/path.h"
#include "oracle/check/stepped.h"

static const struct ora_check_rule r3 = {
	"R3", "values are the same at a place, however it was stepped to"};

/* Two arrivals whose values are compared. */
struct meeting {
	struct ora_stepped_three *three;
	const struct ora_scene *scene; /* the line step */
	xs_addr address;               /* where instruction steps arrive */
	bool by_line;
	bool at_start;    /* where both begin, however they got there */
	const char *what; /* is counted */
};

static void note_value(const struct meeting *meeting, const struct ora_scene_variable *variable,
	const struct ora_scene_leaf *leaf, const struct ora_stepped_leaf *other)
{
	struct ora_stepped_three *three = meeting->three;
	struct ora_check *check = three->levels->check;
	const struct ora_scene *scene = meeting->scene;
	bool fresh;
	size_t number = ora_check_violate(check, three->line.trace,
		&(struct ora_violation){.rule = &r3,
			.kind = ORA_KIND_LIE,
			.why = meeting->by_line    ? "value-by-line"
			       : meeting->at_start ? "value-at-start"
						   : "value",
			.key = meeting->by_line ? "by line" : NULL,
			.told = scene->told,
			.file = scene->file,
			.function = scene->function,
			.line = scene->line,
			.variable = variable->variable,
			.path = leaf->path,
			.type = leaf->type},
		&fresh);
	ora_check_say(check, number, three->line.trace, leaf->state, leaf->value);
	ora_check_say(check, number, three->instruction.trace, other->state, other->value);
	if (!fresh)
		return;
	struct ora_store_place place = {.address = meeting->address};
	ora_check_explain(check, number,
		meeting->by_line
			? xs_asprintf(
				  "where line steps first stop on line %u, %s is not what it "
				  "is where a statement of that line first begins, at 0x%" PRIx64,
				  scene->line, leaf->path, meeting->address)
			: xs_asprintf("where line steps first stop on line %u, %s is not what it "
				      "is when 0x%" PRIx64 " is first executed",
				  scene->line, leaf->path, meeting->address),
		meeting->by_line ? ora_check_row(check, &place) : NULL);
}

static bool is_same(const struct ora_scene_leaf *leaf, const struct ora_stepped_leaf *other)
{
	return leaf->state == other->state &&
	       (leaf->state != ORA_STATE_VALUE || !strcmp(leaf->value, other->value));
}

/* Why a leaf is not compared; NULL: it is. */
static const char *excuse(
	const struct ora_scene_leaf *leaf, const struct ora_stepped_leaf *other, uint64_t alike)
{
	return leaf->unstable             ? "unstable"
	       : !other                   ? "that instruction steps do not have there"
	       : other->twin || alike > 1 ? "of variables that look the same"
					  : NULL;
}

/* How many leaves of each kind a scene has: those of inlined copies may look the same. */
static void count_alike(const struct ora_scene *scene, struct xs_map *ret)
{
	const struct ora_scene_variable *variable;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		for (size_t k = 0; variable->live && k < variable->leaves.len; k++)
			if (variable->leaves.data[k].state != ORA_STATE_ABSENT)
				++*xs_map_at(ret,
					ora_stepped_leaf_hash(variable, &variable->leaves.data[k]),
					0);
}

static void compare(const struct meeting *meeting)
{
	const struct ora_stepped *instruction = &meeting->three->instruction;
	struct ora_asked *asked = &meeting->three->levels->check->asked;
	const struct ora_scene_variable *variable;
	struct xs_map alike = {0};
	count_alike(meeting->scene, &alike);
	for (size_t i = 0; (variable = ora_scene_variable(meeting->scene, i)); i++)
		for (size_t k = 0; variable->live && k < variable->leaves.len; k++) {
			const struct ora_scene_leaf *leaf = &variable->leaves.data[k];
			if (leaf->state == ORA_STATE_ABSENT)
				continue;
			uint64_t hash = ora_stepped_leaf_hash(variable, leaf);
			const uint64_t *index =
				xs_map_find(&instruction->leaves, meeting->address, hash);
			const struct ora_stepped_leaf *other =
				index ? &instruction->first.data[*index - 1] : NULL;
			const char *why_not = excuse(leaf, other, *xs_map_at(&alike, hash, 0));
			if (why_not) {
				ora_asked_leave(asked, "R3", meeting->what, why_not, 1);
				continue;
			}
			ora_asked_add(asked, "R3", meeting->what, 1);
			if (!is_same(leaf, other))
				note_value(meeting, variable, leaf, other);
		}
	xs_map_deinit(&alike);
}

/* Whether both arrivals are in the same function, and as deep: else another activation has other
 * values. */
static bool is_same_activation(
	const struct ora_stepped_shown *shown, const struct ora_scene *scene, bool by_line)
{
	return shown->frames == scene->told->frame_count &&
	       (!by_line || shown->function == xs_hash_text(3, scene->function));
}

/* How many values a line step has to compare. */
static uint64_t count_values(const struct ora_scene *scene)
{
	const struct ora_scene_variable *variable;
	uint64_t count = 0;
	for (size_t i = 0; (variable = ora_scene_variable(scene, i)); i++)
		count += variable->live;
	return count;
}

static bool is_late(const struct ora_stepped_three *three, const struct ora_scene *scene)
{
	return !ora_stepped_is_own(three->levels->check, three->line.trace) &&
	       ora_stepped_is_late(&three->instruction, scene->told->place);
}

/* Whether line steps stop at a place whenever it is executed: only then is their first stop there
 * its first execution. */
static bool is_sure(const struct ora_stepped_three *three, xs_addr address)
{
	const uint64_t *stopped = xs_map_find(&three->line.places, address, 0);
	const uint64_t *executed = xs_map_find(&three->instruction.places, address, 0);
	return stopped && executed && *stopped == *executed;
}

static void compare_by_pc(struct ora_stepped_three *three, const struct ora_scene *scene)
{
	struct meeting meeting = {.three = three,
		.scene = scene,
		.address = scene->told->place->address,
		.at_start = scene->told->number == 1,
		.what = "values"};
	const struct ora_stepped_shown *shown =
		ora_stepped_shown(&three->instruction, meeting.address);
	struct ora_asked *asked = &three->levels->check->asked;
	if (!shown)
		ora_asked_leave(asked, "R3", "values", "where instruction steps never are",
			count_values(scene));
	else if (is_late(three, scene))
		ora_asked_leave(asked, "R3", "values", ORA_STEPPED_LATE, count_values(scene));
	else if (!meeting.at_start && !is_sure(three, meeting.address))
		ora_asked_leave(asked, "R3", "values",
			"at places that line steps do not always stop at", count_values(scene));
	else if (!is_same_activation(shown, scene, false))
		ora_asked_leave(
			asked, "R3", "values", "in another activation", count_values(scene));
	else
		compare(&meeting);
}

/* Where instruction steps first arrive at the line of a line step, if the values there can be
 * compared; else why not, or NULL if that is the same pc. */
static bool find_arrival(struct ora_stepped_three *three, const struct ora_scene *scene,
	xs_addr *ret, const char **why_not)
{
	const struct ora_stepped *instruction = &three->instruction;
	struct ora_stepped_line line = {.file = (char *)scene->file, .number = scene->line};
	const struct ora_stepped_line *arrival = ora_stepped_find(instruction, &line);
	*why_not = NULL;
	if (!arrival || arrival->place.address == scene->told->place->address)
		return false;
	*ret = arrival->place.address;
	const struct ora_stepped_shown *shown = ora_stepped_shown(instruction, *ret);
	if (ora_stepped_first(&instruction->entered, &line) != arrival->stop)
		*why_not = "of lines that instruction steps first reach where no statement is "
			   "entered";
	else if (!shown || !is_same_activation(shown, scene, true))
		*why_not = "in another activation";
	else if (is_late(three, scene))
		*why_not = ORA_STEPPED_LATE;
	return !*why_not;
}

static void compare_by_line(struct ora_stepped_three *three, const struct ora_scene *scene)
{
	struct meeting meeting = {
		.three = three, .scene = scene, .by_line = true, .what = "values by line"};
	const char *why_not;
	if (find_arrival(three, scene, &meeting.address, &why_not))
		compare(&meeting);
	else if (why_not)
		ora_asked_leave(&three->levels->check->asked, "R3", "values by line", why_not,
			count_values(scene));
}

struct xs_error *ora_stepped_values(struct ora_stepped_three *three)
{
	struct ora_check *check = three->levels->check;
	struct ora_scene scene = {
		.store = check->store, .trace = check->traces[three->line.trace]->id};
	struct xs_map seen = {0};
	struct xs_error *err;
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		uint64_t *known = xs_map_at(&seen, ora_stepped_hash(scene.file, scene.line), 0);
		bool first = scene.line && !*known && !scene.told->place->module;
		*known = 1;
		if (!first)
			continue;
		if (ora_stepped_is_call(check->verdicts.module, scene.told->place->address)) {
			ora_asked_leave(&check->asked, "R3", "values", ORA_STEPPED_CALL,
				count_values(&scene));
			continue;
		}
		compare_by_pc(three, &scene);
		/* The first stop is where steps begin, and not where a step ended. */
		if (scene.told->number > 1)
			compare_by_line(three, &scene);
	}
	xs_map_deinit(&seen);
	ora_scene_deinit(&scene);
	return err;
}
