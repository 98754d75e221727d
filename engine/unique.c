/* unique.c - each transition once; what is known runs at the processor's speed.
 *
 * At the start every byte of the ranges is a trap. An instruction is NOT seen, OPEN or DONE (enum
 * eng_seen), and the traps follow from that:
 *
 *     NOT   covered with traps: whoever comes here comes for the first time
 *     OPEN  a trap on its first byte: where it leads may be new
 *     DONE  its own bytes, and no trap: the program runs through it unnoticed
 *
 *     NOT --(arrival)--> OPEN --(all its ways were seen, or its budget is spent)--> DONE
 *
 * Rules:
 * 1. An edge is trapped at its source, so that prev is known. With one certain successor an
 *    instruction is DONE when it was passed, a conditional branch when it went both ways.
 * 2. Where the ways cannot be foreseen (returns, indirect branches, system calls, whatever leads
 *    out of the ranges), a source stays OPEN until it has cost BUDGET in a row without telling
 *    anything new. Then it is saturated: DONE, and named in the results.
 *    A conditional branch that keeps going one way, as a loop's does, is not waited for either: if
 *    its other way leads to code NOT seen, it claims that, and the trap there tells. Only one may
 *    claim it, and it must be no place that others reach unnoticed; else the branch is saturated.
 * 3. Whoever leaves the ranges from a trap is awaited at the fence. After a saturated source the
 *    program leaves, and comes back, unnoticed: where it then first arrives is emitted, but no
 *    transition (eng_trace.lost). So the transitions are a subset of those of exact, and all of
 * them if nothing is saturated. One hole is known: a claimed place that is first reached unnoticed
 * from library code, with flags that fit the branch, is credited to the branch.
 * 4. What cannot be done with traps (other threads, SIGTRAP blocked, code that overlaps or changes)
 *    is stepped as in the single mode, the last two from then on. */
#include <signal.h>
#include <sys/ptrace.h>

#include "base/log.h"
#include "engine/branch.h"
#include "engine/trace.h"

enum {
	BUDGET = 500,     /* arrivals at a source in a row that may tell nothing new */
	OUTSIDE_COST = 5, /* one that leads through library code counts so many times */
	STRETCH_MAX = 64, /* instructions discovered in one go */
};

struct unique {
	struct xs_map claims; /* pc NOT seen -> the branch that claims it; 0: none does */
	bool jumps_saturated; /* indirect jumps may lead anywhere unnoticed */
	struct eng_trace *trace;
	struct eng_fence *fence;
	struct eng_traps traps;
	struct xs_map spent;      /* source -> what it has cost since it told something new */
	int signal;               /* to be delivered next */
	bool stepping;            /* the code overlaps or changes: no more traps */
	xs_addr source;           /* OPEN and just executed; XS_ADDR_NONE if none is */
	struct eng_insn executed; /* what is there */
	uint64_t stops_before;    /* trace->stops before it was */
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
	size_t counter = eng_trace_counter(unique->trace, prev, pc); /* may move the counts */
	return unique->trace->counts.data[counter];
}

static bool of_interest(const struct unique *unique, xs_addr pc)
{
	return xs_ranges_find(unique->trace->ranges, pc);
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
		(unique->fence->changed || eng_process_may_write(process, unique->trace->ranges)))
		give_up_traps(unique, "the program may change its own code");
}

/* --- sources -------------------------------------------------------------------------------- */

