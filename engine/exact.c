/* exact.c - from the end of a block to the end of the next, without single-stepping.
 *
 * A trap stands on the last instruction of each block. The program runs there at full speed; the
 * branch is worked out here, from registers and flags, and the program goes straight on in the next
 * block: nothing is restored, nothing stepped over. What was passed on the way is emitted when the
 * block has run, up to where it really stopped, for a signal may come earlier.
 *
 * Where that does not do (a stop that must be live, a system call, an int3 of the program's own,
 * overlapping code, other threads), one instruction is stepped as in the single mode. */
#include <signal.h>
#include <sys/ptrace.h>

#include "base/log.h"
#include "engine/block.h"
#include "engine/branch.h"
#include "engine/cached.h"
#include "engine/threads.h"

struct exact {
	struct eng_trace *trace;
	struct eng_fence *fence;
	struct eng_blocks blocks;
	struct eng_traps traps;
	int signal;    /* to be delivered next */
	bool stepping; /* the code changes: nothing that was decoded holds */
};

static size_t counter_of(void *arg, xs_addr prev, xs_addr pc)
{
	return eng_trace_counter(arg, eng_trace_home(arg, prev), pc);
}

/* The index of the instruction at pc in a block; count if it is not part of it. */
static unsigned index_of(const struct eng_block *block, xs_addr pc)
{
	/* Nearly always the last. */
	if (block->insns[block->count - 1].pc == pc)
		return block->count - 1;
	unsigned i = 0;
	while (i < block->count && block->insns[i].pc != pc)
		i++;
	return i;
}

/* How far the block may run before a stop must be live: the index of that instruction, or of the
 * last one. */
static unsigned run_length(const struct exact *exact, const struct eng_block *block, unsigned from)
{
	const struct eng_trace *trace = exact->trace;
	if (!eng_trace_is_looked_at(trace))
		return block->count - 1;
	for (unsigned i = from + 1; i < block->count; i++)
		if (eng_trace_wants(trace, block->insns[i].counter,
			    eng_trace_home(trace, block->insns[i - 1].pc),
			    eng_trace_home(trace, block->insns[i].pc)))
			return i;
	return block->count - 1;
}

/* Emits what has been passed: behind instruction `from` up to `to`, where the thread is now. */
static bool emit_passed(
	struct eng_trace *trace, const struct eng_block *block, unsigned from, unsigned to)
{
	for (unsigned i = from + 1; i <= to; i++)
		if (!eng_trace_emit(trace, block->insns[i].pc, block->insns[i].counter, i == to))
			return false;
	return true;
}

static struct xs_error *step(struct exact *exact, enum eng_turn *ret)
{
	return eng_trace_step(exact->trace, exact->fence, &exact->signal, ret);
}

/* Runs the block from instruction `from`, where the thread is, to `to` at most. */
static struct xs_error *run(struct exact *exact, const struct eng_block *block, unsigned from,
	unsigned to, enum eng_turn *ret)
{
	struct eng_trace *trace = exact->trace;
	struct eng_process *process = trace->process;
	struct user_regs_struct *regs;
	struct eng_event event;
	struct xs_error *err;
	xs_addr goal = block->insns[to].pc;
	bool temporary = !eng_traps_has(&exact->traps, goal);
	if (temporary && (err = eng_traps_add(&exact->traps, &process->tracee, goal)))
		return err;
	/* Where nothing of the block begins behind the trap, its pc alone tells that it was hit. */
	bool certain =
		to + 1 == block->count ? block->certain : index_of(block, goal + 1) == block->count;
	err = certain ? eng_process_go_to(process, goal, &event)
		      : eng_process_go(process, PTRACE_CONT, 0, &event);
	if (err)
		return err;
	*ret = ENG_TURN_OVER;
	if (!process->ended && (err = eng_process_regs(process, &regs)))
		return err;
	if (process->ended) {
		trace->end = ENG_END_PROGRAM;
		return NULL;
	}
	bool trapped = event.kind == ENG_EVENT_TRAP && eng_traps_has(&exact->traps, regs->rip - 1);
	trace->traps += trapped;
	xs_addr pc = regs->rip - trapped;
	unsigned at = index_of(block, pc);
	if (at == block->count || at < from)
		return xs_error_create("code at 0x%" PRIx64
				       " is not what it was: it changes while it "
				       "runs; trace with --mode single",
			block->entry);
	if (trapped) {
		regs->rip = pc;
		process->tracee.pc_changed = true;
	}
	exact->signal = trapped || event.kind == ENG_EVENT_STEP ? 0 : event.signal;
	if (temporary && to + 1 < block->count &&
		(err = eng_traps_lift(&exact->traps, &process->tracee, goal)))
		return err;
	*ret = emit_passed(trace, block, from, at) ? ENG_TURN_STOP : ENG_TURN_OVER;
	return NULL;
}

/* The thread is at the last instruction of a block: works it out. */
static struct xs_error *branch(struct exact *exact, const struct eng_insn *insn, enum eng_turn *ret)
{
	struct eng_process *process = exact->trace->process;
	struct user_regs_struct *regs;
	struct xs_error *err;
	struct eng_event event = {.kind = ENG_EVENT_STEP};
	if (exact->signal)
		return step(exact, ret);
	*ret = ENG_TURN_OVER;
	if ((err = eng_process_regs(process, &regs)))
		return err;
	if (process->ended) {
		exact->trace->end = ENG_END_PROGRAM;
		return NULL;
	}
	xs_addr before = regs->rip;
	if (!eng_branch_execute(insn, &process->tracee, regs))
		return step(exact, ret);
	return eng_trace_arrive(exact->trace, before, insn, &event, &exact->signal, ret);
}

