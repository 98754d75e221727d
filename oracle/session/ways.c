#include "oracle/session/ways.h"

#include "dwarf/replayed.h"
#include "oracle/witness/own/start.h"

enum {
	ARRIVALS = 100000, /* that are looked at for one finding */
	SECONDS = 10,      /* that a run may take */
};

/* --- the fewest arrivals ---------------------------------------------------------------------- */

/* The numbers of the stops of a trace to which a way is wanted; false: none. */
static bool find_numbers(const struct ora_ways *ways, size_t trace, struct xs_map *ret)
{
	const struct ora_verdicts *verdicts = &ways->checking->check.verdicts;
	bool any = false;
	for (size_t i = 0; i < verdicts->findings.len; i++)
		if (ways->wanted[i] && verdicts->findings.data[i].difference->trace == trace) {
			*xs_map_at(ret, verdicts->findings.data[i].difference->number, 0) = 1;
			any = true;
		}
	return any;
}

static struct xs_error *count_stops(
	const struct ora_ways *ways, size_t trace, struct ora_route route, struct ora_route *ret)
{
	const struct ora_checking *checking = ways->checking;
	const struct ora_verdicts *verdicts = &checking->check.verdicts;
	XS_AUTO(ora_reader) reader = NULL;
	const struct ora_told *told = NULL;
	struct xs_map stops = {0}, numbers = {0};
	struct xs_error *err = NULL;
	if (find_numbers(ways, trace, &numbers))
		err = ora_reader_create(
			checking->store, checking->check.traces[trace]->id, &reader);
	while (reader && !err && !(err = ora_reader_next(reader, &told)) && told) {
		xs_addr pc = told->place->address;
		uint64_t count = ++*xs_map_at(&stops, pc, 0);
		bool entry = pc + route.bias == route.entry;
		bool wanted = xs_map_find(&numbers, told->number, 0) != NULL;
		for (size_t i = 0; wanted && i < verdicts->findings.len; i++) {
			const struct ora_difference *one = verdicts->findings.data[i].difference;
			if (!ways->wanted[i] || one->trace != trace || one->number != told->number)
				continue;
			ret[i] = route;
			ret[i].hit = count;
			ret[i].arrivals = count - entry;
			ret[i].place = ret[i].arrivals ? one->pc + route.bias : XS_ADDR_NONE;
		}
	}
	xs_map_deinit(&stops);
	xs_map_deinit(&numbers);
	return err;
}

/* --- the right one ---------------------------------------------------------------------------- */

/* Whether xstep reads at this stop what is said of a finding. */
static bool is_it(const struct ora_difference *one, const struct di_target *target)
{
	const char *value = one->said[one->trace].value;
	struct di_replay found = {.scope = one->scope,
		.name = one->var,
		.path = one->path,
		.line = one->decl_line,
		.frame = one->frame};
	struct di_view view = {0};
	bool ret = false;
	struct xs_error *err = NULL;
	if (!one->var) { /* a backtrace, to which more is added */
		XS_AUTO_FREE char *frames = NULL;
		err = di_replay_frames(target, DI_MISTAKE_NONE, &frames);
		ret = !err && !strncmp(value, frames, strlen(frames));
	} else if (!(err = di_replay_open(&view, target, DI_MISTAKE_NONE)) &&
		   !(err = di_replay(&found, &view))) {
		ret = found.listed && found.text && !strcmp(found.text, value);
	}
	xs_error_destroy(err);
	di_replay_deinit(&found);
	di_view_deinit(&view);
	return ret;
}

/* Runs to one arrival after the other until it is the right one; false: none was. */
static bool seek(const struct ora_difference *one, struct ora_run *run, struct ora_route *route)
{
	const xs_addr pc = one->pc + route->bias;
	const uint64_t fewest = route->arrivals;
	struct xs_ranges addresses = {0};
	struct eng_process *process = NULL;
	uint64_t hits = 0, after = 0;
	bool begun = false, found = false;
	const struct ora_said *said = &one->said[one->trace];
	bool asks = said->heard && said->state == ORA_STATE_VALUE && said->value;
	struct xs_error *err = ora_run_launch(run, &process);
	xs_ranges_add(&addresses, pc, pc + 1);
	xs_ranges_add(&addresses, route->entry, route->entry + 1);
	xs_ranges_normalise(&addresses);
	while (!err && !found && hits < ARRIVALS &&
		!(err = ora_run_to(run, process, &addresses, "it"))) {
		XS_AUTO(ora_machine) machine = NULL;
		xs_addr at = 0;
		if ((err = eng_tracee_pc(&process->tracee, &at)))
			break;
		bool entry = at == route->entry && !begun;
		begun |= entry;
		hits += at == pc;
		after += at == pc && begun && !entry;
		found = at == pc && begun && after >= fewest;
		if (found && asks && !(err = ora_machine_create(process, run->subject, &machine)))
			found = is_it(one, &machine->target);
	}
	if (found) {
		route->hit = hits;
		route->arrivals = after;
		route->place = after ? pc : XS_ADDR_NONE;
	}
	xs_ranges_deinit(&addresses);
	eng_process_destroy(process);
	xs_error_destroy(err);
	return found;
}

