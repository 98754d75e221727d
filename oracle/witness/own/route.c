#include "oracle/witness/own/route.h"

#include "engine/insn.h"

/* Stops that are looked for: by number, or one by the way that leads to it. */
struct walker {
	const struct ora_recording *recording;
	const uint64_t *numbers;
	size_t count, found; /* how many, and how many of them were met */
	xs_addr prev, pc;    /* or the one */
	uint64_t n;
	struct ora_route *routes; /* theirs, in link-time addresses */
};

/* The instruction at a link-time address, as the file has it. */
static struct eng_insn insn_at(const struct di_module *module, xs_addr address)
{
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(module, address, &size);
	if (!bytes)
		return (struct eng_insn){.kind = ENG_INSN_OTHER};
	return eng_insn_decode(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX);
}

/* Whether one step leads from a place to another. */
static bool is_step(const struct ora_place *from, const struct ora_place *to)
{
	if (!from->main || !to->main)
		return false;
	struct eng_insn insn = insn_at(from->module, from->pc);
	switch (insn.kind) {
	case ENG_INSN_CALL:
		return eng_insn_target(&insn, from->pc) == to->pc;
	case ENG_INSN_PLAIN:
	case ENG_INSN_JUMP:
	case ENG_INSN_CONDITIONAL:
		return to->pc == from->pc + insn.length ||
		       (insn.kind != ENG_INSN_PLAIN && to->pc == eng_insn_target(&insn, from->pc));
	default:
		return false; /* it may, but nobody knows */
	}
}

struct ora_route ora_route_here(const struct ora_recording *recording, const struct ora_stop *stop)
{
	struct ora_arrivals counted = ora_recording_arrivals(recording);
	bool step = stop->prev && is_step(stop->prev, stop->place);
	uint64_t arrivals = step ? counted.before : counted.here;
	return (struct ora_route){.entry = recording->entry->pc,
		.arrivals = arrivals,
		.place = !arrivals ? XS_ADDR_NONE
			 : step    ? stop->prev->pc
				   : stop->place->pc,
		.step = step,
		.hit = counted.here + (stop->place == recording->entry)};
}

void ora_route_move(struct ora_route *route, xs_addr bias)
{
	route->bias = bias;
	route->entry += bias;
	if (route->place != XS_ADDR_NONE)
		route->place += bias;
}

/* --- by number -------------------------------------------------------------------------------- */

static void on_step(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	for (; walker->found < walker->count && walker->numbers[walker->found] == stop->number;
		walker->found++)
		walker->routes[walker->found] = ora_route_here(walker->recording, stop);
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	const struct walker *walker = context;
	(void)stop;
	return walker->found < walker->count;
}

/* Runs the program; what is wrong if not all was met is for the caller to say. */
static struct xs_error *walk(
	struct ora_run *run, struct ora_recording *recording, struct walker *walker)
{
	walker->recording = recording;
	struct xs_error *err = ora_run_open(&recording->run);
	if (!err)
		err = ora_record(recording);
	for (size_t i = 0; !err && i < walker->found; i++)
		ora_route_move(&walker->routes[i], recording->run.subject->modules.data[0].bias);
	*run = recording->run;
	recording->run.subject = NULL;
	ora_recording_deinit(recording);
	return err;
}

struct xs_error *ora_routes_find(struct ora_run *run, const char *from, const uint64_t *numbers,
	size_t count, struct ora_route *ret)
{
	struct walker walker = {.numbers = numbers, .count = count, .routes = ret};
	if (!count)
		return NULL;
	struct ora_recording recording = {.run = *run,
		.from = from,
		.mode = ENG_MODE_EXACT,
		.sample = ENG_SAMPLE_UNIQUE,
		.limit = numbers[count - 1],
		.on_step = on_step,
		.on_stop = on_stop,
		.context = &walker};
	struct xs_error *err = walk(run, &recording, &walker);
	if (!err && walker.found < count)
		err = xs_error_create("%s: has no stop %" PRIu64, run->path, numbers[walker.found]);
	return err;
}

/* --- by the way that leads there -------------------------------------------------------------- */

static uint64_t next(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct walker *walker = context;
	return prev == walker->prev && pc == walker->pc && n < walker->n ? walker->n : UINT64_MAX;
}

static bool on_arrival(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	/* A shared object's addresses may look the same. */
	if (!stop->place->main || (stop->prev && !stop->prev->main))
		return true;
	walker->routes[walker->found++] = ora_route_here(walker->recording, stop);
	return false;
}

struct xs_error *ora_route_find(struct ora_run *run, const char *from, xs_addr prev, xs_addr pc,
	uint64_t n, struct ora_route *ret)
{
	struct walker walker = {.prev = prev, .pc = pc, .n = n, .routes = ret};
	struct ora_recording recording = {.run = *run,
		.from = from,
		.mode = ENG_MODE_EXACT,
		.next = next,
		.on_stop = on_arrival,
		.context = &walker};
	struct xs_error *err = walk(run, &recording, &walker);
	if (!err && !walker.found)
		err = xs_error_create(
			"%s: does not come to 0x%" PRIx64 " as the trace says", run->path, pc);
	return err;
}
