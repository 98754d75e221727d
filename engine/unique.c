/* unique.c - each transition once; what is known runs at the processor's speed.
 *
 * At the start every byte of the ranges is a trap. An instruction is NOT seen, OPEN or DONE (enum
 * eng_seen), and the traps follow from that:
 *
 *     NOT   covered with traps: whoever comes here comes for the first time
 *     OPEN  covered with traps too, or a branch with a detour: where it leads may be new
 *     DONE  its own bytes, and no trap: the program runs through it unnoticed
 *
 *     NOT --(arrival)--> OPEN --(all its ways were seen, or its budget is spent)--> DONE
 *
 * Rules:
 * 1. An edge is trapped at its source, so that prev is known. With one certain successor an
 *    instruction is DONE when it was passed, a conditional branch when it went both ways.
 * 2. A conditional branch that keeps going one way, as a loop's does, gets a detour (detour.h):
 *    that way costs nothing from then on, and the other still traps. So no edge of it is missed.
 * 3. Where the ways cannot be foreseen (returns, indirect branches, system calls, whatever leads
 *    out of the ranges), a source stays OPEN until it has cost BUDGET in a row without telling
 *    anything new. Then it is saturated: DONE, and named in the results. A conditional branch is
 *    saturated only in a way out of the ranges, or if there is no place for a detour.
 * 4. Whoever leaves the ranges from a trap is awaited at the fence. After a saturated source the
 *    program leaves, and comes back, unnoticed: where it then first arrives is emitted, but no
 *    transition (eng_trace.lost). So the transitions are a subset of those of exact, and all of
 *    them if nothing is saturated.
 * 5. What cannot be done with traps (other threads, SIGTRAP blocked, code that overlaps or changes)
 *    is stepped as in the single mode, the last two from then on. */
#include <signal.h>
#include <sys/ptrace.h>

#include "base/log.h"
#include "engine/branch.h"
#include "engine/detour.h"
#include "engine/trace.h"

enum {
	BUDGET = 500,     /* arrivals at a source in a row that may tell nothing new */
	OUTSIDE_COST = 5, /* one that leads through library code counts so many times */
	PATIENCE = 10,    /* and at a branch, before it gets a detour: what that costs, roughly */
	STRETCH_MAX = 64, /* instructions discovered in one go */
};

struct unique {
	struct eng_trace *trace;
	struct eng_fence *fence;
	struct xs_ranges covered; /* what was of interest when the traps were last made to fit */
	struct eng_traps traps;
	struct eng_detours detours;
	struct xs_map spent;      /* (source, 0) -> what it has cost since it told something new;
				   * (branch, 1) -> whether there was no place for a detour */
	struct xs_map left;       /* (branch, where to) -> whether it has led out of the ranges;
				   * (home of a source, XS_ADDR_NONE) -> whether it is known as
				   * saturated */
	int signal;               /* to be delivered next */
	bool stepping;            /* the code overlaps or changes: no more traps */
	xs_addr padded;           /* a branch that is about to go the way that traps */
	xs_addr source;           /* OPEN and just executed; XS_ADDR_NONE if none is */
	struct eng_insn executed; /* what is there */
	uint64_t stops_before;    /* trace->stops before it was */
	xs_addr went;             /* where that led to at once, if it was worked out */
	bool outside;             /* whether the thread has left the ranges since */
};

/* Instructions that are executed one after the other, none of them seen before but the first. */
struct stretch {
	struct {
		xs_addr pc;
		struct eng_insn insn;
	} list[STRETCH_MAX];
	unsigned count;
};

static enum eng_seen seen(const struct unique *unique, xs_addr pc)
{
	const uint64_t *state = xs_map_find(&unique->trace->seen, pc, 0);
	return state ? (enum eng_seen) * state : ENG_SEEN_NOT;
}

