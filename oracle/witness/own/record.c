#include "oracle/witness/own/record.h"

#include <signal.h>
#include <time.h>

#include "base/clock.h"
#include "engine/interrupt.h"
#include "engine/loader.h"
#include "engine/threads.h"
#include "oracle/witness/own/follow.h"
#include "oracle/witness/own/start.h"

enum { PROGRESS_STEPS = 4096 }; /* between two calls of on_progress */

/* Adds places to the engine's stop and passes it on. */
struct relay {
	struct ora_recording *recording;
	struct ora_machine *machine;
	struct ora_follow *follow; /* the shared objects that are of interest */
	struct crowd *crowd;       /* if all threads are traced */

	uint64_t progress; /* number of the stop at which on_progress is called next */

	/* Unless one step is one instruction: */
	struct ora_sieve sieve;
	struct xs_map transitions; /* like the engine's, of what passed */
	XS_VEC(uint64_t) counts;
	XS_VEC(uint64_t) dues;
	uint64_t stops;       /* likewise */
	xs_addr prev;         /* pc of the last of them */
	struct xs_error *err; /* why the trace ended */
};

/* All threads of a program. */
struct crowd {
	struct eng_threads threads;
	struct ora_recording *recording; /* of the first */
	struct ora_machine *machine;     /* of the one whose turn it is */
	struct ora_follow *follow;
	uint64_t stops; /* of all together */
	bool limited;   /* that were as many as are wanted */
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

/* Which arrival is kept after the n-th, which is. */
static uint64_t next_kept(
	const struct ora_recording *recording, xs_addr prev, xs_addr pc, uint64_t n)
{
	if (recording->next)
		return recording->next(recording->context, link_time(recording, prev),
			link_time(recording, pc), n);
	if (recording->sample != ENG_SAMPLE_DTD || n < 2)
		return eng_sample_next(recording->sample, 0, 0, 0, n);
	return eng_sample_next(recording->sample, recording->seed, link_time(recording, prev),
		link_time(recording, pc), n);
}

static uint64_t relay_next(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	const struct relay *relay = context;
	return next_kept(relay->recording, prev, pc, n);
}

static void relay_running(void *context, uint64_t stops)
{
	const struct relay *relay = context;
	relay->recording->on_progress(relay->recording->context, stops);
}

static bool relay_stop(void *context, const struct eng_stop *stop)
{
	struct relay *relay = context;
	struct ora_recording *recording = relay->recording;
	struct ora_subject *subject = recording->run.subject;
	if (recording->on_progress && stop->number >= relay->progress) {
		recording->on_progress(recording->context, stop->number);
		relay->progress = stop->number + PROGRESS_STEPS;
	}
	if (stop->number == 1)
		recording->entry = ora_subject_place(subject, stop->pc);
	if (!stop->due && !recording->on_step)
		return true;
	recording->now = stop;
	struct ora_stop full = {.number = stop->number,
		.prev = stop->prev == XS_ADDR_NONE ? NULL : ora_subject_place(subject, stop->prev),
		.place = ora_subject_place(subject, stop->pc),
		.n = stop->n};
	if (recording->on_step)
		recording->on_step(recording->context, &full);
	if (!stop->due)
		return true;
	recording->kept++;
	full.target = stop->live ? &relay->machine->target : NULL;
	full.process = stop->live ? relay->machine->process : NULL;
	return recording->on_stop(recording->context, &full) &&
	       !(recording->limit_kept && recording->kept == recording->limit);
}

/* Whether a function begins at a stop because it was called. A jump may lead there, too, from code
 * that has something in the red zone. */
static bool is_called(const struct relay *relay, const struct eng_stop *stop)
{
	struct ora_subject *subject = relay->recording->run.subject;
	const struct ora_place *place = ora_subject_place(subject, stop->pc), *prev;
	if (!place->function || place->offset)
		return false;
	if (stop->prev == XS_ADDR_NONE)
		return true;
	prev = ora_subject_place(subject, stop->prev);
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(prev->module, prev->pc, &size);
	struct eng_insn insn = {0};
	if (bytes)
		insn = eng_insn_decode(bytes, size < ENG_INSN_MAX ? size : ENG_INSN_MAX);
	/* By way of the PLT, which no function is. */
	bool jump = insn.kind == ENG_INSN_INDIRECT_JUMP && !prev->function;
	return insn.kind == ENG_INSN_CALL || insn.kind == ENG_INSN_INDIRECT_CALL || jump;
}

/* The engine's stop, if it is one at this level, becomes the next of those that are. */
static bool sift_stop(void *context, const struct eng_stop *stop)
{
	struct relay *relay = context;
	struct ora_recording *recording = relay->recording;
	bool passes = false;
	if (recording->run.moved && stop->live && is_called(relay, stop) &&
		(relay->err = ora_run_forget(&recording->run, relay->machine->process)))
		return false;
	relay->err =
		ora_sieve_passes(&relay->sieve, ora_subject_place(recording->run.subject, stop->pc),
			stop->live ? &relay->machine->target : NULL, &passes);
	if (relay->err || !passes)
		return !relay->err;
	xs_assert(stop->live);
	uint64_t *index = xs_map_at(&relay->transitions, relay->prev, stop->pc);
	if (!*index) {
		xs_vec_push(&relay->counts, 0);
		xs_vec_push(&relay->dues, next_kept(recording, relay->prev, stop->pc, 0));
		*index = relay->counts.len;
	}
	uint64_t *due = &relay->dues.data[*index - 1];
	struct eng_stop next = {.number = ++relay->stops,
		.prev = relay->prev,
		.pc = stop->pc,
		.n = ++relay->counts.data[*index - 1],
		.live = true};
	next.due = next.n == *due;
	if (next.due)
		*due = next_kept(recording, relay->prev, stop->pc, next.n);
	relay->prev = stop->pc;
	return relay_stop(relay, &next) &&
	       (!recording->limit || recording->limit_kept || relay->stops < recording->limit);
}

/* The same where --limit counts the stops of all threads. */
static bool crowd_stop(void *context, const struct eng_stop *stop)
{
	struct relay *relay = context;
	struct crowd *crowd = relay->crowd;
	uint64_t limit = crowd->recording->limit;
	if (crowd->limited || !relay_stop(context, stop))
		return false;
	crowd->stops += stop->due || !crowd->recording->limit_kept;
	crowd->limited = limit && crowd->stops >= limit;
	return !crowd->limited;
}

struct ora_arrivals ora_recording_arrivals(const struct ora_recording *recording)
{
	const struct eng_stop *now = recording->now;
	struct ora_subject *subject = recording->run.subject;
	struct ora_arrivals ret = {.here = eng_trace_arrivals(recording->walk, now->pc)};
	/* The first stop of all is not one of them. */
	ret.here -= ora_subject_place(subject, now->pc) == recording->entry;
	if (now->prev == XS_ADDR_NONE)
		return ret;
	ret.before = eng_trace_arrivals(recording->walk, now->prev) - (now->prev == now->pc);
	ret.before -= ora_subject_place(subject, now->prev) == recording->entry;
	return ret;
}

static bool wants_sifted(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	struct relay *relay = context;
	struct ora_subject *subject = relay->recording->run.subject;
	(void)n;
	return ora_sieve_wants(&relay->sieve,
		prev == XS_ADDR_NONE ? NULL : ora_subject_place(subject, prev),
		ora_subject_place(subject, pc));
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

static struct xs_error *trace(struct ora_recording *recording, struct ora_machine *machine,
	struct ora_follow *follow, struct crowd *crowd, int *signal)
{
	struct eng_process *process = machine->process;
	xs_addr loader = XS_ADDR_NONE;
	uint64_t above = 0;
	struct xs_error *err = find_loader(recording, process, &loader);
	if (!err && recording->thread <= 1)
		err = ora_start_above(machine, recording->from, &above);
	if (err)
		return err;
	struct relay relay = {.recording = recording,
		.machine = machine,
		.follow = follow,
		.crowd = crowd,
		.sieve = {.level = recording->level,
			.module = recording->run.subject->modules.data[0].info},
		.progress = PROGRESS_STEPS,
		.prev = XS_ADDR_NONE};
	bool sifts = recording->level != ORA_LEVEL_INSTRUCTION;
	struct eng_trace trace = {.process = process,
		.ranges = &recording->run.subject->ranges,
		.mode = recording->mode,
		.joins = recording->thread > 1,
		.above = above,
		.limit = sifts || crowd || recording->limit_kept ? 0 : recording->limit,
		.patience = recording->patience,
		.next = sifts ? NULL : relay_next,
		.sparse = !sifts && !crowd && !recording->on_step &&
			  (recording->next || recording->sample == ENG_SAMPLE_DTD ||
				  recording->sample == ENG_SAMPLE_UNIQUE),
		.live = !sifts && recording->live,
		.wants = sifts ? wants_sifted : NULL,
		.on_running = recording->on_progress && !crowd && !sifts ? relay_running : NULL,
		.on_stop = sifts   ? sift_stop
			   : crowd ? crowd_stop
				   : relay_stop,
		.homes = &follow->homes,
		.on_load = loader != XS_ADDR_NONE ? relay_load : NULL,
		.loader = loader,
		.context = &relay};
	double began = xs_now();
	recording->walk = &trace;
	err = eng_trace_run(&trace);
	recording->walk = NULL;
	if (relay.err) {
		xs_error_destroy(err);
		err = relay.err;
	}
	recording->seconds = xs_now() - began;
	recording->end = trace.end;
	*signal = trace.signal;
	uint64_t limited = recording->limit_kept ? recording->kept : relay.stops;
	if ((sifts || recording->limit_kept) && trace.end == ENG_END_CALLER &&
		limited == recording->limit)
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
	xs_vec_deinit(&relay.dues);
	eng_trace_deinit(&trace);
	return err;
}

/* The recording of a thread that was just made. */
static struct xs_error *add_thread(struct crowd *crowd, unsigned number, struct ora_recording **ret)
{
	struct ora_recording *first = crowd->recording, *thread = xs_calloc(1, sizeof *thread);
	*thread = (struct ora_recording){.run = first->run,
		.thread = number,
		.modules = first->modules,
		.module_count = first->module_count,
		.mode = first->mode,
		.all_threads = true,
		.level = first->level,
		.sample = first->sample,
		.seed = first->seed,
		.live = first->live,
		.on_stop = first->on_stop,
		.on_step = first->on_step,
		.on_progress = first->on_progress,
		.context = first->context};
	xs_vec_push(&first->others, thread);
	*ret = thread;
	return first->on_thread ? first->on_thread(first->context, thread) : NULL;
}

/* Traces one of them to its end. */
static struct xs_error *walk_thread(void *context, unsigned number)
{
	struct crowd *crowd = context;
	struct ora_recording *recording = crowd->recording;
	struct xs_error *err;
	int signal = 0;
	if (number > 1 && (err = add_thread(crowd, number, &recording)))
		return err;
	recording->thread = number;
	if ((err = trace(recording, crowd->machine, crowd->follow, crowd, &signal)))
		return err;
	if (crowd->limited)
		recording->end = ENG_END_LIMIT;
	if (recording->end == ENG_END_LIMIT || recording->end == ENG_END_CALLER)
		eng_threads_kill(&crowd->threads);
	/* The program is not over while its first thread is not. */
	if (number == 1 && recording->end == ENG_END_RETURN)
		return eng_process_finish(crowd->machine->process, signal);
	return NULL;
}

static struct xs_error *trace_all(
	struct ora_recording *recording, struct ora_machine *machine, struct ora_follow *follow)
{
	struct crowd crowd = {.recording = recording, .machine = machine, .follow = follow};
	crowd.threads.process = machine->process;
	crowd.threads.walk = walk_thread;
	crowd.threads.context = &crowd;
	struct xs_error *err = eng_threads_run(&crowd.threads);
	/* Whichever came to it: the limit is that of all. */
	for (size_t i = 0; crowd.limited && i < recording->others.len; i++)
		if (recording->others.data[i]->end == ENG_END_PROGRAM)
			recording->others.data[i]->end = ENG_END_LIMIT;
	if (crowd.limited && recording->end == ENG_END_PROGRAM)
		recording->end = ENG_END_LIMIT;
	return err;
}

static struct xs_error *record(struct ora_recording *recording)
{
	XS_AUTO(eng_process) process = NULL;
	XS_AUTO(ora_machine) machine = NULL;
	struct xs_error *err;
	if ((err = ora_run_launch(&recording->run, &process)) ||
		(err = ora_start_run(&recording->run, process, recording->from)))
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
		err = ora_machine_create(process, recording->run.subject, &machine);
	if (!err)
		err = recording->all_threads ? trace_all(recording, machine, &follow)
					     : trace(recording, machine, &follow, NULL, &signal);
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
	for (size_t i = 0; recording->interrupted_by && i < recording->others.len; i++) {
		recording->others.data[i]->interrupted_by = recording->interrupted_by;
		recording->others.data[i]->end = ENG_END_INTERRUPTED;
	}
	return err;
}

static void deinit_results(struct ora_recording *recording)
{
	xs_vec_deinit(&recording->transitions);
	xs_vec_deinit(&recording->never);
	free(xs_take(&recording->loaded));
}

void ora_recording_release(struct ora_recording *recording)
{
	for (size_t i = 0; i < recording->others.len; i++) {
		deinit_results(recording->others.data[i]);
		free(recording->others.data[i]);
	}
	xs_vec_deinit(&recording->others);
	deinit_results(recording);
}

void ora_recording_deinit(struct ora_recording *recording)
{
	ora_recording_release(recording);
	ora_run_deinit(&recording->run);
}

enum eng_sample ora_own_sample(int sample)
{
	static const enum eng_sample samples[] = {[ORA_SAMPLE_NONE] = ENG_SAMPLE_NONE,
		[ORA_SAMPLE_ALL] = ENG_SAMPLE_ALL,
		[ORA_SAMPLE_UNIQUE] = ENG_SAMPLE_UNIQUE,
		[ORA_SAMPLE_DTD] = ENG_SAMPLE_DTD};
	return samples[sample];
}

enum eng_mode ora_own_mode(int mode)
{
	return mode == ORA_MODE_SINGLE ? ENG_MODE_SINGLE : ENG_MODE_EXACT;
}
