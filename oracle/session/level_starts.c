#include "oracle/session/level_starts.h"

#include "base/path.h"
#include "dwarf/arrival.h"
#include "engine/insn.h"

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

/* Whether a way leads to a stop; the first stop is at main. */
struct reach {
	int way;
	bool from_main;    /* the first stop is there */
	uint64_t function; /* of the first stop; hash */
	unsigned frames;
};

static bool is_reached(struct reach *reach, const struct ora_scene *scene)
{
	uint64_t function = xs_hash_text(0, scene->function ? scene->function : "");
	if (scene->told->number == 1) {
		reach->function = function;
		reach->frames = scene->told->frame_count;
		return false;
	}
	return reach->way != ORA_START_UNTIL || !reach->from_main ||
	       (function == reach->function && scene->told->frame_count == reach->frames);
}

/* All lines that the first witness stepped on, but for the first. Where it arrived at them is put
 * into `arrivals`. */
static struct xs_error *list_places(struct ora_level_starts *starts, uint64_t trace,
	struct di_module *module, struct xs_map *arrivals)
{
	struct reach reach = {starts->way, !starts->checking->cache.hearing.from, 0, 0};
	XS_AUTO(ora_store) store = NULL;
	struct xs_map seen = {0};
	struct xs_error *err = ora_store_open(starts->checking->cache.path, ORA_STORE_READ, &store);
	if (err)
		return err;
	struct ora_scene scene = {.store = store, .trace = trace};
	while (!(err = ora_scene_next(&scene)) && scene.told) {
		if (!is_reached(&reach, &scene) || scene.told->place->module || !scene.line ||
			!scene.file)
			continue;
		uint64_t *known = xs_map_at(&seen, xs_hash_text(0, scene.file), scene.line);
		xs_addr address = scene.told->place->address;
		if (!*known && is_arrival(module, scene.file, scene.line, address)) {
			XS_AUTO_FREE char *place = xs_asprintf("%s:%u", scene.file, scene.line);
			xs_vec_push(&starts->places,
				ora_start_text((enum ora_start_way)starts->way, place));
			*xs_map_at(arrivals, address, 0) = 1;
		}
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

/* --- any arrival ------------------------------------------------------------------------------ */

/* A breakpoint costs a debugger something each time that it is passed. */
enum { ARRIVAL_MAX = 1000 };

struct arrival {
	xs_addr address;
	uint64_t number;
};

/* What is found of them in the order of all that is executed. */
struct arrivals {
	struct di_module *module;
	struct xs_map at; /* address -> 1 and how often it was executed so far */
	bool begun;       /* the first is where the way begins */
	XS_VEC(struct arrival) list;
};

/* Whether a breakpoint on an instruction is hit as often as it is executed: one that stays where it
 * is hits it several times. */
static bool is_counted(const struct di_module *module, xs_addr address)
{
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(module, address, &size);
	if (!bytes)
		return false;
	struct eng_insn insn = eng_insn_decode(bytes, size > ENG_INSN_MAX ? ENG_INSN_MAX : size);
	bool branch = insn.kind == ENG_INSN_JUMP || insn.kind == ENG_INSN_CONDITIONAL;
	return insn.kind == ENG_INSN_PLAIN || insn.kind == ENG_INSN_CALL ||
	       (branch && eng_insn_target(&insn, address) != address);
}

static void on_step(void *arg, const struct ora_store_place *place)
{
	struct arrivals *arrivals = arg;
	bool known = !place->module && xs_map_find(&arrivals->at, place->address, 0);
	uint64_t *times = known ? xs_map_at(&arrivals->at, place->address, 0) : NULL;
	if (times && arrivals->begun && *times <= ARRIVAL_MAX &&
		is_counted(arrivals->module, place->address)) {
		struct arrival one = {place->address, (*times)++};
		xs_vec_push(&arrivals->list, one);
	}
	arrivals->begun = true;
}

/* Puts arrivals into the places, as many as are wanted, the same for the same seed. */
static void draw_arrivals(struct ora_level_starts *starts, const struct arrivals *arrivals)
{
	struct arrival *list = arrivals->list.data;
	size_t count = arrivals->list.len;
	for (size_t i = 0; i < count && i < starts->wanted; i++) {
		size_t other = i + xs_mix(starts->seed ^ xs_mix(i)) % (count - i);
		struct arrival one = list[other];
		list[other] = list[i];
		xs_vec_push(&starts->places,
			xs_asprintf("*0x%" PRIx64 "#%" PRIu64, one.address, one.number));
	}
}

static void clear_places(struct ora_level_starts *starts)
{
	while (starts->places.len)
		free(starts->places.data[--starts->places.len]);
}

/* Instead of the lines, arrivals at them. */
static struct xs_error *choose_arrivals(struct ora_level_starts *starts, struct arrivals *arrivals)
{
	XS_AUTO(ora_store) store = NULL;
	uint64_t trace = ora_level_starts_find_order(starts, 0);
	struct xs_error *err = ora_store_open(starts->checking->cache.path, ORA_STORE_READ, &store);
	clear_places(starts);
	if (err || !trace || (err = ora_store_order(store, trace, on_step, arrivals)))
		return err;
	draw_arrivals(starts, arrivals);
	return NULL;
}

static struct xs_error *choose(struct ora_level_starts *starts, const char *program)
{
	struct arrivals arrivals = {0};
	const struct ora_trace_cache *cache = &starts->checking->cache;
	const struct ora_trace_info *info =
		cache->found.len ? ora_trace_cache_info(cache, cache->found.data[0].id) : NULL;
	if (!info)
		return xs_error_create("no witness told anything");
	struct di_module *module = NULL;
	struct xs_error *err = di_module_open(program, &module);
	if (!err)
		err = list_places(starts, info->id, module, &arrivals.at);
	arrivals.module = module;
	if (!err && starts->way == ORA_START_RANDOM)
		err = choose_arrivals(starts, &arrivals);
	else
		draw(starts);
	di_module_destroy(module);
	xs_map_deinit(&arrivals.at);
	xs_vec_deinit(&arrivals.list);
	return err;
}

/* --- starts that a debugger does not get to --------------------------------------------------- */

/* Why not, of the first such trace of a program of the cache; NULL: it is there. */
static const struct ora_trace_info *find_missed(
	const struct ora_level_starts *starts, size_t program)
{
	const struct ora_trace_cache *cache = &starts->checking->cache;
	for (size_t i = 0; i < cache->found.len; i++) {
		const struct ora_trace_info *info =
			ora_trace_cache_info(cache, cache->found.data[i].id);
		if (cache->found.data[i].program == program && info && info->end.trouble &&
			!strncmp(info->end.trouble, ORA_START_MISSED, sizeof ORA_START_MISSED - 1))
			return info;
	}
	return NULL;
}

/* Whether a start was missed: that is told and counted. */
static bool is_missed(struct ora_level_starts *starts, size_t program)
{
	struct ora_checking *checking = starts->checking;
	const struct ora_trace_info *missed = find_missed(starts, program);
	if (starts->way != ORA_START_BREAKPOINT && !missed)
		ora_asked_add(&checking->check.asked, "R1", "starts", 1);
	if (!missed)
		return false;
	XS_AUTO_FREE char *text = xs_asprintf(
		"%s: %s; that start is left out", missed->trace.witness, missed->end.trouble);
	ora_asked_leave(&checking->check.asked, "R1", "starts",
		"that a debugger does not get to in that way", 1);
	checking->on_warning(text);
	return true;
}

/* --- all of them ------------------------------------------------------------------------------ */

struct xs_error *ora_level_starts_record(struct ora_level_starts *starts, char *const *argv)
{
	struct ora_trace_cache *cache = &starts->checking->cache;
	const char *from = cache->hearing.from;
	struct xs_error *err = starts->wanted ? choose(starts, argv[0]) : NULL;
	for (size_t i = 0; !err && i < starts->places.len; i++) {
		cache->hearing.from = starts->places.data[i];
		cache->program = i + 1;
		bool trouble = cache->trouble;
		err = ora_trace_cache_fill(cache, argv, starts->needs, starts->count);
		if (find_missed(starts, i + 1))
			cache->trouble = trouble;
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
		if (is_missed(starts, i + 1))
			continue;
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
	clear_places(starts);
	xs_vec_deinit(&starts->places);
}