static bool taken(struct unique *unique, xs_addr prev, xs_addr pc)
{
	/* May move the counts. */
	size_t counter = eng_trace_counter(unique->trace, eng_trace_home(unique->trace, prev), pc);
	return unique->trace->counts.data[counter];
}

static bool of_interest(const struct unique *unique, xs_addr pc)
{
	return xs_ranges_find(unique->trace->ranges, pc);
}

/* Whether the trap at pc stays whatever was seen there: where the traced call ends, and where the
 * loader tells of a change. */
static bool stays(const struct unique *unique, xs_addr pc)
{
	return pc == unique->trace->return_to || eng_trace_at_loader(unique->trace, pc);
}

static void give_up_traps(struct unique *unique, const char *why)
{
	xs_log(XS_LOG_ENGINE, XS_LOG_WARN, "%s: from here on every instruction is stepped", why);
	eng_traps_clear(&unique->traps, &unique->trace->process->tracee);
	unique->stepping = true;
	unique->source = XS_ADDR_NONE;
}

/* Library code has run: it may have changed the program's own, or made it writable. */
static void check_code(struct unique *unique)
{
	struct eng_process *process = unique->trace->process;
	if (!unique->stepping && !process->ended &&
		eng_trace_code_changes(unique->trace, unique->fence))
		give_up_traps(unique, "the program may change its own code");
}

/* Puts traps on [lo, hi), or takes them out. */
static struct xs_error *set(struct unique *unique, xs_addr lo, xs_addr hi, bool trapped)
{
	struct xs_error *err = eng_detours_disturb(&unique->detours, lo, hi);
	if (err)
		return err;
	return eng_traps_set(&unique->traps, &unique->trace->process->tracee, lo, hi, trapped);
}

/* --- sources -------------------------------------------------------------------------------- */

/* Nothing more is expected of the instruction at pc. */
static struct xs_error *finish(struct unique *unique, xs_addr pc, unsigned length)
{
	*xs_map_at(&unique->trace->seen, pc, 0) = ENG_SEEN_DONE;
	return set(unique, pc + stays(unique, pc), pc + length, false);
}

/* Whether all ways of an instruction can be foreseen, and then whether all were taken. */
static bool foreseen(struct unique *unique, xs_addr pc, const struct eng_insn *insn, bool *all)
{
	xs_addr next = pc + insn->length, target = eng_insn_target(insn, pc);
	switch (insn->kind) {
	case ENG_INSN_PLAIN:
	case ENG_INSN_REP:
	case ENG_INSN_PUSHF:
		*all = taken(unique, pc, next);
		return of_interest(unique, next);
	case ENG_INSN_JUMP:
	case ENG_INSN_CALL:
		*all = taken(unique, pc, target);
		return of_interest(unique, target);
	case ENG_INSN_CONDITIONAL:
		*all = taken(unique, pc, next) && taken(unique, pc, target);
		return of_interest(unique, next) && of_interest(unique, target);
	default:
		return false;
	}
}

static struct xs_error *decode(struct unique *unique, xs_addr pc, struct eng_insn *ret)
{
	uint8_t code[ENG_INSN_MAX];
	size_t size;
	struct xs_error *err = eng_traps_read(
		&unique->traps, &unique->trace->process->tracee, pc, code, sizeof code, &size);
	if (!err)
		*ret = eng_insn_decode(code, size);
	return err;
}

/* Nobody waits for what else the instruction at pc may do. */
static void saturate(struct unique *unique, xs_addr pc)
{
	xs_addr home = eng_trace_home(unique->trace, pc);
	uint64_t *told = xs_map_at(&unique->left, home, XS_ADDR_NONE);
	if (!*told)
		xs_vec_push(&unique->trace->saturated, home);
	*told = true;
}

/* Whether a branch may go this way unnoticed: it leads to what was seen, or, if it leads out of the
 * ranges, was waited for long enough. */
static bool may_pass(struct unique *unique, xs_addr pc, xs_addr to, uint64_t spent)
{
	if (of_interest(unique, to))
		return taken(unique, pc, to);
	return spent >= BUDGET && *xs_map_at(&unique->left, pc, to);
}

