#include "oracle/record.h"

#include <signal.h>
#include <time.h>

#include "engine/interrupt.h"
#include "engine/loader.h"
#include "oracle/follow.h"

enum { PROGRESS_STEPS = 4096 }; /* between two calls of on_progress */

/* Adds places to the engine's stop and passes it on. */
struct relay {
	struct ora_recording *recording;
	struct ora_machine *machine;
	struct ora_follow *follow; /* the shared objects that are of interest */

	/* Unless one step is one instruction: */
	struct ora_sieve sieve;
	struct xs_map transitions; /* like the engine's, of what passed */
	XS_VEC(uint64_t) counts;
	uint64_t stops;       /* likewise */
	xs_addr prev;         /* pc of the last of them */
	struct xs_error *err; /* why the trace ended */
};

/* The link-time address of a home address that is of interest. */
static xs_addr link_time(const struct ora_recording *recording, xs_addr pc)
{
	if (pc == XS_ADDR_NONE)
		return pc;
	/* Without other modules there is nothing to look up, and this is done at every step. */
	return recording->module_count ? ora_subject_place(recording->run.subject, pc)->pc
				       : pc - recording->run.subject->modules.data[0].bias;
}

static bool keeps(const struct ora_recording *recording, xs_addr prev, xs_addr pc, uint64_t n)
{
	if (recording->sample != ENG_SAMPLE_DTD || n < 2)
		return eng_sample_keeps(recording->sample, 0, 0, 0, n);
	return eng_sample_keeps(recording->sample, recording->seed, link_time(recording, prev),
		link_time(recording, pc), n);
}

static bool relay_stop(void *context, const struct eng_stop *stop)
{
	struct relay *relay = context;
	struct ora_recording *recording = relay->recording;
	struct ora_subject *subject = recording->run.subject;
	if (recording->on_progress && stop->number % PROGRESS_STEPS == 0)
		recording->on_progress(recording->context, stop->number);
	bool kept = keeps(recording, stop->prev, stop->pc, stop->n);
	if (!kept && !recording->on_step)
		return true;
	struct ora_stop full = {.number = stop->number,
		.prev = stop->prev == XS_ADDR_NONE ? NULL : ora_subject_place(subject, stop->prev),
		.place = ora_subject_place(subject, stop->pc),
		.n = stop->n};
	if (recording->on_step)
		recording->on_step(recording->context, &full);
	if (!kept)
		return true;
	recording->kept++;
	full.target = stop->live ? &relay->machine->target : NULL;
	return recording->on_stop(recording->context, &full);
}

/* The engine's stop, if it is one at this level, becomes the next of those that are. */
static bool sift_stop(void *context, const struct eng_stop *stop)
{
	struct relay *relay = context;
	struct ora_recording *recording = relay->recording;
	bool passes = false;
	relay->err =
		ora_sieve_passes(&relay->sieve, ora_subject_place(recording->run.subject, stop->pc),
			&relay->machine->target, &passes);
	if (relay->err || !passes)
		return !relay->err;
	uint64_t *index = xs_map_at(&relay->transitions, relay->prev, stop->pc);
	if (!*index) {
		xs_vec_push(&relay->counts, 0);
		*index = relay->counts.len;
	}
	struct eng_stop next = {.number = ++relay->stops,
		.prev = relay->prev,
		.pc = stop->pc,
		.n = ++relay->counts.data[*index - 1],
		.live = true};
	relay->prev = stop->pc;
	return relay_stop(relay, &next) && (!recording->limit || relay->stops < recording->limit);
}

static bool wants_all(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	(void)context, (void)prev, (void)pc, (void)n;
	return true;
}

static bool wants_live(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct relay *relay = context;
	return keeps(relay->recording, prev, pc, n);
}

/* Shared objects came or went. */
static struct xs_error *relay_load(void *context, bool *changed)
{
	struct relay *relay = context;
	struct xs_error *err = ora_follow_look(relay->follow, changed);
	if (err)
		return err;
	return ora_machine_reload(relay->machine);
}

static int by_address(const void *a, const void *b)
{
	const struct xs_map_slot *left = a, *right = b;
	/* The first has no prev: XS_ADDR_NONE + 1 is 0. */
	if (left->a != right->a)
		return left->a + 1 < right->a + 1 ? -1 : 1;
	return left->b < right->b ? -1 : left->b > right->b;
}

