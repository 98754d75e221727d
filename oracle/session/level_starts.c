#include "oracle/session/level_starts.h"

#include "base/path.h"
#include "dwarf/arrival.h"

/* --- the order of execution ------------------------------------------------------------------- */

/* No other need samples nothing: a stored trace that will do has an order. */
static const struct ora_trace_need order = {
	"order", ORA_LEVEL_INSTRUCTION, ORA_SAMPLE_NONE, .bare = true, .order = true};

struct xs_error *ora_level_starts_order(struct ora_level_starts *starts, char *const *argv)
{
	struct ora_trace_cache *cache = &starts->checking->cache;
	const char *who = cache->hearing.witness;
	cache->hearing.witness = "xstep";
	struct xs_error *err = ora_trace_cache_fill(cache, argv, &order, 1);
	cache->hearing.witness = who;
	return err;
}

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether a trace is of the same run as another, and keeps the order. */
static bool is_order_of(const struct ora_trace_info *one, const struct ora_trace_info *other)
{
	return one->end.complete && !strcmp(one->trace.witness, "xstep") &&
	       !strcmp(one->trace.level, ora_level_text(order.level)) &&
	       !strcmp(one->trace.sample, ora_sample_text(order.sample)) &&
	       !strcmp(one->subject.hash, other->subject.hash) &&
	       is_text(one->trace.from, other->trace.from) &&
	       is_text(one->trace.arguments, other->trace.arguments);
}

uint64_t ora_level_starts_find_order(const struct ora_level_starts *starts, size_t program)
{
	const struct ora_trace_cache *cache = &starts->checking->cache;
	for (size_t i = 0; i < cache->found.len; i++)
		if (cache->found.data[i].program == program &&
			!strcmp(cache->found.data[i].role, order.role))
			return cache->found.data[i].id;
	const struct ora_trace_info *first =
		cache->found.len && !program ? ora_trace_cache_info(cache, cache->found.data[0].id)
					     : NULL;
	for (size_t i = cache->list.vec.len; first && i-- > 0;)
		if (is_order_of(&cache->list.vec.data[i], first))
			return cache->list.vec.data[i].id;
	return 0;
}

/* --- other places ----------------------------------------------------------------------------- */

/* Whether a program that arrives at a line may do so at an address. */
static bool is_arrival(struct di_module *module, const char *file, uint32_t line, xs_addr address)
{
	struct di_arrivals arrivals;
	di_arrivals_find(module, file, line, &arrivals);
	bool ret = xs_ranges_find(&arrivals.addresses, address) != NULL;
	di_arrivals_deinit(&arrivals);
	return ret;
}

/* All lines that the first witness stepped on, but for the first. */
static struct xs_error *list_places(
	struct ora_level_starts *starts, uint64_t trace, struct di_module *module)
{
	XS_AUTO(ora_store) store = NULL;
	struct xs_map seen = {0};
	struct xs_error *err = ora_store_open(starts->checking->cache.path, ORA_STORE_READ, &store);
	if (err)
		return err;
	struct ora_scene scene = {.store = store, .trace = trace};
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		if (scene.told->number == 1 || scene.told->place->module || !scene.line ||
			!scene.file)
			continue;
		uint64_t *known = xs_map_at(&seen, xs_hash_text(0, scene.file), scene.line);
		if (!*known &&
			is_arrival(module, scene.file, scene.line, scene.told->place->address))
			xs_vec_push(&starts->places, xs_asprintf("%s:%u", scene.file, scene.line));
		*known = 1;
	}
	ora_scene_deinit(&scene);
	xs_map_deinit(&seen);
	return err;
}

/* Leaves as many as are wanted, the same for the same seed. */
static void draw(struct ora_level_starts *starts)
{
	char **places = starts->places.data;
	size_t count = starts->places.len;
	for (size_t i = 0; i < count && i < starts->wanted; i++) {
		size_t other = i + xs_mix(starts->seed ^ xs_mix(i)) % (count - i);
		char *text = places[i];
		places[i] = places[other];
		places[other] = text;
	}
	while (starts->places.len > starts->wanted)
		free(places[--starts->places.len]);
}

static struct xs_error *choose(struct ora_level_starts *starts, const char *program)
{
	const struct ora_trace_cache *cache = &starts->checking->cache;
	const struct ora_trace_info *info =
		cache->found.len ? ora_trace_cache_info(cache, cache->found.data[0].id) : NULL;
	if (!info)
		return xs_error_create("no witness told anything");
	struct di_module *module = NULL;
	struct xs_error *err = di_module_open(program, &module);
	if (!err)
		err = list_places(starts, info->id, module);
	di_module_destroy(module);
	draw(starts);
	return err;
}

struct xs_error *ora_level_starts_record(struct ora_level_starts *starts, char *const *argv)
{
	struct ora_trace_cache *cache = &starts->checking->cache;
	const char *from = cache->hearing.from;
	struct xs_error *err = starts->wanted ? choose(starts, argv[0]) : NULL;
	for (size_t i = 0; !err && i < starts->places.len; i++) {
		cache->hearing.from = starts->places.data[i];
		cache->program = i + 1;
		err = ora_trace_cache_fill(cache, argv, starts->needs, starts->count);
		if (!err)
			err = ora_level_starts_order(starts, argv);
	}
	cache->hearing.from = from;
	cache->program = 0;
	return err;
}

struct xs_error *ora_level_starts_check(
	struct ora_level_starts *starts, struct ora_check_levels *levels)
{
	struct ora_checking *checking = starts->checking;
	struct xs_error *err = NULL;
	for (size_t i = 0; !err && i < starts->places.len; i++) {
		bool whole;
		if ((err = ora_checking_turn(
			     checking, starts->needs, starts->count, i + 1, &whole)))
			return err;
		checking->check.start = xs_base_name(starts->places.data[i]);
		levels->order = ora_level_starts_find_order(starts, i + 1);
		if (whole) {
			err = ora_check_levels(levels);
		} else {
			XS_AUTO_FREE char *text =
				xs_asprintf("%s: left out", checking->check.start);
			checking->on_warning(text);
		}
	}
	return err;
}

void ora_level_starts_deinit(struct ora_level_starts *starts)
{
	for (size_t i = 0; i < starts->places.len; i++)
		free(starts->places.data[i]);
	xs_vec_deinit(&starts->places);
}