/* The conditional branch at pc has told nothing new for a while. */
static struct xs_error *settle_branch(
	struct unique *unique, xs_addr pc, const struct eng_insn *insn, uint64_t spent)
{
	struct eng_process *process = unique->trace->process;
	xs_addr next = pc + insn->length, target = eng_insn_target(insn, pc);
	struct user_regs_struct *regs;
	struct xs_error *err;
	bool on = may_pass(unique, pc, next, spent), away = may_pass(unique, pc, target, spent);
	bool detoured = eng_detours_has(&unique->detours, pc), blocked;
	if ((on && !of_interest(unique, next)) || (away && !of_interest(unique, target)))
		saturate(unique, pc);
	if (on && away)
		return finish(unique, pc, insn->length);
	uint64_t *in_vain = xs_map_at(&unique->spent, pc, 1);
	if (on == away || unique->signal)
		return NULL;
	if ((detoured || *in_vain) && spent < BUDGET)
		return NULL;
	/* Its lead was moved, but that is not how the program comes here. */
	if (detoured) {
		saturate(unique, pc);
		return finish(unique, pc, insn->length);
	}
	/* In a system call, even one that a signal interrupted, it cannot make another for us, nor
	 * where a SIGTRAP that waits would come out. */
	if ((err = eng_process_regs(process, &regs)) || !regs || (int64_t)regs->orig_rax >= 0 ||
		(err = eng_sigtrap_is_blocked(&process->sigtrap, &process->tracee, &blocked)) ||
		blocked)
		return err;
	if ((err = eng_detours_add(&unique->detours, pc, insn, on, &unique->signal, &detoured)) ||
		detoured || process->ended || insn->condition >= 0xe0)
		return err;
	*in_vain = true;
	if (spent < BUDGET)
		return NULL;
	saturate(unique, pc);
	return finish(unique, pc, insn->length);
}

/* The thread has arrived somewhere from unique->source: is that source done? */
static struct xs_error *settle(struct unique *unique)
{
	struct eng_trace *trace = unique->trace;
	xs_addr pc = unique->source;
	const struct eng_insn *insn = &unique->executed;
	bool all = false;
	unique->source = XS_ADDR_NONE;
	if (pc == XS_ADDR_NONE || seen(unique, pc) != ENG_SEEN_OPEN)
		return NULL;
	if (foreseen(unique, pc, insn, &all) && all)
		return finish(unique, pc, insn->length);
	if (insn->kind == ENG_INSN_OTHER) /* an int3 of the program's own, a fault: never lifted */
		return NULL;
	if (insn->kind == ENG_INSN_CONDITIONAL && unique->outside)
		*xs_map_at(&unique->left, pc, unique->went) = true;
	uint64_t *spent = xs_map_at(&unique->spent, pc, 0);
	*spent = trace->stops > unique->stops_before
			 ? 0
			 : *spent + (unique->outside ? OUTSIDE_COST : 1);
	if (insn->kind == ENG_INSN_CONDITIONAL)
		return *spent < PATIENCE ? NULL : settle_branch(unique, pc, insn, *spent);
	if (*spent < BUDGET)
		return NULL;
	saturate(unique, pc);
	return finish(unique, pc, insn->length);
}

/* --- discovery ------------------------------------------------------------------------------ */

/* Whether an instruction shares bytes with another that was seen: all of its own are still covered
 * otherwise, and none but the first begins one. */
static bool overlaps(const struct unique *unique, xs_addr pc, const struct eng_insn *insn)
{
	if (eng_detours_has(&unique->detours, pc))
		return false;
	if (!eng_traps_has(&unique->traps, pc))
		return true;
	for (unsigned i = 1; i < insn->length; i++)
		if (of_interest(unique, pc + i) &&
			(!eng_traps_has(&unique->traps, pc + i) || seen(unique, pc + i)))
			return true;
	return false;
}

