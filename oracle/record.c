#include "oracle/record.h"

#include <signal.h>

#include "engine/interrupt.h"

/* Adds places to the engine's stop and passes it on. */
struct relay {
	struct ora_recording *recording;
	struct ora_machine *machine;
	const struct ora_place *last;
};

static bool relay_stop(void *context, const struct eng_stop *stop)
{
	struct relay *relay = context;
	struct ora_stop full = {.number = stop->number,
		.prev = relay->last,
		.place = ora_subject_place(relay->recording->run.subject, stop->pc),
		.n = stop->n,
		.target = stop->live ? &relay->machine->target : NULL};
	relay->last = full.place;
	return relay->recording->on_stop(relay->recording->context, &full);
}

static bool wants_live(void *context, xs_addr prev, xs_addr pc, uint64_t n)
{
	(void)context, (void)prev, (void)pc, (void)n;
	return true;
}

static struct xs_error *trace(
	struct ora_recording *recording, struct eng_process *process, int *signal)
{
	XS_AUTO(ora_machine) machine = NULL;
	struct xs_error *err = ora_machine_create(process, recording->run.subject, &machine);
	if (err)
		return err;
	struct relay relay = {.recording = recording, .machine = machine};
	struct eng_trace trace = {.process = process,
		.ranges = &recording->run.subject->ranges,
		.mode = recording->mode,
		.limit = recording->limit,
		.wants = recording->live ? wants_live : NULL,
		.on_stop = relay_stop,
		.context = &relay};
	err = eng_trace_run(&trace);
	recording->end = trace.end;
	*signal = trace.signal;
	recording->stops = trace.stops;
	for (size_t i = 0; i < trace.counts.len; i++)
		recording->transitions += trace.counts.data[i] != 0;
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
	for (size_t i = 0; i < recording->module_count; i++)
		if ((err = ora_subject_add_module(
			     recording->run.subject, process, recording->modules[i])))
			return err;
	int signal = 0;
	if ((err = trace(recording, process, &signal)))
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
