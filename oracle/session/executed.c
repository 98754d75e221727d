#include "oracle/session/executed.h"

#include <inttypes.h>

#include "oracle/witness/own/record.h"

struct search {
	xs_addr prev, pc;
	uint64_t n;     /* how often it is still to be taken */
	uint64_t found; /* 0: not yet */
};

static bool is_at(const struct ora_place *place, xs_addr address)
{
	return place ? place->main && place->pc == address : address == XS_ADDR_NONE;
}

static void on_step(void *context, const struct ora_stop *stop)
{
	struct search *search = context;
	if (!search->found && is_at(stop->prev, search->prev) && is_at(stop->place, search->pc) &&
		!--search->n)
		search->found = stop->number;
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	const struct search *search = context;
	(void)stop;
	return !search->found;
}

struct xs_error *ora_executed_number(
	struct ora_run *run, const char *from, xs_addr prev, xs_addr pc, uint64_t n, uint64_t *ret)
{
	struct search search = {.prev = prev, .pc = pc, .n = n};
	struct ora_recording recording = {.run = *run,
		.from = from,
		.mode = ENG_MODE_EXACT,
		.sample = ENG_SAMPLE_UNIQUE,
		.on_step = on_step,
		.on_stop = on_stop,
		.context = &search};
	struct xs_error *err = ora_run_open(&recording.run);
	if (!err)
		err = ora_record(&recording);
	if (!err && !search.found)
		err = xs_error_create(
			"%s: does not come to 0x%" PRIx64 " as the trace says", run->path, pc);
	*ret = search.found;
	*run = recording.run;
	recording.run.subject = NULL;
	ora_recording_deinit(&recording);
	return err;
}
