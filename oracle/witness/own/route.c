#include "oracle/witness/own/route.h"

#include "engine/insn.h"

struct walker {
	const uint64_t *numbers;  /* that are looked for */
	size_t count, found;      /* how many, and how many of them were met */
	struct ora_route *routes; /* theirs, in link-time addresses */
	struct ora_route_count on_way;
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

void ora_route_note(struct ora_route_count *count, const struct ora_stop *stop)
{
	const struct ora_place *here = stop->place;
	while (count->arrivals.len <= here->index)
		xs_vec_push(&count->arrivals, 0);
	if (stop->number == 1)
		count->entry = here;
	count->last = count->here;
	count->at_last = count->at_here;
	count->here = here;
	count->at_here = stop->number > 1 ? ++count->arrivals.data[here->index] : 0;
}

struct ora_route ora_route_here(const struct ora_route_count *count)
{
	bool step = count->last && is_step(count->last, count->here);
	uint64_t arrivals = step ? count->at_last : count->at_here;
	return (struct ora_route){.entry = count->entry->pc,
		.arrivals = arrivals,
		.place = !arrivals ? XS_ADDR_NONE
			 : step    ? count->last->pc
				   : count->here->pc,
		.step = step,
		.hit = count->at_here + (count->here == count->entry)};
}

void ora_route_move(struct ora_route *route, xs_addr bias)
{
	route->bias = bias;
	route->entry += bias;
	if (route->place != XS_ADDR_NONE)
		route->place += bias;
}

static void on_step(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	ora_route_note(&walker->on_way, stop);
	for (; walker->found < walker->count && walker->numbers[walker->found] == stop->number;
		walker->found++)
		walker->routes[walker->found] = ora_route_here(&walker->on_way);
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	const struct walker *walker = context;
	(void)stop;
	return walker->found < walker->count;
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
	struct xs_error *err = ora_run_open(&recording.run);
	if (!err)
		err = ora_record(&recording);
	if (!err && walker.found < count)
		err = xs_error_create("%s: has no stop %" PRIu64, run->path, numbers[walker.found]);
	for (size_t i = 0; !err && i < count; i++)
		ora_route_move(&ret[i], recording.run.subject->modules.data[0].bias);
	xs_vec_deinit(&walker.on_way.arrivals);
	*run = recording.run;
	recording.run.subject = NULL;
	ora_recording_deinit(&recording);
	return err;
}

struct xs_error *ora_route_find(
	struct ora_run *run, const char *from, uint64_t number, struct ora_route *ret)
{
	return ora_routes_find(run, from, &number, 1, ret);
}