/* Whether the stop after the instruction at pc must be live, if that is certain to be the next one:
 * then one instruction is all there is to know of the code. */
static struct xs_error *wants_next(struct exact *exact, xs_addr pc, bool *ret)
{
	struct eng_trace *trace = exact->trace;
	uint8_t code[ENG_INSN_MAX];
	size_t size;
	struct xs_error *err = eng_traps_read(
		&exact->traps, &trace->process->tracee, pc, code, sizeof code, &size);
	*ret = false;
	if (err)
		return err;
	struct eng_insn insn = eng_insn_decode(code, size);
	xs_addr next = eng_insn_next(&insn, pc), home = eng_trace_home(trace, pc);
	if (next == XS_ADDR_NONE || !xs_ranges_find(trace->ranges, next))
		return NULL;
	size_t counter = eng_trace_counter(trace, home, next);
	*ret = eng_trace_wants(trace, counter, home, eng_trace_home(trace, next));
	return NULL;
}

/* One turn from a pc in the ranges. */
static struct xs_error *turn(struct exact *exact, xs_addr pc, enum eng_turn *ret)
{
	struct eng_trace *trace = exact->trace;
	struct eng_block *block;
	struct xs_error *err;
	bool blocked, next;
	if (exact->signal || exact->stepping || trace->process->threads.len ||
		(trace->process->all && eng_threads_is_late(trace, ENG_BLOCK_MAX)))
		return step(exact, ret);
	if ((err = eng_sigtrap_forbids_traps(
		     &trace->process->sigtrap, &trace->process->tracee, &blocked)))
		return err;
	if (blocked)
		return step(exact, ret);
	if ((err = eng_traps_plant(&exact->traps, &trace->process->tracee)))
		return err;
	/* Where stop after stop must be live, no block is ever run. */
	if (eng_trace_is_looked_at(trace) && !eng_blocks_find(&exact->blocks, &exact->traps, pc)) {
		if ((err = wants_next(exact, pc, &next)))
			return err;
		if (next)
			return step(exact, ret);
	}
	if ((err = eng_blocks_at(&exact->blocks, &trace->process->tracee, &exact->traps,
		     trace->ranges, pc, counter_of, trace, &block)))
		return err;
	if (block->overlaps)
		return step(exact, ret);
	if (block->count == 1)
		return branch(exact, &block->last, ret);
	unsigned to = run_length(exact, block, 0);
	/* A trap for one instruction costs more than a step. */
	if (to == 1 && block->count > 2)
		return step(exact, ret);
	return run(exact, block, 0, to, ret);
}

/* Code of interest may be the loader's own: then it stops where that tells, too. */
static struct xs_error *watch_loader(struct exact *exact)
{
	const struct eng_trace *trace = exact->trace;
	return trace->on_load && xs_ranges_find(trace->ranges, trace->loader)
		       ? eng_traps_add(&exact->traps, &trace->process->tracee, trace->loader)
		       : NULL;
}

/* Library code has run: it may have changed the program's own, or made it writable, so that the
 * program can. Blocks and traps are then those of code that is no more. */
static void check_code(struct exact *exact)
{
	struct eng_process *process = exact->trace->process;
	if (exact->stepping || process->ended ||
		!eng_trace_code_changes(exact->trace, exact->fence))
		return;
	xs_log(XS_LOG_ENGINE, XS_LOG_WARN,
		"the program may change its own code: from here on every instruction is stepped");
	eng_traps_clear(&exact->traps, &process->tracee);
	exact->stepping = true;
}

/* What is loaded may change: traps where code was are nobody's, and what was decoded need not be
 * what is there now. */
static struct xs_error *reload(struct exact *exact, xs_addr pc)
{
	struct eng_trace *trace = exact->trace;
	struct eng_tracee *tracee = &trace->process->tracee;
	bool changed;
	struct xs_error *err = eng_trace_reload(trace, exact->fence, pc, &changed);
	if (err || (!changed && !trace->stale))
		return err;
	trace->stale = false;
	eng_traps_clear(&exact->traps, tracee);
	eng_traps_deinit(&exact->traps);
	eng_blocks_deinit(&exact->blocks);
	return watch_loader(exact);
}

struct xs_error *eng_trace_exact(struct eng_trace *trace, struct eng_fence *fence)
{
	struct exact exact = {.trace = trace, .fence = fence};
	struct eng_process *process = trace->process;
	enum eng_turn ret = ENG_TURN_STOP;
	struct user_regs_struct *regs;
	struct xs_error *err;
	bool done;
	if ((err = eng_trace_cached(trace, fence, &exact.signal, &done)) || done)
		return err;
	process->traps = &exact.traps;
	check_code(&exact); /* some linkers make it writable from the start */
	err = watch_loader(&exact);
	while (!err && ret != ENG_TURN_OVER) {
		if ((err = eng_process_regs(process, &regs)))
			break;
		if (process->ended) {
			trace->end = ENG_END_PROGRAM;
			break;
		}
		xs_addr pc = regs->rip;
		bool over;
		if ((err = eng_trace_offer(trace, pc, &over)) || over || (err = reload(&exact, pc)))
			break;
		if (xs_ranges_find(trace->ranges, pc)) {
			err = turn(&exact, pc, &ret);
		} else if (!(err = step(&exact, &ret))) {
			check_code(&exact);
		}
	}
	if ((!process->ended || process->all) && trace->end != ENG_END_EXEC)
		eng_traps_clear(&exact.traps, &process->tracee);
	process->traps = NULL;
	eng_blocks_deinit(&exact.blocks);
	eng_traps_deinit(&exact.traps);
	return err;
}
