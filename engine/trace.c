#include "engine/trace.h"

#include <signal.h>

#include "engine/interrupt.h"

/* Notes where the call that begins here will return to. */
static struct xs_error *begin(struct eng_trace *trace)
{
	struct user_regs_struct *regs;
	struct xs_error *err;
	trace->prev = trace->return_to = XS_ADDR_NONE;
	if ((err = eng_tracee_regs(&trace->process->tracee, &regs)))
		return err;
	trace->entry_sp = regs->rsp;
	/* The program's entry is not called: argc is where a return address would be. */
	xs_addr top;
	if ((err = eng_tracee_read(&trace->process->tracee, regs->rsp, &top, sizeof top)))
		return err;
	if (eng_process_is_code(trace->process, top))
		trace->return_to = top;
	return NULL;
}

/* Whether the traced call has just returned. */
static bool returned(const struct eng_trace *trace, const struct user_regs_struct *regs)
{
	return regs->rip == trace->return_to && regs->rsp > trace->entry_sp;
}

/* The thread is at pc, which is of interest. False if the walk is over. */
static bool emit(struct eng_trace *trace, xs_addr pc)
{
	struct eng_stop stop = {.number = ++trace->stops, .prev = trace->prev, .pc = pc};
	stop.n = ++*xs_map_at(&trace->transitions, stop.prev, pc);
	trace->prev = pc;
	if (!trace->on_stop(trace->context, &stop)) {
		trace->end = ENG_END_CALLER;
		return false;
	}
	if (trace->limit && trace->stops >= trace->limit) {
		trace->end = ENG_END_LIMIT;
		return false;
	}
	return true;
}

/* The loop of the single mode. On entry and at each turn the thread is stopped at pc, and if that
 * is of interest, its stop has been emitted. */
static struct xs_error *walk(struct eng_trace *trace, struct eng_fence *fence)
{
	struct eng_process *process = trace->process;
	struct user_regs_struct *regs;
	struct eng_insn insn = {0};
	struct eng_event event = {0};
	struct xs_error *err;
	int signal = 0;

	if ((err = eng_tracee_regs(&process->tracee, &regs)))
		return err;
	for (bool more = emit(trace, regs->rip); more;) {
		xs_addr before = regs->rip;
		bool inside = xs_ranges_find(trace->ranges, before);
		err = inside ? eng_process_step(process, signal, &insn, &event)
			     : eng_process_run_into(process, fence, signal, &event);
		if (err)
			return err;
		if (process->ended || event.kind == ENG_EVENT_EXEC) {
			trace->end = process->ended ? ENG_END_PROGRAM : ENG_END_EXEC;
			return NULL;
		}
		if ((err = eng_process_regs(process, &regs)))
			return err;
		if (process->ended) {
			trace->end = ENG_END_PROGRAM;
			return NULL;
		}
		/* After a step TRAP is the program's own int3; after a run event.signal says what
		 * came before the arrival. */
		signal = event.kind == ENG_EVENT_STEP ? 0 : event.signal;
		if (returned(trace, regs)) {
			trace->signal = signal;
			trace->end = ENG_END_RETURN;
			return NULL;
		}
		if (!xs_ranges_find(trace->ranges, regs->rip))
			continue;
		/* Still where it was: a signal came first (nothing was executed), or a repeated
		 * instruction is not done. A jump to itself is a transition like any other. */
		if (inside && regs->rip == before &&
			(event.kind == ENG_EVENT_SIGNAL || insn.kind == ENG_INSN_REP))
			continue;
		more = emit(trace, regs->rip);
	}
	return NULL;
}

struct xs_error *eng_trace_single(struct eng_trace *trace)
{
	struct xs_ranges ways_in = {0};
	struct eng_fence fence;
	struct xs_error *err = begin(trace);
	if (err)
		return err;
	for (size_t i = 0; i < trace->ranges->vec.len; i++)
		xs_ranges_add(
			&ways_in, trace->ranges->vec.data[i].lo, trace->ranges->vec.data[i].hi);
	/* The call may return from code that nobody looks at, as after a tail call. */
	if (trace->return_to != XS_ADDR_NONE)
		xs_ranges_add(&ways_in, trace->return_to, trace->return_to + 1);
	xs_ranges_normalise(&ways_in);
	eng_fence_init(&fence, &ways_in);
	xs_ranges_deinit(&ways_in);
	err = walk(trace, &fence);
	eng_fence_deinit(&fence);
	if (eng_interrupt_signal()) {
		/* Whatever failed, failed because the program was killed under our hands. */
		xs_error_destroy(err);
		err = NULL;
		trace->end = ENG_END_INTERRUPTED;
	}
	return err;
}

void eng_trace_deinit(struct eng_trace *trace)
{
	xs_map_deinit(&trace->transitions);
}
