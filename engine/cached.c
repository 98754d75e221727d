/* cached.c - lets the program run in the code cache, and looks at it where a stop is due.
 *
 * Between two turns the thread is never in the cache: its registers are its own, and pc is in
 * the original code. What the cache cannot do is stepped as in the single mode: instructions
 * that enter the kernel, signals, SIGTRAP blocked. Where it must not be (other threads, code
 * that changes), the caller goes on without. */
#include <signal.h>
#include <sys/ptrace.h>

#include "base/log.h"
#include "engine/cache.h"
#include "engine/cached.h"

enum {
	STEPS_CHECKED = 256,   /* how often it is asked whether the cache is any good */
	STEPS_PATIENCE = 4096, /* so many steps are always granted */
	STEPS_SHARE = 16,      /* and one in so many instructions */
};

struct cached {
	struct eng_trace *trace;
	struct eng_fence *fence;
	struct eng_traps traps;
	struct eng_cache cache;
	uint64_t steps;   /* made here */
	uint64_t emptied; /* how often the cache was full */
	int signal;       /* to be delivered next */
};

static struct eng_cache_insn *insns_of(struct cached *cached, const struct eng_cache_block *block)
{
	return cached->cache.insns.data + block->first;
}

static bool of_interest(const struct cached *cached, xs_addr pc)
{
	return xs_ranges_find(cached->trace->ranges, pc);
}

/* Library code has run: it may have changed the program's own, or made it writable. */
static void check_code(struct cached *cached)
{
	if (!cached->trace->process->ended && eng_trace_code_changes(cached->trace, cached->fence))
		cached->cache.unfit = "the program may change its own code";
}

/* One instruction, really executed; or, outside of the ranges, to the next way in. */
static struct xs_error *step(struct cached *cached, enum eng_turn *ret)
{
	struct eng_trace *trace = cached->trace;
	xs_addr pc;
	struct xs_error *err = eng_tracee_pc(&trace->process->tracee, &pc);
	if (err || (err = eng_trace_step(trace, cached->fence, &cached->signal, ret)))
		return err;
	if (!of_interest(cached, pc))
		check_code(cached);
	if (++cached->steps % STEPS_CHECKED == 0 && cached->steps > STEPS_PATIENCE &&
		cached->steps * STEPS_SHARE > eng_cache_number(&cached->cache))
		cached->cache.unfit = "too much must be stepped";
	return NULL;
}

/* --- where the thread is ---------------------------------------------------------------------- */

/* The thread has come from trace->prev to its pc, which is not in the cache. */
static struct xs_error *arrive(
	struct cached *cached, const struct user_regs_struct *regs, enum eng_turn *ret)
{
	struct eng_trace *trace = cached->trace;
	xs_addr pc = regs->rip;
	*ret = ENG_TURN_OVER;
	if (pc == trace->return_to && regs->rsp > trace->entry_sp) {
		trace->signal = cached->signal;
		trace->end = ENG_END_RETURN;
		return NULL;
	}
	*ret = ENG_TURN_SAME;
	if (!of_interest(cached, pc))
		return NULL;
	size_t counter = eng_trace_counter(trace, trace->prev, pc);
	*ret = eng_trace_emit(trace, pc, counter, true) ? ENG_TURN_STOP : ENG_TURN_OVER;
	return NULL;
}

/* The block was counted as a whole, but its instruction `at` is where the thread still is. */
static void leave_midway(struct cached *cached, size_t index, uint32_t at)
{
	const struct eng_cache_block *block = &cached->cache.blocks.data[index];
	eng_cache_settle_block(&cached->cache, index);
	for (uint32_t i = at + 1; i < block->count; i++) {
		cached->trace->counts.data[insns_of(cached, block)[i].counter]--;
		cached->cache.settled--;
	}
	eng_cache_settle_block(&cached->cache, index);
}

static const struct eng_cache_source *last_source(const struct cached *cached)
{
	return &cached->cache.sources.data[(cached->cache.data->last >> 48) - 1];
}

/* Registers that the cache has in use become the program's own again. */
static void restore(
	struct cached *cached, const struct eng_cache_point *point, struct user_regs_struct *regs)
{
	const struct eng_cache_data *data = cached->cache.data;
	if (point->saved >> ENG_EMIT_RCX & 1)
		regs->rcx = data->rcx;
	if (point->saved >> ENG_EMIT_RAX & 1)
		regs->rax = data->rax;
	if (point->saved >> ENG_EMIT_RDX & 1)
		regs->rdx = data->rdx;
	regs->rsp += (unsigned long long)(int64_t)point->sp;
	cached->trace->process->tracee.regs_changed = true;
}

