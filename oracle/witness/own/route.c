#include "oracle/witness/own/route.h"

#include "engine/insn.h"
#include "oracle/witness/own/record.h"

struct walker {
	const uint64_t *numbers;      /* that are looked for */
	size_t count, found;          /* how many, and how many of them were met */
	struct ora_route *routes;     /* theirs, in link-time addresses */
	XS_VEC(uint64_t) arrivals;    /* by index of the place, after the entry */
	const struct ora_place *last; /* where the stop before was */
	const struct ora_place *entry;
	uint64_t at_last; /* arrivals there, in time */
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

static void on_step(void *context, const struct ora_stop *stop)
{
	struct walker *walker = context;
	const struct ora_place *here = stop->place;
	while (walker->arrivals.len <= here->index)
		xs_vec_push(&walker->arrivals, 0);
	if (stop->number == 1)
		walker->entry = here;
	uint64_t count = stop->number > 1 ? ++walker->arrivals.data[here->index] : 0;
	for (; walker->found < walker->count && walker->numbers[walker->found] == stop->number;
		walker->found++) {
		bool step = walker->last && is_step(walker->last, here);
		uint64_t arrivals = step ? walker->at_last : count;
		walker->routes[walker->found] = (struct ora_route){.entry = walker->entry->pc,
			.arrivals = arrivals,
			.place = !arrivals ? XS_ADDR_NONE
				 : step    ? walker->last->pc
					   : here->pc,
			.step = step,
			.hit = count + (here == walker->entry)};
	}
	walker->last = here;
	walker->at_last = count;
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
	for (size_t i = 0; !err && i < count; i++) {
		ret[i].bias = recording.run.subject->modules.data[0].bias;
		ret[i].entry += ret[i].bias;
		if (ret[i].place != XS_ADDR_NONE)
			ret[i].place += ret[i].bias;
	}
	xs_vec_deinit(&walker.arrivals);
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
