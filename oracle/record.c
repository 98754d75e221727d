#include "oracle/record.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "engine/interrupt.h"

/* Enough for programs that run others or print text; the same everywhere, for the stack begins
 * below it. */
char *const ora_environment[] = {(char[]){"LC_ALL=C"}, (char[]){"PATH=/usr/bin:/bin"}, NULL};

struct xs_error *ora_recording_open(struct ora_recording *recording)
{
	struct xs_error *err;
	if (recording->subject)
		return NULL;
	struct di_module_options options = {
		.debug_file = recording->debug_file, .debug_root = recording->debug_root};
	if ((err = ora_subject_create(recording->path, &options, &recording->subject)))
		return err;
	if (access(recording->path, X_OK))
		return xs_error_sys("%s: cannot be executed", recording->path);
	return NULL;
}

void ora_recording_deinit(struct ora_recording *recording)
{
	ora_subject_destroy(recording->subject);
	recording->subject = NULL;
}

/* What became of a program that should have gone on. */
static struct xs_error *never_reached(
	const struct ora_recording *recording, const struct eng_process *process, const char *what)
{
	if (eng_interrupt_signal() && eng_interrupt_signal() != SIGALRM)
		return xs_error_create(
			"%s: interrupted before %s was reached", recording->path, what);
	if (eng_interrupt_signal())
		return xs_error_create("%s: %s was not reached within %g seconds", recording->path,
			what, recording->timeout);
	if (!process->ended)
		return xs_error_create(
			"%s: became another program before %s was reached", recording->path, what);
	if (process->end.kind == ENG_EVENT_EXITED)
		return xs_error_create("%s: exited with status %d before %s was reached",
			recording->path, process->end.status, what);
	return xs_error_create("%s: killed by SIG%s before %s was reached", recording->path,
		sigabbrev_np(process->end.signal), what);
}

static struct xs_error *run_to(const struct ora_recording *recording, struct eng_process *process,
	xs_addr address, const char *what)
{
	struct xs_ranges set = {0};
	struct eng_fence fence;
	struct eng_event event;
	xs_ranges_add(&set, address, address + 1);
	eng_fence_init(&fence, &set);
	xs_ranges_deinit(&set);
	struct xs_error *err = eng_process_run_into(process, &fence, 0, &event);
	eng_fence_deinit(&fence);
	if (!err && event.kind != ENG_EVENT_TRAP)
		err = never_reached(recording, process, what);
	/* A signal on the very doorstep: send it again, to arrive as soon as tracing begins. */
	if (!err && event.signal)
		kill(process->tracee.pid, event.signal);
	return err;
}

/* A stripped program does not say where main is, but its entry code does: the first call it makes
 * is that of the C library's start function, main being the first argument. */
static struct xs_error *find_main(
	const struct ora_recording *recording, struct eng_process *process, xs_addr *ret)
{
	const struct ora_module *module = &recording->subject->modules.data[0];
	struct user_regs_struct *regs;
	struct eng_insn insn = {0};
	struct eng_event event;
	struct xs_error *err;
	if ((err = run_to(
		     recording, process, module->info->entry + module->bias, "the entry point")))
		return err;
	for (int i = 0; i < 64; i++) {
		if ((err = eng_process_step(process, 0, &insn, &event)))
			return err;
		if (process->ended || event.kind != ENG_EVENT_STEP)
			break;
		if ((err = eng_tracee_regs(&process->tracee, &regs)))
			return err;
		*ret = regs->rdi;
		if (insn.kind == ENG_INSN_CALL &&
			xs_ranges_find(&module->info->code, regs->rdi - module->bias))
			return NULL;
		if (insn.kind == ENG_INSN_CALL)
			break;
	}
	return xs_error_create("%s: stripped, and its entry point does not lead to main; "
			       "keep its symbols (link without -s)",
		recording->path);
}

/* Stops the program at the first instruction of the function to begin at. */
static struct xs_error *run_to_start(
	const struct ora_recording *recording, struct eng_process *process)
{
	const struct ora_module *module = &recording->subject->modules.data[0];
	const struct di_functions *functions = &module->info->functions;
	const char *name = recording->from ? recording->from : "main";
	const struct di_function *function = di_functions_named(functions, name);
	xs_addr start = 0;
	struct xs_error *err;
	if (function) {
		start = function->entry + module->bias;
	} else if (!recording->from &&
		   (module->info->knowledge != DI_KNOW_LINES || !functions->complete)) {
		if ((err = find_main(recording, process, &start)))
			return err;
	} else {
		const char *nearest = di_functions_nearest(functions, name);
		return xs_error_create("%s: no function '%s'%s%s%s; choose one with --from",
			recording->path, name, nearest ? " (nearest: '" : "",
			nearest ? nearest : "", nearest ? "')" : "");
	}
	return run_to(recording, process, start, name);
}

/* Adds places to the engine's stop and passes it on. */
struct relay {
	struct ora_recording *recording;
	const struct ora_place *last;
};

static bool relay_stop(void *context, const struct eng_stop *stop)
{
	struct relay *relay = context;
	struct ora_stop full = {.number = stop->number,
		.prev = relay->last,
		.place = ora_subject_place(relay->recording->subject, stop->pc),
		.n = stop->n};
	relay->last = full.place;
	return relay->recording->on_stop(relay->recording->context, &full);
}

static struct xs_error *trace(struct ora_recording *recording, struct eng_process *process)
{
	struct relay relay = {.recording = recording};
	struct eng_trace trace = {.process = process,
		.ranges = &recording->subject->ranges,
		.limit = recording->limit,
		.on_stop = relay_stop,
		.context = &relay};
	struct xs_error *err = eng_trace_single(&trace);
	recording->end = trace.end;
	recording->stops = trace.stops;
	recording->transitions = trace.transitions.len;
	eng_trace_deinit(&trace);
	return err;
}

struct xs_error *ora_record(struct ora_recording *recording)
{
	XS_AUTO(eng_process) process = NULL;
	struct xs_error *err;
	if ((err = ora_recording_open(recording)))
		return err;
	struct eng_launch launch = {.path = recording->path,
		.argv = recording->argv,
		.environment = recording->environment ? recording->environment : ora_environment,
		.in = recording->in,
		.out = recording->out,
		.err = recording->err};
	if ((err = eng_process_create(&launch, recording->timeout, &process)) ||
		(err = ora_subject_locate(recording->subject, process)) ||
		(err = run_to_start(recording, process)))
		return err;
	for (size_t i = 0; i < recording->module_count; i++)
		if ((err = ora_subject_add_module(
			     recording->subject, process, recording->modules[i])))
			return err;
	if ((err = trace(recording, process)))
		return err;
	/* A trace that was cut ends the program; one that is complete lets it end by itself. */
	if (recording->end == ENG_END_RETURN || recording->end == ENG_END_EXEC ||
		recording->end == ENG_END_PROGRAM) {
		if ((err = eng_process_finish(process)))
			return err;
		recording->finished = true;
		recording->fate = process->end;
	}
	recording->interrupted_by = eng_interrupt_signal();
	if (recording->interrupted_by)
		recording->end = ENG_END_INTERRUPTED;
	return NULL;
}
