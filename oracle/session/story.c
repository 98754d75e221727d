#include "oracle/session/story.h"

#include "base/map.h"
#include "oracle/store/store.h"

enum { POINTS = 3000 }; /* of a story */

/* What a witness says of the leaf in one call, until it says something else. */
struct call {
	unsigned depth;
	enum ora_state state;
	char *value;
};

/* A story while a trace is read. */
struct teller {
	struct ora_story *story;
	struct xs_map points; /* (prev and pc, n) -> index of the point, plus 1 */
	XS_VEC(struct call) calls;
};

static const char *last_of(const char *scope)
{
	const char *slash = scope ? strrchr(scope, '/') : NULL;
	return slash ? slash + 1 : scope ? scope : "";
}

static bool is_it(const struct ora_difference *about, const struct ora_told_fact *fact)
{
	const struct ora_store_variable *variable = fact->variable;
	if (!about->path || !about->var || strcmp(fact->path, about->path) != 0 ||
		strcmp(variable->name, about->var) != 0 || (fact->depth == 0) != about->global)
		return false;
	if (about->decl_line && variable->line && about->decl_line != variable->line)
		return false;
	return about->global || !strcmp(last_of(variable->scope), last_of(about->scope));
}

static void hear(struct teller *teller, const struct ora_told_fact *fact)
{
	struct call *call = NULL;
	for (size_t i = 0; i < teller->calls.len && !call; i++)
		if (teller->calls.data[i].depth == fact->depth)
			call = &teller->calls.data[i];
	if (!call) {
		xs_vec_push(&teller->calls, (struct call){.depth = fact->depth});
		call = &teller->calls.data[teller->calls.len - 1];
	}
	free(call->value);
	call->state = fact->state;
	call->value = fact->value ? xs_strdup(fact->value) : NULL;
}

/* The innermost call that lists it; NULL: none does. */
static const struct call *innermost(const struct teller *teller, unsigned frames)
{
	const struct call *best = NULL;
	for (size_t i = 0; i < teller->calls.len; i++) {
		const struct call *call = &teller->calls.data[i];
		if (call->state != ORA_STATE_ABSENT && call->depth <= frames &&
			(!best || call->depth > best->depth))
			best = call;
	}
	return best;
}

static void note(struct teller *teller, size_t w, const struct ora_told *stop)
{
	struct ora_story *story = teller->story;
	xs_addr pc = stop->place->address;
	xs_addr prev = stop->prev ? stop->prev->address : XS_ADDR_NONE;
	const struct call *call = innermost(teller, stop->frame_count ? stop->frame_count : ~0U);
	bool inside = !stop->place->module && pc >= story->stretch.lo && pc < story->stretch.hi;
	if (stop->place->module || (!call && !inside))
		return;
	uint64_t *index = xs_map_at(&teller->points, xs_mix(prev) ^ pc, stop->n);
	if (!*index && story->points.len >= POINTS) {
		story->left++;
		return;
	}
	if (!*index) {
		struct ora_story_point point = {
			.number = stop->number, .n = stop->n, .prev = prev, .pc = pc};
		xs_vec_push(&story->points, point);
		*index = story->points.len;
	}
	struct ora_story_said *said = &story->points.data[*index - 1].said[w];
	free(said->value);
	*said = (struct ora_story_said){.heard = true,
		.state = call ? call->state : ORA_STATE_ABSENT,
		.value = call && call->value ? xs_strdup(call->value) : NULL};
}

static void forget(struct teller *teller)
{
	for (size_t i = 0; i < teller->calls.len; i++)
		free(teller->calls.data[i].value);
	xs_vec_deinit(&teller->calls);
}

static struct xs_error *read_trace(struct ora_store *store, const struct ora_trace_info *trace,
	size_t w, struct teller *tellers, size_t count)
{
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *stop = NULL;
	struct xs_error *err = ora_reader_create(store, trace->id, &reader);
	while (!err && !(err = ora_reader_next(reader, &stop)) && stop)
		for (size_t i = 0; i < count; i++) {
			if (!tellers[i].story)
				continue;
			for (size_t k = 0; k < stop->facts.len; k++)
				if (is_it(tellers[i].story->about, &stop->facts.data[k]))
					hear(&tellers[i], &stop->facts.data[k]);
			note(&tellers[i], w, stop);
		}
	for (size_t i = 0; i < count; i++)
		forget(&tellers[i]);
	return err;
}

static int compare_points(const void *a, const void *b)
{
	const struct ora_story_point *left = a, *right = b;
	return (left->number > right->number) - (left->number < right->number);
}

struct xs_error *ora_stories_read(struct ora_store *store,
	const struct ora_trace_info *const *traces, size_t trace_count, struct ora_story *stories,
	size_t count)
{
	struct teller *tellers = xs_calloc(count + 1, sizeof *tellers);
	struct xs_error *err = NULL;
	for (size_t w = 0; w < trace_count && !err; w++) {
		bool any = false;
		for (size_t i = 0; i < count; i++) {
			size_t whose = stories[i].about->trace;
			bool same = !strcmp(traces[w]->subject.hash, traces[whose]->subject.hash);
			tellers[i].story = same ? &stories[i] : NULL;
			any |= same;
		}
		/* What was not stored cannot be read. */
		if (any && traces[w]->id && store)
			err = read_trace(store, traces[w], w, tellers, count);
	}
	for (size_t i = 0; i < count; i++) {
		xs_map_deinit(&tellers[i].points);
		if (stories[i].points.len)
			qsort(stories[i].points.data, stories[i].points.len,
				sizeof *stories[i].points.data, compare_points);
	}
	free(tellers);
	return err;
}

void ora_story_deinit(struct ora_story *story)
{
	for (size_t i = 0; i < story->points.len; i++)
		for (size_t w = 0; w < ORA_COMPARE_MAX; w++)
			free(story->points.data[i].said[w].value);
	xs_vec_deinit(&story->points);
}
