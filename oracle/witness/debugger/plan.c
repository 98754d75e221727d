#include "oracle/witness/debugger/plan.h"

#include <fcntl.h>
#include <signal.h>

#include "oracle/witness/own/record.h"

/* How often a place was arrived at since the planned stop of that number. */
struct arrivals {
	uint64_t since, count;
};

struct planner {
	json_t *stops;                  /* the plan */
	uint64_t planned;               /* how many it has */
	XS_VEC(struct arrivals) places; /* by index */
	uint64_t latest, before;        /* those of the last executed stop and of the one before */
	const struct xs_ranges *only;   /* where stops are planned; NULL: anywhere */
	enum eng_sample sample;         /* which of them */
	uint64_t seed;
};

static uint64_t next(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct planner *planner = context;
	return xs_ranges_find(planner->only, pc)
		       ? eng_sample_next(planner->sample, planner->seed, prev, pc, n)
		       : UINT64_MAX;
}

static void on_step(void *context, const struct ora_stop *stop)
{
	struct planner *planner = context;
	while (planner->places.len <= stop->place->index)
		xs_vec_push(&planner->places, (struct arrivals){0});
	struct arrivals *arrivals = &planner->places.data[stop->place->index];
	if (arrivals->since != planner->planned)
		*arrivals = (struct arrivals){.since = planner->planned};
	arrivals->count++;
	planner->before = planner->latest;
	planner->latest = arrivals->count;
}

static bool on_stop(void *context, const struct ora_stop *stop)
{
	struct planner *planner = context;
	json_int_t prev = stop->prev ? (json_int_t)stop->prev->pc : -1;
	json_array_append_new(
		planner->stops, json_pack("[I,I,I,I,I]", (json_int_t)stop->number, prev,
					(json_int_t)stop->place->pc, (json_int_t)stop->n,
					(json_int_t)planner->before));
	planner->planned++;
	return true;
}

/* A null prev is -1. */
static json_t *counts_of(const struct ora_recording *recording)
{
	json_t *ret = json_array();
	for (size_t i = 0; i < recording->transitions.len; i++) {
		const struct ora_transition *each = &recording->transitions.data[i];
		json_int_t prev = each->prev ? (json_int_t)each->prev->pc : -1;
		json_array_append_new(ret, json_pack("[I,I,I]", prev, (json_int_t)each->pc->pc,
						   (json_int_t)each->count));
	}
	return ret;
}

struct xs_error *ora_plan_make(const struct ora_run *run, const char *from, enum eng_sample sample,
	uint64_t seed, uint64_t limit, bool limit_kept, const struct xs_ranges *only, json_t **ret)
{
	XS_AUTO_CLOSE int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	/* A subject of its own: this one learns where the program was loaded. */
	struct ora_run own = *run;
	own.subject = NULL;
	own.out = own.err = nothing;
	struct planner planner = {
		.stops = json_array(), .only = only, .sample = sample, .seed = seed};
	struct ora_recording recording = {.run = own,
		.from = from,
		.mode = ENG_MODE_EXACT,
		.sample = sample,
		.seed = seed,
		.limit = limit,
		.limit_kept = limit_kept,
		.next = only ? next : NULL,
		.on_stop = on_stop,
		.on_step = on_step,
		.context = &planner};
	struct xs_error *err = nothing < 0 ? xs_error_sys("/dev/null") : NULL;
	if (!err && !(err = ora_run_open(&recording.run)))
		err = ora_record(&recording);
	if (!err && run->in >= 0)
		lseek(run->in, 0,
			SEEK_SET); /* the debugger reads the same, if it can be read again */
	/* What a run that was cut short would have come to, nobody knows. */
	bool known = !err && recording.end != ENG_END_INTERRUPTED;
	if (!err && !known && recording.interrupted_by != SIGALRM)
		err = xs_error_create("interrupted by SIG%s while xstep foretold the stops",
			sigabbrev_np(recording.interrupted_by));
	const char *end = recording.end == ENG_END_RETURN  ? "returned"
			  : recording.end == ENG_END_LIMIT ? "limit"
							   : "program";
	if (known)
		*ret = json_pack("{s:O, s:o, s:I, s:s}", "stops", planner.stops, "transitions",
			counts_of(&recording), "executed", (json_int_t)recording.stops, "end", end);
	json_decref(planner.stops);
	xs_vec_deinit(&planner.places);
	ora_recording_deinit(&recording);
	return err;
}