static bool overlaps_stretch(const struct stretch *stretch, xs_addr pc, unsigned length)
{
	for (unsigned i = 0; i < stretch->count; i++)
		if (pc < stretch->list[i].pc + stretch->list[i].insn.length &&
			stretch->list[i].pc < pc + length)
			return true;
	return false;
}

/* What is executed from pc on, as far as that is certain and new. */
static struct xs_error *discover(struct unique *unique, xs_addr pc, struct stretch *ret)
{
	struct eng_insn insn;
	struct xs_error *err;
	if ((err = decode(unique, pc, &insn)) ||
		(err = eng_detours_vacate(&unique->detours, pc, pc + insn.length)))
		return err;
	ret->count = 0;
	for (;;) {
		ret->list[ret->count].pc = pc;
		ret->list[ret->count++].insn = insn;
		pc = eng_insn_next(&insn, pc);
		/* A stop that must be live ends the stretch, and any may. */
		if (unique->trace->wants || ret->count == STRETCH_MAX || pc == XS_ADDR_NONE ||
			stays(unique, pc) || !of_interest(unique, pc) || seen(unique, pc))
			return NULL;
		if ((err = decode(unique, pc, &insn)) ||
			(err = eng_detours_vacate(&unique->detours, pc, pc + insn.length)))
			return err;
		if (!insn.length || overlaps(unique, pc, &insn) ||
			overlaps_stretch(ret, pc, insn.length))
			return NULL;
	}
}

/* Takes the traps out of instructions [from, to) of a stretch, or puts them there, neighbours in
 * one go. */
static struct xs_error *set_traps(struct unique *unique, const struct stretch *stretch,
	unsigned from, unsigned to, bool trapped)
{
	struct xs_error *err = NULL;
	while (!err && from < to) {
		xs_addr lo = stretch->list[from].pc, hi = lo;
		while (from < to && stretch->list[from].pc == hi)
			hi += stretch->list[from++].insn.length;
		err = set(unique, lo, hi, trapped);
	}
	return err;
}

/* --- running -------------------------------------------------------------------------------- */

/* The signal that a thread is about to get may tell of an instruction in a stub. */
static void move_fault(pid_t pid, xs_addr from, xs_addr to)
{
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) || info.si_addr != (void *)from ||
		(info.si_signo != SIGFPE && info.si_signo != SIGILL))
		return;
	info.si_addr = (void *)to;
	ptrace(PTRACE_SETSIGINFO, pid, NULL, &info);
}

/* Lets the program go until it traps, gets a signal or ends. Gives the registers, with pc back on
 * the trap; NULL if the walk is over. */
static struct xs_error *go(struct unique *unique, struct user_regs_struct **ret)
{
	struct eng_trace *trace = unique->trace;
	struct eng_process *process = trace->process;
	struct eng_event event;
	struct xs_error *err;
	int signal = unique->signal;
	*ret = NULL;
	trace->signals += signal != 0;
	unique->signal = 0;
	process->fence = unique->fence; /* a new thread is then noticed at once */
	process->sigtrap.thread.blocked_known = false;
	err = eng_process_go(process, PTRACE_CONT, signal, &event);
	process->fence = NULL;
	if (err || (!process->ended && event.kind != ENG_EVENT_EXEC &&
			   (err = eng_process_regs(process, ret))))
		return err;
	if (process->ended || event.kind == ENG_EVENT_EXEC) {
		*ret = NULL;
		trace->end = process->ended ? ENG_END_PROGRAM : ENG_END_EXEC;
		return NULL;
	}
	bool trap = event.kind == ENG_EVENT_TRAP && unique->traps.planted;
	/* The other kind of trap: pc is on it, not behind it. */
	if (event.kind == ENG_EVENT_SIGNAL && event.signal == SIGILL && event.signal_code > 0 &&
		unique->traps.planted && eng_traps_has(&unique->traps, (*ret)->rip)) {
		(*ret)->rip++;
		trap = true;
	}
	xs_addr pc = eng_detours_pc(&unique->detours, *ret, trap);
	bool trapped =
		trap && (pc != XS_ADDR_NONE || eng_traps_has(&unique->traps, (*ret)->rip - 1));
	trace->traps += trapped;
	unique->padded = trapped ? pc : XS_ADDR_NONE;
	if (!trapped && pc != XS_ADDR_NONE)
		move_fault(process->tracee.pid, (*ret)->rip, pc);
	if (trapped || pc != XS_ADDR_NONE) {
		(*ret)->rip = pc == XS_ADDR_NONE ? (*ret)->rip - 1 : pc;
		process->tracee.regs_changed = true;
	}
	if (!trapped && event.kind != ENG_EVENT_STEP)
		unique->signal = event.signal;
	return NULL;
}