/* What was counted, in order and with places. */
static void keep_transitions(
	struct ora_recording *recording, const struct xs_map *transitions, const uint64_t *counts)
{
	struct ora_subject *subject = recording->run.subject;
	XS_VEC(struct xs_map_slot) slots = {0};
	for (size_t i = 0; i < transitions->cap; i++) {
		struct xs_map_slot slot = transitions->slots[i];
		if (!slot.used || !counts[slot.value - 1])
			continue;
		slot.value = counts[slot.value - 1];
		xs_vec_push(&slots, slot);
	}
	if (slots.len)
		qsort(slots.data, slots.len, sizeof *slots.data, by_address);
	for (size_t i = 0; i < slots.len; i++) {
		const struct xs_map_slot *slot = &slots.data[i];
		struct ora_transition transition = {.pc = ora_subject_place(subject, slot->b),
			.prev = slot->a == XS_ADDR_NONE ? NULL
							: ora_subject_place(subject, slot->a),
			.count = slot->value};
		xs_vec_push(&recording->transitions, transition);
	}
	xs_vec_deinit(&slots);
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Where the loader tells what it did. */
static struct xs_error *find_loader(
	const struct ora_recording *recording, struct eng_process *process, xs_addr *ret)
{
	struct xs_error *err;
	if (!recording->module_count)
		return NULL;
	if ((err = eng_loader_find(process, ret)) || *ret != XS_ADDR_NONE)
		return err;
	return xs_error_create("--module %s: %s is static: it loads no shared objects",
		recording->modules[0], recording->run.path);
}

static struct xs_error *trace(struct ora_recording *recording, struct eng_process *process,
	struct ora_follow *follow, int *signal)
{
	xs_addr loader = XS_ADDR_NONE;
	XS_AUTO(ora_machine) machine = NULL;
	struct xs_error *err = ora_machine_create(process, recording->run.subject, &machine);
	if (err)
		return err;
	if ((err = find_loader(recording, process, &loader)))
		return err;
	struct relay relay = {.recording = recording,
		.machine = machine,
		.follow = follow,
		.sieve = {.level = recording->level,
			.module = recording->run.subject->modules.data[0].info},
		.prev = XS_ADDR_NONE};
	bool sifts = recording->level != ORA_LEVEL_INSTRUCTION;
	struct eng_trace trace = {.process = process,
		.ranges = &recording->run.subject->ranges,
		.mode = recording->mode,
		.limit = sifts ? 0 : recording->limit,
		.wants = sifts             ? wants_all
			 : recording->live ? wants_live
					   : NULL,
		.on_stop = sifts ? sift_stop : relay_stop,
		.homes = &follow->homes,
		.on_load = loader != XS_ADDR_NONE ? relay_load : NULL,
		.loader = loader,
		.context = &relay};
	double began = now();
	err = eng_trace_run(&trace);
	if (relay.err) {
		xs_error_destroy(err);
		err = relay.err;
	}
	recording->seconds = now() - began;
	recording->end = trace.end;
	*signal = trace.signal;
	if (sifts && trace.end == ENG_END_CALLER && relay.stops == recording->limit)
		recording->end = ENG_END_LIMIT;
	recording->stops = sifts ? relay.stops : trace.stops;
	recording->traps = trace.traps;
	recording->steps = trace.steps;
	recording->signals = trace.signals;
	if (sifts)
		keep_transitions(recording, &relay.transitions, relay.counts.data);
	else
		keep_transitions(recording, &trace.transitions, trace.counts.data);
	ora_sieve_deinit(&relay.sieve);
	xs_map_deinit(&relay.transitions);
	xs_vec_deinit(&relay.counts);
	for (size_t i = 0; i < trace.saturated.len; i++)
		xs_vec_push(&recording->saturated,
			ora_subject_place(recording->run.subject, trace.saturated.data[i]));
	eng_trace_deinit(&trace);
	return err;
}

static struct xs_error *record(struct ora_recording *recording)
{
	XS_AUTO(eng_process) process = NULL;
	struct xs_error *err;
	if ((err = ora_run_launch(&recording->run, &process)) ||
		(err = ora_run_to_function(&recording->run, process, recording->from)))
		return err;
	struct ora_follow follow = {.subject = recording->run.subject,
		.process = process,
		.names = recording->modules,
		.count = recording->module_count};
	int signal = 0;
	bool changed;
	if (follow.count)
		err = ora_follow_look(&follow, &changed);
	if (!err)
		err = trace(recording, process, &follow, &signal);
	for (size_t i = 0; !err && i < follow.count; i++)
		if (!follow.met[i])
			xs_vec_push(&recording->never, follow.names[i]);
	recording->loaded = xs_take(&follow.others);
	ora_follow_deinit(&follow);
	if (err)
		return err;
	/* A trace that was cut ends the program; one that is complete lets it end by itself. */
	if (recording->end == ENG_END_RETURN || recording->end == ENG_END_EXEC ||
		recording->end == ENG_END_PROGRAM) {
		if ((err = eng_process_finish(process, signal)))
			return err;
		recording->finished = true;
		recording->fate = process->end;
	}
	return NULL;
}

struct xs_error *ora_record(struct ora_recording *recording)
{
	struct xs_error *err = record(recording);
	recording->interrupted_by = eng_interrupt_signal();
	if (recording->interrupted_by)
		recording->end = ENG_END_INTERRUPTED;
	return err;
}

void ora_recording_deinit(struct ora_recording *recording)
{
	xs_vec_deinit(&recording->transitions);
	xs_vec_deinit(&recording->saturated);
	xs_vec_deinit(&recording->never);
	free(xs_take(&recording->loaded));
	ora_run_deinit(&recording->run);
}
