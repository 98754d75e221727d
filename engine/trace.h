/* trace.h - walks the program from stop to stop.
 *
 * The walk is told which addresses are of interest and calls back at each stop there. It begins
 * where the thread stands, as if a function had just been called, and is over when that call
 * returns or the program ends. How the program is advanced is the mode's business; all modes yield
 * the same stops with the same counts.
 *
 * What is of interest may change on the way, when shared objects are loaded and unloaded: the
 * caller is asked at the only moments when that can be (loader.h). */
#ifndef ENG_TRACE_H
#define ENG_TRACE_H

#include "base/map.h"
#include "engine/home.h"
#include "engine/process.h"

enum eng_mode {
	ENG_MODE_SINGLE, /* PTRACE_SINGLESTEP, every instruction: slow and simple, the reference */
	ENG_MODE_EXACT,  /* in a code cache, or from the end of a block to the end of the next */
};

/* A moment between two instructions of interest. Addresses are home addresses: those of the running
 * process, unless something was loaded a second time (home.h). */
struct eng_stop {
	uint64_t number; /* counts from 1 */
	xs_addr prev; /* pc of the stop before, across other code too; XS_ADDR_NONE at the first */
	xs_addr pc;   /* the instruction about to be executed */
	uint64_t n;   /* how often prev -> pc has been taken, this time included */
	bool live;    /* the thread is at this stop right now; else it has passed it */
	bool due;     /* it is one of those that eng_trace.next tells of */
};

enum eng_end_kind {
	ENG_END_RETURN,      /* the call that was traced returned; the program is still there */
	ENG_END_EXEC,        /* it became another program, which is still there */
	ENG_END_PROGRAM,     /* it exited or was killed: see eng_process.end */
	ENG_END_LIMIT,       /* as many stops as were asked for */
	ENG_END_CALLER,      /* the callback said so */
	ENG_END_INTERRUPTED, /* ^C, SIGTERM or the clock: see eng_interrupt_signal() */
};

/* Somebody else who counts transitions, too (cache.h). */
struct eng_also {
	/* Brings the count of one up to date. */
	void (*settle)(void *arg, size_t counter);
	/* One, settled before, was counted here; which arrival is due next is known. */
	void (*counted)(void *arg, size_t counter);
	/* How many stops there have been. */
	uint64_t (*number)(void *arg);
};

struct eng_trace {
	/* Set by the caller. */
	struct eng_process *process;    /* stopped at the first instruction to be traced */
	const struct xs_ranges *ranges; /* of interest, in process addresses */
	const struct eng_homes *homes;  /* of what is not at home; NULL: everything is */
	enum eng_mode mode;             /* how to advance */
	bool joins;                     /* the walk begins outside of the ranges, of a thread that
					 * was just made, and is over when the thread ends */
	uint64_t above; /* bytes from rsp to the return address of the call; 0 at its
					 * first instruction */
	uint64_t limit; /* how many stops at most; 0: no limit */
	/* Called at each stop; false ends the walk. The process may be read only if it is live. */
	bool (*on_stop)(void *context, const struct eng_stop *stop);
	/* Which arrivals at prev -> pc are due: the first after the n-th, which was due or is 0;
	 * UINT64_MAX if none is. NULL: all are. */
	uint64_t (*next)(void *context, xs_addr prev, xs_addr pc, uint64_t n);
	bool live; /* a stop that is due must be live */
	/* Only stops that are due need be told of. The counts of all are there at the end. */
	bool sparse;
	/* Whether the n-th prev -> pc must be live, due or not; NULL: `live` says it all. */
	bool (*wants)(void *context, xs_addr prev, xs_addr pc, uint64_t n);
	/* Called when shared objects may have come or gone, to change ranges and homes: *changed
	 * tells if it did. NULL: they stay what they are. */
	struct xs_error *(*on_load)(void *context, bool *changed);
	xs_addr loader; /* where that is; see eng_loader_find() */
	/* Called every now and then while the program runs by itself: how many stops there have
	 * been, as far as that is known. NULL: nobody asks. */
	void (*on_running)(void *context, uint64_t stops);
	/* Of a sparse walk: it ends soon after that many stops, the program being killed if it
	 * comes to none that is due. 0: it does not. */
	uint64_t patience;
	void *context; /* passed to all of them */

	/* Results. */
	enum eng_end_kind end;          /* why it is over */
	int signal;                     /* of RETURN: still to be delivered, 0 if none is */
	uint64_t stops;                 /* how many there were */
	struct xs_map transitions;      /* (prev, pc) -> index into counts, plus 1 */
	XS_VEC(uint64_t) counts;        /* how often each was taken; 0: foreseen, never taken */
	XS_VEC(uint64_t) dues;          /* which arrival is due next */
	uint64_t traps, steps, signals; /* int3 hit, single steps made, signals delivered */