/* The thread is at an instruction that it has arrived at before. */
static void stay(struct cached *cached, struct user_regs_struct *regs, xs_addr pc)
{
	if (cached->signal)
		eng_tracee_move_fault(&cached->trace->process->tracee, regs->rip, pc);
	regs->rip = pc;
	cached->trace->prev = pc;
}

/* The thread has taken an edge, which trapped: from now on that leads to its block. */
static struct xs_error *link_edge(struct cached *cached, size_t edge)
{
	xs_addr target = cached->cache.edges.data[edge].target;
	size_t block;
	struct xs_error *err;
	if (cached->cache.edges.data[edge].linked || target == cached->trace->return_to)
		return NULL;
	if ((err = eng_cache_block(&cached->cache, target, &block)))
		return err;
	eng_cache_link(&cached->cache, edge, block);
	return NULL;
}

/* What was looked up: from the last source to what the key tells. */
static struct xs_error *looked_up(
	struct cached *cached, struct user_regs_struct *regs, bool trapped, enum eng_turn *ret)
{
	struct eng_cache *cache = &cached->cache;
	struct eng_trace *trace = cached->trace;
	struct eng_cache_source source = *last_source(cached);
	xs_addr target = cache->data->key - source.key;
	struct xs_error *err;
	/* No address at all: the instruction itself must fail. */
	if (target >> 47) {
		regs->rsp += (unsigned long long)(int64_t)source.sp;
		stay(cached, regs, source.pc);
		return step(cached, ret);
	}
	regs->rip = target;
	trace->prev = source.pc;
	if ((err = arrive(cached, regs, ret)) || *ret == ENG_TURN_OVER || !trapped ||
		target == trace->return_to)
		return err;
	eng_cache_enter(cache, eng_cache_source(cache, source.pc), target);
	return NULL;
}

/* The thread is in the cache: gives it the state that it would have in the original code. */
static struct xs_error *leave_cache(struct cached *cached, const struct eng_cache_point *point,
	struct user_regs_struct *regs, bool trapped, enum eng_turn *ret)
{
	struct eng_cache *cache = &cached->cache;
	struct eng_trace *trace = cached->trace;
	const struct eng_cache_block *block = &cache->blocks.data[point->owner];
	struct xs_error *err;
	*ret = ENG_TURN_SAME;
	restore(cached, point, regs);
	switch (point->kind) {
	case ENG_POINT_BODY:
		if (point->index >= block->count) {
			/* The block was split here. */
			trace->prev = insns_of(cached, block)[point->index - 1].pc;
			regs->rip = insns_of(cached, block)[point->index].pc;
			return arrive(cached, regs, ret);
		}
		leave_midway(cached, point->owner, point->index);
		stay(cached, regs, insns_of(cached, block)[point->index].pc);
		return NULL;
	case ENG_POINT_BACK:
		stay(cached, regs, insns_of(cached, block)[point->index].pc);
		return NULL;
	case ENG_POINT_DUE:
	case ENG_POINT_ENTERED:
		/* Not counted yet, after all. */
		cache->data->blocks[point->owner]++;
		stay(cached, regs, block->entry);
		return NULL;
	case ENG_POINT_ENTER:
	case ENG_POINT_SPECIAL:
		stay(cached, regs, block->entry);
		return NULL;
	case ENG_POINT_TO:
		trace->prev = cache->pairs.data[point->owner].source;
		regs->rip = cache->pairs.data[point->owner].target;
		return arrive(cached, regs, ret);
	case ENG_POINT_COUNTED:
		cache->data->edges[point->owner]++;
		trace->prev = cache->edges.data[point->owner].source;
		regs->rip = cache->edges.data[point->owner].target;
		if ((err = arrive(cached, regs, ret)) || *ret != ENG_TURN_STOP || !trapped)
			return err;
		return link_edge(cached, point->owner);
	case ENG_POINT_LOOKUP:
		return looked_up(cached, regs, trapped, ret);
	default:
		trace->prev = last_source(cached)->pc;
		regs->rip = cache->pairs.data[point->owner].target;
		return arrive(cached, regs, ret);
	}
}

/* --- running ---------------------------------------------------------------------------------- */

/* Lets the thread go on from where regs->rip says, until something happens. regs is NULL if the
 * walk is over. */