/* Runs a stretch to its last instruction, which keeps its trap. */
static struct xs_error *run(
	struct unique *unique, const struct stretch *stretch, enum eng_turn *ret)
{
	struct eng_trace *trace = unique->trace;
	struct user_regs_struct *regs;
	struct xs_error *err;
	unsigned last = stretch->count - 1, at = 0;
	*ret = ENG_TURN_OVER;
	if ((err = set_traps(unique, stretch, 0, last, false)) || (err = go(unique, &regs)) ||
		!regs)
		return err;
	while (at <= last && stretch->list[at].pc != regs->rip)
		at++;
	if (at > last)
		return xs_error_create("code at 0x%" PRIx64
				       " is not what it was: it changes while it "
				       "runs; trace with --mode single",
			stretch->list[0].pc);
	/* A signal came first: what lies behind has not been executed. */
	if ((err = set_traps(unique, stretch, at, last, true)))
		return err;
	for (unsigned i = 1; i <= at; i++) {
		xs_addr prev = stretch->list[i - 1].pc, pc = stretch->list[i].pc;
		*xs_map_at(&trace->seen, prev, 0) = ENG_SEEN_DONE;
		size_t counter = eng_trace_counter(trace, eng_trace_home(trace, prev), pc);
		if (!eng_trace_emit(trace, pc, counter, i == at))
			return NULL;
	}
	*ret = ENG_TURN_STOP;
	return NULL;
}

/* Runs what is known, at full speed, until something may be new. */
static struct xs_error *run_known(struct unique *unique, enum eng_turn *ret)
{
	struct eng_trace *trace = unique->trace;
	struct user_regs_struct *regs;
	struct xs_error *err;
	*ret = ENG_TURN_OVER;
	if ((err = go(unique, &regs)) || !regs)
		return err;
	if (regs->rip == trace->return_to && regs->rsp > trace->entry_sp) {
		trace->signal = unique->signal;
		trace->end = ENG_END_RETURN;
		return NULL;
	}
	*ret = ENG_TURN_SAME;
	trace->lost = true;
	if (!of_interest(unique, regs->rip))
		return NULL;
	/* Known ways lead here, or nobody knows which. */
	if (!seen(unique, regs->rip))
		check_code(unique);
	*ret = eng_trace_emit(
		       trace, regs->rip, eng_trace_counter(trace, trace->prev, regs->rip), true)
		       ? ENG_TURN_STOP
		       : ENG_TURN_OVER;
	return NULL;
}

/* Executes the one instruction where the thread is, really. */
static struct xs_error *step(struct unique *unique, enum eng_turn *ret)
{
	return eng_trace_step(unique->trace, unique->fence, &unique->signal, ret);
}