/* The program once more, which reads all from the beginning, and is heard by nobody. */
static struct xs_error *run_again(
	const struct ora_ways *ways, const struct ora_difference *one, struct ora_route *route)
{
	struct ora_program program = ora_program_unheard(ways->program);
	struct ora_run run = {0};
	program.timeout = SECONDS;
	struct xs_error *err = ora_program_prepare(&program, ways->argv, &run);
	if (!err && !(err = ora_run_open(&run)))
		seek(one, &run, route);
	ora_run_deinit(&run);
	ora_program_release(&program);
	return err;
}

/* The first stop at a place is the first arrival, if nothing but the place counts. */
static bool is_plain(const struct ora_ways *ways, const struct ora_difference *one,
	const struct ora_route *route)
{
	const struct ora_said *said = &one->said[one->trace];
	bool value = said->heard && said->state == ORA_STATE_VALUE && said->value;
	return route->hit == 1 && !value && !ways->checking->cache.hearing.from;
}

/* --- of checks that ran the program themselves ------------------------------------------------ */

static bool is_live(const struct ora_check *check, const struct ora_difference *one)
{
	return !check->traces[one->trace]->id;
}

/* A finding, by the number of its stop. */
struct numbered {
	uint64_t number;
	size_t finding;
};

static int compare_numbers(const void *a, const void *b)
{
	const struct numbered *left = a, *right = b;
	return (left->number > right->number) - (left->number < right->number);
}

/* The program once more: to all of these stops in one run. Where it goes another way, nobody knows
 * the way. */
static struct xs_error *count_again(const struct ora_ways *ways, const struct numbered *stops,
	size_t count, struct ora_route *ret)
{
	struct ora_program program = ora_program_unheard(ways->program);
	struct ora_run run = {0};
	XS_AUTO_FREE uint64_t *numbers = xs_calloc(count + 1, sizeof *numbers);
	XS_AUTO_FREE struct ora_route *routes = xs_calloc(count + 1, sizeof *routes);
	size_t different = 0;
	for (size_t i = 0; i < count; i++)
		if (!different || numbers[different - 1] != stops[i].number)
			numbers[different++] = stops[i].number;
	struct xs_error *err = ora_program_prepare(&program, ways->argv, &run);
	if (!err && !(err = ora_run_open(&run))) {
		struct xs_error *lost = ora_routes_find(
			&run, ways->checking->cache.hearing.from, numbers, different, routes);
		for (size_t i = 0, at = 0; !lost && i < count; i++) {
			at += numbers[at] != stops[i].number;
			ret[stops[i].finding] = routes[at];
		}
		xs_error_destroy(lost);
	}
	ora_run_deinit(&run);
	ora_program_release(&program);
	return err;
}

static struct xs_error *find_live(
	const struct ora_ways *ways, struct ora_route route, struct ora_route *ret)
{
	const struct ora_check *check = &ways->checking->check;
	XS_VEC(struct numbered) stops = {0};
	for (size_t i = 0; i < check->verdicts.findings.len; i++) {
		const struct ora_difference *one = check->verdicts.findings.data[i].difference;
		if (!ways->wanted[i] || !is_live(check, one) || one->module)
			continue;
		if (!one->arrival) {
			xs_vec_push(&stops, ((struct numbered){one->number, i}));
			continue;
		}
		ret[i] = route;
		ret[i].hit = one->arrival;
		ret[i].arrivals = one->arrival - (one->pc + route.bias == route.entry);
		ret[i].place = ret[i].arrivals ? one->pc + route.bias : XS_ADDR_NONE;
	}
	if (stops.len)
		qsort(stops.data, stops.len, sizeof *stops.data, compare_numbers);
	struct xs_error *err = stops.len ? count_again(ways, stops.data, stops.len, ret) : NULL;
	xs_vec_deinit(&stops);
	return err;
}

struct xs_error *ora_ways_find(const struct ora_ways *ways, struct ora_route *ret)
{
	const struct ora_check *check = &ways->checking->check;
	struct ora_route route = {0};
	struct ora_start_found start;
	struct xs_error *err;
	if ((err = ora_start_bias(ways->run, &route.bias)) ||
		(err = ora_start_find(ways->run, ways->checking->cache.hearing.from, &start)))
		return err;
	route.entry = start.address + route.bias;
	for (size_t i = 0; !err && i < check->count; i++)
		if (check->traces[i]->id)
			err = count_stops(ways, i, route, ret);
	if (!err)
		err = find_live(ways, route, ret);
	for (size_t i = 0; !err && i < check->verdicts.findings.len; i++) {
		const struct ora_difference *one = check->verdicts.findings.data[i].difference;
		if (ret[i].hit && !is_live(check, one) && !is_plain(ways, one, &ret[i]))
			err = run_again(ways, one, &ret[i]);
	}
	return err;
}
