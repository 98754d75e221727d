#include "engine/trace.h"

#include "engine/interrupt.h"
#include "engine/threads.h"

/* Notes where the call that begins here will return to. */
static struct xs_error *begin(struct eng_trace *trace)
{
	struct user_regs_struct *regs;
	struct xs_error *err;
	trace->prev = trace->return_to = XS_ADDR_NONE;
	if (trace->joins)
		return NULL;
	if ((err = eng_tracee_regs(&trace->process->tracee, &regs)))
		return err;
	trace->entry_sp = regs->rsp + trace->above;
	/* The program's entry is not called: argc is where a return address would be. */
	xs_addr top;
	if ((err = eng_tracee_read(&trace->process->tracee, trace->entry_sp, &top, sizeof top)))
		return err;
	if (eng_process_is_code(trace->process, top))
		trace->return_to = top;
	return NULL;
}

size_t eng_trace_counter(struct eng_trace *trace, xs_addr prev, xs_addr pc)
{
	xs_addr home = eng_trace_home(trace, pc);
	uint64_t *index = xs_map_at(&trace->transitions, prev, home);
	if (!*index) {
		xs_vec_push(&trace->counts, 0);
		xs_vec_push(
			&trace->dues, trace->next ? trace->next(trace->context, prev, home, 0) : 1);
		*index = trace->counts.len;
		uint64_t *into = xs_map_at(&trace->into, home, 0);
		xs_vec_push(&trace->into_too, *into);
		*into = *index;
	}
	return *index - 1;
}

uint64_t eng_trace_arrivals(struct eng_trace *trace, xs_addr pc)
{
	const uint64_t *into = xs_map_find(&trace->into, pc, 0);
	uint64_t ret = 0;
	for (size_t i = into ? *into : 0; i; i = trace->into_too.data[i - 1]) {
		if (trace->also)
			trace->also->settle(trace->also_arg, i - 1);
		ret += trace->counts.data[i - 1];
	}
	return ret;
}

bool eng_trace_wants(const struct eng_trace *trace, size_t counter, xs_addr prev, xs_addr pc)
{
	uint64_t n = trace->counts.data[counter] + 1;
	return (trace->live && trace->dues.data[counter] == n) ||
	       (trace->wants && trace->wants(trace->context, prev, pc, n));
}

static bool emit(struct eng_trace *trace, const struct eng_stop *stop)
{
	trace->prev = stop->pc;
	if (!trace->on_stop(trace->context, stop)) {
		trace->end = ENG_END_CALLER;
		return false;
	}
	if ((trace->limit && trace->stops >= trace->limit) ||
		(trace->patience && trace->stops > trace->patience)) {
		trace->end = ENG_END_LIMIT;
		return false;
	}
	return true;
}

bool eng_trace_emit(struct eng_trace *trace, xs_addr pc, size_t counter, bool live)
{
	if (trace->also) {
		trace->also->settle(trace->also_arg, counter);
		trace->stops = trace->also->number(trace->also_arg);
	}
	struct eng_stop stop = {.number = ++trace->stops,
		.prev = trace->prev,
		.pc = eng_trace_home(trace, pc),
		.live = live};
	stop.n = ++trace->counts.data[counter];
	stop.due = stop.n == trace->dues.data[counter];
	if (stop.due)
		trace->dues.data[counter] =
			trace->next ? trace->next(trace->context, stop.prev, stop.pc, stop.n)
				    : stop.n + 1;
	if (trace->also)
		trace->also->counted(trace->also_arg, counter);
	return emit(trace, &stop);
}

struct xs_error *eng_trace_arrive(struct eng_trace *trace, xs_addr before,
	const struct eng_insn *insn, const struct eng_event *event, int *signal, enum eng_turn *ret)
{
	struct eng_process *process = trace->process;
	struct user_regs_struct *regs;
	struct xs_error *err;
	*ret = ENG_TURN_OVER;
	if (!process->ended && event->kind == ENG_EVENT_EXEC) {
		trace->end = ENG_END_EXEC;
		return NULL;
	}
	if (!process->ended && (err = eng_process_regs(process, &regs)))
		return err;
	if (process->ended) {
		trace->end = ENG_END_PROGRAM;
		return NULL;
	}
	/* After a step TRAP is the program's own int3; after a run event->signal says what came
	 * before the arrival. */
	*signal = event->kind == ENG_EVENT_STEP ? 0 : event->signal;
	if (regs->rip == trace->return_to && regs->rsp > trace->entry_sp) {
		trace->signal = *signal;
		trace->end = ENG_END_RETURN;
		return NULL;
	}
	/* Still where it was: a signal came first (nothing was executed), or a repeated instruction
	 * is not done. A jump to itself is a transition like any other. */
	bool same = insn && regs->rip == before &&
		    (event->kind == ENG_EVENT_SIGNAL || insn->kind == ENG_INSN_REP);
	*ret = ENG_TURN_SAME;
	if (same || !xs_ranges_find(trace->ranges, regs->rip))
		return NULL;
	size_t counter = eng_trace_counter(trace, trace->prev, regs->rip);
	*ret = eng_trace_emit(trace, regs->rip, counter, true) ? ENG_TURN_STOP : ENG_TURN_OVER;
	return NULL;
}