/* Executes the one instruction where the thread is, if it is a branch, by working it out. */
static struct xs_error *branch(
	struct unique *unique, const struct eng_insn *insn, enum eng_turn *ret)
{
	struct eng_trace *trace = unique->trace;
	struct eng_event event = {.kind = ENG_EVENT_STEP};
	struct user_regs_struct *regs;
	struct xs_error *err;
	*ret = ENG_TURN_OVER;
	if ((err = eng_process_regs(trace->process, &regs)))
		return err;
	if (trace->process->ended) {
		trace->end = ENG_END_PROGRAM;
		return NULL;
	}
	xs_addr before = regs->rip;
	if (!eng_branch_execute(insn, &trace->process->tracee, regs))
		return step(unique, ret);
	unique->went = regs->rip;
	return eng_trace_arrive(trace, before, insn, &event, &unique->signal, ret);
}

/* --- the walk ------------------------------------------------------------------------------- */

/* One turn from a pc in the ranges, which has been emitted. */
static struct xs_error *turn_inside(struct unique *unique, xs_addr pc, enum eng_turn *ret)
{
	struct eng_trace *trace = unique->trace;
	struct eng_process *process = trace->process;
	struct stretch stretch;
	struct xs_error *err;
	bool blocked = false;
	if (unique->stepping || process->threads.len)
		return step(unique, ret);
	if ((err = eng_sigtrap_forbids_traps(&process->sigtrap, &process->tracee, &blocked)) ||
		(err = eng_traps_plant(&unique->traps, &process->tracee)))
		return err;
	bool open = seen(unique, pc) == ENG_SEEN_OPEN;
	/* A branch with a detour tells by itself if it goes the other way. */
	if (open && unique->padded != pc && eng_detours_has(&unique->detours, pc) &&
		!eng_traps_has(&unique->traps, pc))
		open = false;
	if (!open && !unique->signal && !blocked && !eng_traps_has(&unique->traps, pc))
		return run_known(unique, ret);
	if (!open)
		return step(unique, ret);
	if ((err = discover(unique, pc, &stretch)))
		return err;
	if (overlaps(unique, pc, &stretch.list[0].insn)) {
		give_up_traps(unique, "the program's code overlaps");
		return step(unique, ret);
	}
	/* Nothing can run from a trap that stays. */
	if (stretch.count > 1 && !unique->signal && !blocked && !stays(unique, pc))
		return run(unique, &stretch, ret);
	unique->source = pc;
	unique->executed = stretch.list[0].insn;
	unique->stops_before = trace->stops;
	unique->went = XS_ADDR_NONE;
	unique->outside = false;
	if (unique->signal || blocked)
		return step(unique, ret);
	return branch(unique, &unique->executed, ret);
}

/* One turn from a pc outside of them. */
static struct xs_error *turn_outside(struct unique *unique, xs_addr pc, enum eng_turn *ret)
{
	struct eng_trace *trace = unique->trace;
	struct eng_process *process = trace->process;
	struct eng_insn insn;
	struct eng_event event;
	struct xs_error *err;
	bool blocked;
	unique->outside = true;
	if ((err = eng_sigtrap_forbids_traps(&process->sigtrap, &process->tracee, &blocked)))
		return err;
	if (trace->lost && !unique->stepping && !process->threads.len && !blocked) {
		if ((err = eng_traps_plant(&unique->traps, &process->tracee)))
			return err;
		if (!eng_traps_has(&unique->traps, pc))
			return run_known(unique, ret);
		/* Where the call returns to, but from another call of the same function; or the
		 * loader. */
		trace->signals += unique->signal != 0;
		if ((err = eng_process_step(process, unique->signal, &insn, &event)))
			return err;
		return eng_trace_arrive(trace, pc, &insn, &event, &unique->signal, ret);
	}
	err = step(unique, ret);
	if (!err)
		check_code(unique);
	return err;
}

/* Entries of a map whose first key is in the range are as if they had never been made, but for
 * those that go by a home address: their second key is `kept`. */
static void forget(struct xs_map *map, struct xs_range gone, uint64_t kept)
{
	for (size_t i = 0; i < map->cap; i++) {
		struct xs_map_slot *slot = &map->slots[i];
		if (slot->used && slot->b != kept && gone.lo <= slot->a && slot->a < gone.hi)
			slot->value = 0;
	}
}