static struct xs_error *go(
	struct cached *cached, struct eng_event *event, struct user_regs_struct **regs)
{
	struct eng_trace *trace = cached->trace;
	struct eng_process *process = trace->process;
	*regs = NULL;
	process->tracee.regs_changed = true;
	process->fence = cached->fence; /* a new thread is then noticed at once */
	process->sigtrap.thread.blocked_known = false;
	struct xs_error *err = eng_process_go(process, PTRACE_CONT, 0, event);
	process->fence = NULL;
	if (!err && !process->ended && event->kind != ENG_EVENT_EXEC)
		err = eng_process_regs(process, regs);
	/* A system call may have changed it, or another thread is about to run it. */
	if (*regs && !cached->traps.planted)
		cached->cache.unfit = "the program may change its own code, or has other threads";
	if (!err && !*regs)
		trace->end = process->ended ? ENG_END_PROGRAM : ENG_END_EXEC;
	return err;
}

/* The thread is in code that nobody looks at, or comes from there. */
static struct xs_error *come_back(
	struct cached *cached, struct user_regs_struct *regs, bool trapped, enum eng_turn *ret)
{
	struct eng_trace *trace = cached->trace;
	struct eng_cache *cache = &cached->cache;
	struct xs_error *err;
	trace->prev = last_source(cached)->pc;
	if ((err = arrive(cached, regs, ret)) || *ret == ENG_TURN_OVER)
		return err;
	if (!trapped || *ret != ENG_TURN_STOP) {
		check_code(cached);
		return NULL;
	}
	eng_cache_enter(cache, eng_cache_source(cache, trace->prev), regs->rip);
	return eng_cache_expect(cache, regs->rip);
}

/* Lets the thread go on, and finds out where it is then. */
static struct xs_error *run(struct cached *cached, enum eng_turn *ret)
{
	struct eng_trace *trace = cached->trace;
	struct user_regs_struct *regs;
	struct eng_event event;
	struct xs_error *err = go(cached, &event, &regs);
	*ret = ENG_TURN_OVER;
	if (err || !regs)
		return err;
	/* The other kind of trap: pc is on it, not behind it. */
	bool invalid = event.kind == ENG_EVENT_SIGNAL && event.signal == SIGILL &&
		       event.signal_code > 0 && eng_traps_has(&cached->traps, regs->rip);
	xs_addr at = event.kind == ENG_EVENT_TRAP ? regs->rip - 1 : regs->rip;
	struct eng_cache_point point = eng_cache_point(&cached->cache, at);
	bool ours = invalid ||
		    (event.kind == ENG_EVENT_TRAP &&
			    (point.kind != ENG_POINT_NONE || eng_traps_has(&cached->traps, at)));
	trace->traps += ours;
	cached->signal = ours || event.kind == ENG_EVENT_STEP ? 0 : event.signal;
	if (!ours && event.kind == ENG_EVENT_TRAP)
		point.kind = ENG_POINT_NONE;
	if (point.kind != ENG_POINT_NONE)
		return leave_cache(cached, &point, regs, ours, ret);
	if (ours)
		regs->rip = at;
	trace->process->tracee.regs_changed |= ours;
	return come_back(cached, regs, ours, ret);
}

/* The next instruction of a block behind `from` whose stop is due in this pass; 0 if none is. */
static uint32_t next_due(struct cached *cached, size_t index, uint32_t from)
{
	const struct eng_trace *trace = cached->trace;
	const struct eng_cache_block *block = &cached->cache.blocks.data[index];
	for (uint32_t i = from + 1; i < block->count; i++) {
		size_t counter = insns_of(cached, block)[i].counter;
		if (trace->counts.data[counter] + 1 == trace->dues.data[counter])
			return i;
	}
	return 0;
}

/* Instructions behind `from` up to `to` of a block have been arrived at. */
static void count_passed(struct cached *cached, size_t index, uint32_t from, uint32_t to)
{
	const struct eng_cache_block *block = &cached->cache.blocks.data[index];
	for (uint32_t i = from + 1; i <= to; i++) {
		cached->trace->counts.data[insns_of(cached, block)[i].counter]++;
		cached->cache.settled++;
	}
}

/* The thread is at the entry of a block, some stop in which is due: goes from one of them to the
 * next. */