struct xs_error *eng_trace_step(
	struct eng_trace *trace, struct eng_fence *fence, int *signal, enum eng_turn *ret)
{
	struct eng_process *process = trace->process;
	struct eng_insn insn = {0};
	struct eng_event event = {0};
	struct xs_error *err;
	xs_addr before;
	if ((err = eng_tracee_pc(&process->tracee, &before)))
		return err;
	bool inside = xs_ranges_find(trace->ranges, before);
	trace->signals += *signal != 0;
	trace->steps += inside;
	err = inside ? eng_process_step(process, *signal, &insn, &event)
		     : eng_process_run_into(process, fence, *signal, &event);
	if (err)
		return err;
	return eng_trace_arrive(trace, before, inside ? &insn : NULL, &event, signal, ret);
}

struct xs_error *eng_trace_single(struct eng_trace *trace, struct eng_fence *fence)
{
	enum eng_turn turn = ENG_TURN_STOP;
	struct xs_error *err = NULL;
	int signal = 0;
	while (!err && turn != ENG_TURN_OVER) {
		struct user_regs_struct *regs;
		bool changed, over;
		if ((err = eng_process_regs(trace->process, &regs)))
			return err;
		if (trace->process->ended) {
			trace->end = ENG_END_PROGRAM;
			return NULL;
		}
		xs_addr pc = regs->rip;
		if ((err = eng_trace_offer(trace, pc, &over)) || over ||
			(err = eng_trace_reload(trace, fence, pc, &changed)))
			return err;
		err = eng_trace_step(trace, fence, &signal, &turn);
	}
	return err;
}

/* A fence around all ways into the ranges, and whatever else must be noticed outside of them. */
static void make_fence(const struct eng_trace *trace, struct eng_fence *fence)
{
	struct xs_ranges ways_in = {0};
	xs_ranges_add_all(&ways_in, trace->ranges);
	/* The call may return from code that nobody looks at, as after a tail call. */
	if (trace->return_to != XS_ADDR_NONE)
		xs_ranges_add(&ways_in, trace->return_to, trace->return_to + 1);
	if (trace->on_load)
		xs_ranges_add(&ways_in, trace->loader, trace->loader + 1);
	eng_fence_init(fence, &ways_in);
	xs_ranges_deinit(&ways_in);
}

static void remake_fence(const struct eng_trace *trace, struct eng_fence *fence)
{
	bool written = fence->changed;
	eng_fence_deinit(fence);
	make_fence(trace, fence);
	fence->changed = written;
}

struct xs_error *eng_trace_reload(
	struct eng_trace *trace, struct eng_fence *fence, xs_addr pc, bool *changed)
{
	struct xs_error *err;
	*changed = false;
	if (!eng_trace_at_loader(trace, pc))
		return NULL;
	if ((err = trace->on_load(trace->context, changed)) || !*changed)
		return err;
	remake_fence(trace, fence);
	if (trace->process->all)
		eng_threads_mark_stale(trace->process->all);
	return NULL;
}

bool eng_trace_code_changes(const struct eng_trace *trace, const struct eng_fence *fence)
{
	struct eng_tracee *tracee = &trace->process->tracee;
	bool told = tracee->regs_valid && eng_trace_at_loader(trace, tracee->regs.rip);
	return fence->changed || (fence->unmapped && !told) ||
	       eng_process_may_write(trace->process, trace->ranges);
}

void eng_trace_refit(struct eng_trace *trace)
{
	trace->stale = true;
	remake_fence(trace, trace->fence);
}

struct xs_error *eng_trace_offer(struct eng_trace *trace, xs_addr pc, bool *over)
{
	struct eng_threads *all = trace->process->all;
	*over = false;
	if (!all || !xs_ranges_find(trace->ranges, pc))
		return NULL;
	struct xs_error *err = eng_threads_offer(all, trace, pc, over);
	if (*over)
		trace->end = ENG_END_EXEC;
	return err;
}

static void on_tick(void *context)
{
	const struct eng_trace *trace = context;
	uint64_t stops = trace->also ? trace->also->number(trace->also_arg) : trace->stops;
	if (trace->on_running)
		trace->on_running(trace->context, stops);
	if (trace->patience && stops > trace->patience)
		eng_interrupt_kill(trace->process->pidfd);
}

struct xs_error *eng_trace_run(struct eng_trace *trace)
{
	struct eng_fence fence;
	xs_addr pc = XS_ADDR_NONE;
	struct xs_error *err;
	if ((err = begin(trace)) ||
		(!trace->joins && (err = eng_tracee_pc(&trace->process->tracee, &pc))))
		return err;
	make_fence(trace, &fence);
	trace->fence = &fence;
	if (trace->process->all)
		trace->process->all->current->trace = trace;
	/* Where the program runs by itself, no stop may come for long. */
	if (trace->sparse && (trace->on_running || trace->patience))
		eng_tick_begin(&trace->process->tick, on_tick, trace);
	if (trace->joins ||
		eng_trace_emit(trace, pc, eng_trace_counter(trace, XS_ADDR_NONE, pc), true))
		err = trace->mode == ENG_MODE_EXACT ? eng_trace_exact(trace, &fence)
						    : eng_trace_single(trace, &fence);
	/* A thread can be gone at any moment: another one has ended the program, or the kernel. */
	struct eng_event event = {0};
	bool failed = err;
	if (failed && !(err = eng_process_excuse(trace->process, err, &event)))
		trace->end = event.kind == ENG_EVENT_EXEC ? ENG_END_EXEC : ENG_END_PROGRAM;
	eng_tick_end(&trace->process->tick);
	if (trace->process->all)
		trace->process->all->current->trace = NULL;
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
	xs_vec_deinit(&trace->counts);
	xs_vec_deinit(&trace->dues);
	xs_map_deinit(&trace->into);
	xs_vec_deinit(&trace->into_too);
}