/* The code at these addresses is no more, and whatever comes there next is new. */
static void forget_code(struct unique *unique, struct xs_range gone)
{
	eng_detours_forget(&unique->detours, gone.lo, gone.hi);
	eng_traps_uncover(&unique->traps, gone.lo, gone.hi);
	forget(&unique->spent, gone, XS_ADDR_NONE);
	forget(&unique->left, gone, XS_ADDR_NONE);
	forget(&unique->trace->seen, gone, 1);
	if (gone.lo <= unique->source && unique->source < gone.hi)
		unique->source = XS_ADDR_NONE;
}

/* Makes the traps fit the ranges: what came is all traps. */
static struct xs_error *fit_traps(struct unique *unique)
{
	struct eng_trace *trace = unique->trace;
	struct eng_tracee *tracee = &trace->process->tracee;
	struct xs_ranges gone = unique->covered, fresh = {0};
	unique->covered = (struct xs_ranges){0};
	xs_ranges_add_all(&unique->covered, trace->ranges);
	xs_ranges_add_all(&fresh, trace->ranges);
	xs_ranges_subtract(&fresh, &gone);
	xs_ranges_subtract(&gone, trace->ranges);
	for (size_t i = 0; i < gone.vec.len; i++)
		forget_code(unique, gone.vec.data[i]);
	struct xs_error *err = eng_traps_cover(&unique->traps, tracee, &fresh);
	xs_ranges_deinit(&gone);
	xs_ranges_deinit(&fresh);
	/* What must trap may lie outside of the ranges. */
	if (!err && trace->return_to != XS_ADDR_NONE)
		err = eng_traps_add(&unique->traps, tracee, trace->return_to);
	if (!err && trace->on_load)
		err = eng_traps_add(&unique->traps, tracee, trace->loader);
	return err;
}

static struct xs_error *walk(struct unique *unique)
{
	struct eng_trace *trace = unique->trace;
	struct eng_process *process = trace->process;
	enum eng_turn ret = ENG_TURN_STOP;
	struct user_regs_struct *regs;
	struct xs_error *err = NULL;
	while (!err && ret != ENG_TURN_OVER) {
		bool changed;
		if (!process->ended && (err = eng_process_regs(process, &regs)))
			return err;
		if (process->ended) {
			trace->end = ENG_END_PROGRAM;
			return NULL;
		}
		xs_addr pc = regs->rip;
		if ((err = eng_trace_reload(trace, unique->fence, pc, &changed)) ||
			(changed && !unique->stepping && (err = fit_traps(unique))))
			return err;
		err = of_interest(unique, pc) ? turn_inside(unique, pc, &ret)
					      : turn_outside(unique, pc, &ret);
		if (!err && ret == ENG_TURN_STOP && !unique->stepping)
			err = settle(unique);
	}
	return err;
}

struct xs_error *eng_trace_unique(struct eng_trace *trace, struct eng_fence *fence)
{
	struct unique unique = {
		.trace = trace, .fence = fence, .padded = XS_ADDR_NONE, .source = XS_ADDR_NONE};
	struct eng_process *process = trace->process;
	unique.detours = (struct eng_detours){.process = process,
		.traps = &unique.traps,
		.seen = &trace->seen,
		.keep = trace->return_to};
	process->traps = &unique.traps;
	struct xs_error *err = fit_traps(&unique);
	check_code(&unique); /* some linkers make it writable from the start */
	if (!err)
		err = walk(&unique);
	if (!process->ended && trace->end != ENG_END_EXEC)
		eng_traps_clear(&unique.traps, &process->tracee);
	process->traps = NULL;
	eng_traps_deinit(&unique.traps);
	xs_ranges_deinit(&unique.covered);
	xs_map_deinit(&unique.spent);
	xs_map_deinit(&unique.left);
	eng_detours_deinit(&unique.detours);
	return err;
}