	/* The walk's own, for the modes. */
	xs_addr prev;            /* pc of the last stop: its home address */
	xs_addr return_to;       /* where the traced call returns to */
	xs_addr entry_sp;        /* rsp at its first instruction */
	bool stale;              /* the ranges were changed while another thread had its turn */
	uint64_t turn_until;     /* number of the stop after which others may have their turns */
	struct eng_fence *fence; /* around all ways into the ranges */
	const struct eng_also *also; /* who else counts: the program itself; NULL: nobody */
	void *also_arg;              /* passed to all of them */
	struct xs_map into; /* (pc, 0) -> index of the transition made last that leads to it,
				  * plus 1 */
	XS_VEC(size_t)
	into_too; /* of each transition: the one before it that leads there, plus 1 */
};

XS_MUST_CHECK struct xs_error *eng_trace_run(struct eng_trace *trace);
/* In on_stop: how often the home address pc has been arrived at. */
uint64_t eng_trace_arrivals(struct eng_trace *trace, xs_addr pc);
void eng_trace_deinit(struct eng_trace *trace);

/* --- for the modes ---------------------------------------------------------------------------- */

/* Each walks until trace->end is known. The fence is around all ways into the ranges. */
XS_MUST_CHECK struct xs_error *eng_trace_single(struct eng_trace *trace, struct eng_fence *fence);
XS_MUST_CHECK struct xs_error *eng_trace_exact(struct eng_trace *trace, struct eng_fence *fence);

/* The address that pc goes by. */
static inline xs_addr eng_trace_home(const struct eng_trace *trace, xs_addr pc)
{
	return eng_home_of(trace->homes, pc);
}
/* Whether the thread, at pc, is where the loader tells of a change. */
static inline bool eng_trace_at_loader(const struct eng_trace *trace, xs_addr pc)
{
	return trace->on_load && pc == trace->loader;
}
/* If the thread is there: asks the caller, and puts the fence, which is down, around what is of
 * interest now. What else a mode keeps of the code is for the mode to change, if *changed. */
XS_MUST_CHECK struct xs_error *eng_trace_reload(
	struct eng_trace *trace, struct eng_fence *fence, xs_addr pc, bool *changed);
/* Another thread's walk has changed the ranges: eng_trace_reload() without asking. */
void eng_trace_refit(struct eng_trace *trace);
/* The thread is at pc, which is of interest: others may have their turns. *over tells that the walk
 * is. */
XS_MUST_CHECK struct xs_error *eng_trace_offer(struct eng_trace *trace, xs_addr pc, bool *over);

/* Library code has run: whether it may have changed the program's own code, or taken some of it
 * away, so that nothing that was decoded holds. What the loader unmaps it tells of. */
bool eng_trace_code_changes(const struct eng_trace *trace, const struct eng_fence *fence);

/* The counter of a transition from the home address prev to pc: index into counts. */
size_t eng_trace_counter(struct eng_trace *trace, xs_addr prev, xs_addr pc);
/* Whether the next arrival at prev -> pc, home addresses both, must be live. */
bool eng_trace_wants(const struct eng_trace *trace, size_t counter, xs_addr prev, xs_addr pc);
/* Whether any stop may have to be live. */
static inline bool eng_trace_is_looked_at(const struct eng_trace *trace)
{
	return trace->live || trace->wants;
}
/* The thread is, or was, at pc, which is of interest. False if the walk is over. */
bool eng_trace_emit(struct eng_trace *trace, xs_addr pc, size_t counter, bool live);

/* What one turn of a walk came to. */
enum eng_turn {
	ENG_TURN_STOP, /* a new stop: it has been emitted, and the walk goes on */
	ENG_TURN_SAME, /* nothing was executed, or a repeated instruction is not done */
	ENG_TURN_OVER, /* trace->end is known */
};

/* Delivers *signal and advances by one instruction, or, outside of the ranges, to the next way in.
 * *signal becomes what is to be delivered next. */
XS_MUST_CHECK struct xs_error *eng_trace_step(
	struct eng_trace *trace, struct eng_fence *fence, int *signal, enum eng_turn *ret);
/* After an event: whether the thread, with these registers, is at a new stop. */
XS_MUST_CHECK struct xs_error *eng_trace_arrive(struct eng_trace *trace, xs_addr before,
	const struct eng_insn *insn, const struct eng_event *event, int *signal,
	enum eng_turn *ret);

#endif