static struct xs_error *pass(struct cached *cached, size_t index, enum eng_turn *ret)
{
	struct eng_trace *trace = cached->trace;
	struct eng_cache *cache = &cached->cache;
	struct eng_process *process = trace->process;
	struct user_regs_struct *regs;
	struct eng_event event;
	struct xs_error *err;
	uint32_t from = 0, to;
	const uint8_t int3 = 0xcc;
	*ret = ENG_TURN_OVER;
	eng_cache_settle_block(cache, index);
	/* Nothing here adds a block. */
	const struct eng_cache_block *block = &cache->blocks.data[index];
	const struct eng_cache_insn *insns = insns_of(cached, block);
	while ((to = next_due(cached, index, from))) {
		if ((err = eng_process_regs(process, &regs)) || !regs) {
			trace->end = ENG_END_PROGRAM;
			return err;
		}
		uint8_t *byte = cache->code + (insns[to].copy - cache->code_at), before = *byte;
		regs->rip = insns[from].copy;
		*byte = int3;
		err = go(cached, &event, &regs);
		*byte = before;
		if (err || !regs)
			return err;
		bool trapped = event.kind == ENG_EVENT_TRAP && regs->rip == insns[to].copy + 1;
		struct eng_cache_point point = eng_cache_point(cache, regs->rip - trapped);
		eng_assert(&process->tracee, point.kind == ENG_POINT_BODY && point.owner == index &&
						     point.index >= from && point.index <= to);
		trace->traps += trapped;
		process->tracee.regs_changed = true;
		cached->signal = trapped || event.kind == ENG_EVENT_STEP ? 0 : event.signal;
		if (point.index < to) {
			count_passed(cached, index, from, point.index);
			eng_cache_settle_block(cache, index);
			stay(cached, regs, insns[point.index].pc);
			*ret = ENG_TURN_SAME;
			return NULL;
		}
		count_passed(cached, index, from, to - 1);
		stay(cached, regs, insns[to].pc);
		trace->prev = insns[to - 1].pc;
		if (!eng_trace_emit(trace, insns[to].pc, insns[to].counter, true))
			return NULL;
		/* Whoever looked may have moved the thread. */
		if (cached->signal ||
			(process->tracee.regs_valid && process->tracee.regs.rip != insns[to].pc)) {
			*ret = ENG_TURN_STOP;
			return NULL;
		}
		from = to;
	}
	count_passed(cached, index, from, block->count - 1);
	eng_cache_settle_block(cache, index);
	if ((err = eng_process_regs(process, &regs)) || !regs) {
		trace->end = ENG_END_PROGRAM;
		return err;
	}
	regs->rip = insns[from].copy;
	return run(cached, ret);
}

static struct xs_error *turn_inside(
	struct cached *cached, struct user_regs_struct *regs, enum eng_turn *ret)
{
	struct eng_cache *cache = &cached->cache;
	size_t index;
	struct xs_error *err = eng_cache_block(cache, regs->rip, &index);
	*ret = ENG_TURN_SAME;
	if (err || cache->unfit)
		return err;
	const struct eng_cache_block *block = &cache->blocks.data[index];
	if (block->special)
		return step(cached, ret);
	if (block->count > 1 && cache->data->blocks[index] == 1)
		return pass(cached, index, ret);
	regs->rip = block->full;
	return run(cached, ret);
}

static struct xs_error *turn_outside(
	struct cached *cached, struct user_regs_struct *regs, enum eng_turn *ret)
{
	struct eng_cache *cache = &cached->cache;
	struct eng_trace *trace = cached->trace;
	struct eng_insn insn;
	struct eng_event event;
	struct xs_error *err;
	xs_addr pc = regs->rip;
	/* Where the call returns to, but from another call of the same function. */
	if (pc == trace->return_to) {
		if ((err = eng_process_step(trace->process, 0, &insn, &event)))
			return err;
		return eng_trace_arrive(trace, pc, &insn, &event, &cached->signal, ret);
	}
	size_t source = eng_cache_source(cache, trace->prev);
	cache->data->last = cache->sources.data[source].key;
	return run(cached, ret);
}

static struct xs_error *empty(struct cached *cached)
{
	cached->emptied++;
	xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "the code cache is full, with %zu blocks: it is emptied",
		cached->cache.blocks.len);
	return eng_cache_empty(&cached->cache);
}