/* Nothing more is expected of the instruction at pc. */
static struct xs_error *finish(struct unique *unique, xs_addr pc, unsigned length)
{
	*xs_map_at(&unique->trace->seen, pc, 0) = ENG_SEEN_DONE;
	struct eng_tracee *tracee = &unique->trace->process->tracee;
	/* The end of the traced call is always waited for. */
	if (pc == unique->trace->return_to)
		return eng_traps_set(&unique->traps, tracee, pc + 1, pc + length, false);
	return eng_traps_set(&unique->traps, tracee, pc, pc + length, false);
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

/* The branch that claims a pc; 0 if none does. */
static xs_addr claimant(const struct unique *unique, xs_addr pc)
{
	const uint64_t *claim = xs_map_find(&unique->claims, pc, 0);
	return claim ? *claim : 0;
}

/* Whether what lies before pc may be a call, so that returns lead to pc. */
static struct xs_error *is_return_site(struct unique *unique, xs_addr pc, bool *ret)
{
	enum { SHORTEST = 2, LONGEST = 9 }; /* calls, prefixes included */
	struct xs_error *err = NULL;
	*ret = false;
	for (unsigned length = SHORTEST; !err && !*ret && length <= LONGEST; length++) {
		struct eng_insn insn;
		if (!(err = decode(unique, pc - length, &insn)))
			*ret = insn.length == length &&
			       (insn.kind == ENG_INSN_CALL || insn.kind == ENG_INSN_INDIRECT_CALL);
	}
	return err;
}

/* A conditional branch at pc has gone one way again and again: the trap at the other end of the
 * other way may tell when it does not. *ret is false if it could not. */
static struct xs_error *claim(
	struct unique *unique, xs_addr pc, const struct eng_insn *insn, bool *ret)
{
	xs_addr next = pc + insn->length, target = eng_insn_target(insn, pc);
	xs_addr other = taken(unique, pc, next) ? target : next;
	struct xs_error *err;
	bool returns = false;
	*ret = false;
	if (insn->kind != ENG_INSN_CONDITIONAL || !of_interest(unique, other) ||
		seen(unique, other) || claimant(unique, other) || unique->jumps_saturated ||
		!eng_traps_has(&unique->traps, other))
		return NULL;
	if (other != next && ((err = is_return_site(unique, other, &returns)) || returns))
		return err;
	*xs_map_at(&unique->claims, other, 0) = pc;
	*ret = true;
	return finish(unique, pc, insn->length);
}

/* Whether the thread, trapped at a claimed pc, can have come from the branch that claims it: the
 * flags are still what that saw. */
static struct xs_error *came_from(
	struct unique *unique, xs_addr source, const struct user_regs_struct *regs, bool *ret)
{
	struct user_regs_struct copy = *regs;
	struct eng_insn insn;
	struct xs_error *err = decode(unique, source, &insn);
	*ret = false;
	if (err || insn.kind != ENG_INSN_CONDITIONAL || unique->jumps_saturated)
		return err;
	*ret = insn.condition >= 0xe0 || eng_branch_taken(insn.condition, &copy) ==
						 (eng_insn_target(&insn, source) == regs->rip);
	return NULL;
}

/* The thread is at pc. If a branch claimed that, the claim is over; if the thread came another way,
 * the branch must be watched again. */
static struct xs_error *end_claim(struct unique *unique, xs_addr pc)
{
	xs_addr source = claimant(unique, pc);
	struct eng_insn insn;
	struct xs_error *err;
	if (!source)
		return NULL;
	*xs_map_at(&unique->claims, pc, 0) = 0;
	if (taken(unique, source, pc))
		return NULL;
	if ((err = decode(unique, source, &insn)))
		return err;
	*xs_map_at(&unique->trace->seen, source, 0) = ENG_SEEN_OPEN;
	*xs_map_at(&unique->spent, source, 0) = 0;
	return eng_traps_set(&unique->traps, &unique->trace->process->tracee, source,
		source + insn.length, true);
}

/* The thread has arrived somewhere from unique->source: is that source done? */
static struct xs_error *settle(struct unique *unique)
{
	struct eng_trace *trace = unique->trace;
	xs_addr pc = unique->source;
	const struct eng_insn *insn = &unique->executed;
	struct xs_error *err;
	bool all = false, claimed;
	unique->source = XS_ADDR_NONE;
	if (pc == XS_ADDR_NONE || seen(unique, pc) != ENG_SEEN_OPEN)
		return NULL;
	if (foreseen(unique, pc, insn, &all) && all)
		return finish(unique, pc, insn->length);
	if (insn->kind == ENG_INSN_OTHER) /* an int3 of the program's own, a fault: never lifted */
		return NULL;
	uint64_t *spent = xs_map_at(&unique->spent, pc, 0);
	*spent = trace->stops > unique->stops_before
			 ? 0
			 : *spent + (unique->outside ? OUTSIDE_COST : 1);
	if (*spent < BUDGET)
		return NULL;
	if ((err = claim(unique, pc, insn, &claimed)) || claimed)
		return err;
	unique->jumps_saturated |= insn->kind == ENG_INSN_INDIRECT_JUMP;
	xs_vec_push(&trace->saturated, pc);
	return finish(unique, pc, insn->length);
}

/* --- discovery ------------------------------------------------------------------------------ */

/* Whether an instruction shares bytes with another that was seen: all of its own are still covered
 * otherwise, and none but the first begins one. */
static bool overlaps(const struct unique *unique, xs_addr pc, const struct eng_insn *insn)
{
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
	if ((err = decode(unique, pc, &insn)))
		return err;
	ret->count = 0;
	for (;;) {
		ret->list[ret->count].pc = pc;
		ret->list[ret->count++].insn = insn;
		pc = eng_insn_next(&insn, pc);
		/* A stop that must be live ends the stretch, and any may. */
		if (unique->trace->wants || ret->count == STRETCH_MAX || pc == XS_ADDR_NONE ||
			pc == unique->trace->return_to || !of_interest(unique, pc) ||
			seen(unique, pc) || claimant(unique, pc))
			return NULL;
		if ((err = decode(unique, pc, &insn)))
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
	struct eng_tracee *tracee = &unique->trace->process->tracee;
	struct xs_error *err = NULL;
	while (!err && from < to) {
		xs_addr lo = stretch->list[from].pc, hi = lo;
		while (from < to && stretch->list[from].pc == hi)
			hi += stretch->list[from++].insn.length;
		err = eng_traps_set(&unique->traps, tracee, lo, hi, trapped);
	}
	return err;
}

/* --- running -------------------------------------------------------------------------------- */

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
	process->blocked_known = false;
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
	bool trapped = event.kind == ENG_EVENT_TRAP && unique->traps.planted &&
		       eng_traps_has(&unique->traps, (*ret)->rip - 1);
	trace->traps += trapped;
	if (trapped) {
		(*ret)->rip--;
		process->tracee.regs_changed = true;
	} else if (event.kind != ENG_EVENT_STEP) {
		unique->signal = event.signal;
	}
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
		if (!eng_trace_emit(trace, pc, eng_trace_counter(trace, prev, pc), i == at))
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
	/* Known ways lead here, or nobody knows which, or the one that was claimed. */
	xs_addr source = seen(unique, regs->rip) ? 0 : claimant(unique, regs->rip);
	bool certain = false;
	if (source && (err = came_from(unique, source, regs, &certain)))
		return err;
	if (certain) {
		trace->prev = source;
		trace->lost = false;
	} else if (!seen(unique, regs->rip)) {
		check_code(unique);
	}
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
	if ((err = eng_process_blocks_trap(process, &blocked)) ||
		(err = eng_traps_plant(&unique->traps, &process->tracee)))
		return err;
	bool open = seen(unique, pc) == ENG_SEEN_OPEN;
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
	/* The trap at the end of the call stays, so nothing can run from there. */
	if (stretch.count > 1 && !unique->signal && !blocked && pc != trace->return_to)
		return run(unique, &stretch, ret);
	unique->source = pc;
	unique->executed = stretch.list[0].insn;
	unique->stops_before = trace->stops;
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
	unique->outside = true;
	if (trace->lost && !unique->stepping && !process->threads.len) {
		if ((err = eng_traps_plant(&unique->traps, &process->tracee)))
			return err;
		if (!eng_traps_has(&unique->traps, pc))
			return run_known(unique, ret);
		/* Where the call returns to, but from another call of the same function. */
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

static struct xs_error *walk(struct unique *unique)
{
	struct eng_trace *trace = unique->trace;
	struct eng_process *process = trace->process;
	enum eng_turn ret = ENG_TURN_STOP;
	struct user_regs_struct *regs;
	struct xs_error *err = NULL;
	while (!err && ret != ENG_TURN_OVER) {
		if ((err = eng_process_regs(process, &regs)))
			return err;
		if (process->ended) {
			trace->end = ENG_END_PROGRAM;
			return NULL;
		}
		xs_addr pc = regs->rip;
		err = of_interest(unique, pc) ? turn_inside(unique, pc, &ret)
					      : turn_outside(unique, pc, &ret);
		if (!err && ret == ENG_TURN_STOP && !unique->stepping)
			err = settle(unique);
		if (!err && ret == ENG_TURN_STOP && !unique->stepping)
			err = end_claim(unique, trace->prev);
	}
	return err;
}

struct xs_error *eng_trace_unique(struct eng_trace *trace, struct eng_fence *fence)
{
	struct unique unique = {.trace = trace, .fence = fence, .source = XS_ADDR_NONE};
	struct eng_process *process = trace->process;
	struct xs_error *err = NULL;
	process->traps = &unique.traps;
	eng_traps_cover(&unique.traps, &process->tracee, trace->ranges);
	check_code(&unique); /* some linkers make it writable from the start */
	if (trace->return_to != XS_ADDR_NONE && !of_interest(&unique, trace->return_to))
		err = eng_traps_add(&unique.traps, &process->tracee, trace->return_to);
	if (!err)
		err = walk(&unique);
	if (!process->ended && trace->end != ENG_END_EXEC)
		eng_traps_clear(&unique.traps, &process->tracee);
	process->traps = NULL;
	eng_traps_deinit(&unique.traps);
	xs_map_deinit(&unique.spent);
	xs_map_deinit(&unique.claims);
	return err;
}