static struct xs_error *walk(struct cached *cached)
{
	struct eng_trace *trace = cached->trace;
	struct eng_process *process = trace->process;
	enum eng_turn ret = ENG_TURN_STOP;
	struct user_regs_struct *regs;
	struct xs_error *err;
	while (ret != ENG_TURN_OVER && !cached->cache.unfit) {
		bool blocked;
		if ((err = eng_process_regs(process, &regs)))
			return err;
		if (process->ended) {
			trace->end = ENG_END_PROGRAM;
			return NULL;
		}
		if (process->threads.len) {
			cached->cache.unfit = "there are other threads";
			return NULL;
		}
		if ((err = eng_sigtrap_forbids_traps(
			     &process->sigtrap, &process->tracee, &blocked)) ||
			(err = eng_traps_plant(&cached->traps, &process->tracee)))
			return err;
		if (cached->cache.full && (err = empty(cached)))
			return err;
		if (cached->signal || blocked)
			err = step(cached, &ret);
		else if (of_interest(cached, regs->rip))
			err = turn_inside(cached, regs, &ret);
		else
			err = turn_outside(cached, regs, &ret);
		if (err)
			return err;
	}
	return NULL;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Whether the cache may be used here and now. */
static struct xs_error *is_allowed(struct eng_trace *trace, bool *ret)
{
	struct eng_process *process = trace->process;
	struct user_regs_struct *regs;
	struct xs_error *err;
	bool blocked;
	*ret = false;
	if (!trace->sparse || trace->limit || trace->wants || trace->on_load || trace->joins ||
		process->all || process->threads.len || (trace->homes && trace->homes->list.len))
		return NULL;
	/* In a system call it cannot make another for us. */
	if ((err = eng_process_regs(process, &regs)) || !regs || (int64_t)regs->orig_rax >= 0 ||
		(err = eng_sigtrap_forbids_traps(&process->sigtrap, &process->tracee, &blocked)))
		return err;
	*ret = !blocked && of_interest(&(struct cached){.trace = trace}, regs->rip) &&
	       !eng_process_may_write(process, trace->ranges);
	return NULL;
}

static struct xs_error *cover(struct cached *cached)
{
	struct eng_trace *trace = cached->trace;
	struct eng_tracee *tracee = &trace->process->tracee;
	struct xs_error *err = eng_traps_cover(&cached->traps, tracee, trace->ranges);
	/* What must trap may lie outside of the ranges. */
	if (!err && trace->return_to != XS_ADDR_NONE)
		err = eng_traps_add(&cached->traps, tracee, trace->return_to);
	return err;
}

static void settle(void *arg, size_t counter)
{
	eng_cache_settle(arg, counter);
}

static void counted(void *arg, size_t counter)
{
	struct eng_cache *cache = arg;
	cache->settled++;
	eng_cache_settle(cache, counter); /* it is armed anew */
}

static uint64_t number(void *arg)
{
	return eng_cache_number(arg);
}

static const struct eng_also also = {settle, counted, number};

struct xs_error *eng_trace_cached(
	struct eng_trace *trace, struct eng_fence *fence, int *signal, bool *over)
{
	struct cached cached = {.trace = trace, .fence = fence};
	struct eng_process *process = trace->process;
	struct xs_error *err;
	bool allowed;
	*over = false;
	cached.cache = (struct eng_cache){
		.trace = trace, .traps = &cached.traps, .file = -1, .settled = trace->stops};
	if ((err = is_allowed(trace, &allowed)) || !allowed)
		return err;
	err = eng_cache_map(&cached.cache, &cached.signal, &allowed);
	if (!err && !allowed && !process->ended)
		xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "no place for a code cache");
	if (!err && allowed && !process->ended && !(err = cover(&cached))) {
		process->traps = &cached.traps;
		process->watches_calls = true;
		trace->also = &also;
		trace->also_arg = &cached.cache;
		err = walk(&cached);
		trace->also = NULL;
		process->traps = NULL;
		process->watches_calls = false;
		eng_cache_settle_all(&cached.cache);
		trace->stops = cached.cache.settled;
		if (!process->ended && trace->end != ENG_END_EXEC)
			eng_traps_clear(&cached.traps, &process->tracee);
		*over = !cached.cache.unfit;
		xs_log(XS_LOG_ENGINE, XS_LOG_INFO,
			"code cache: %zu blocks, %zu edges, %zu bytes of code, %" PRIu64 " steps",
			cached.cache.blocks.len, cached.cache.edges.len, cached.cache.used,
			cached.steps);
		if (cached.cache.unfit)
			xs_log(XS_LOG_ENGINE, XS_LOG_INFO, "%s: from here on without a code cache",
				cached.cache.unfit);
	}
	if (process->ended && !*over) {
		trace->end = ENG_END_PROGRAM;
		*over = true;
	}
	*signal = cached.signal;
	eng_cache_deinit(&cached.cache);
	eng_traps_deinit(&cached.traps);
	return err;
}
