/* threads.h - all threads of the program, walked one at a time.
 *
 * Each thread has a number, from 1 in the order of creation, and a walk of its own, a fiber. One of
 * them runs; the others are stopped, or sleep in the kernel. So code can be trapped as if there
 * were one thread, and a program that is deterministic but for its schedule has one schedule:
 *
 *     A thread goes on until it sleeps (in a system call: a lock, a join, a read), calls
 *     sched_yield(), ends, or has come a long way and another one waits for its turn. Then it is
 *     the turn of the next higher number that can go on, the lowest coming after the highest.
 *
 * Rules:
 * 1. Who has come a long way (QUANTUM stops) is put off at the next conditional branch or return:
 *    all modes stop there, so all have the same schedule. Where none comes, as in an empty endless
 *    loop, it is put off after as many stops more at the next jump back, or indirect jump: all
 *    modes step when they come near (eng_threads_is_late()).
 * 2. In code that nobody looks at a thread is put off by the clock (PATIENCE_MS), for it may wait
 *    for another one without sleeping. Only that, and what the program itself asks of clocks, other
 *    processes and the outside world, can make two runs differ.
 * 3. A thread that the kernel has woken is waited for before it is decided whose turn it is, so
 *    that the decision does not depend on who is faster.
 * 4. Traps and fences are those of the thread whose turn it is: taken out of memory when it leaves,
 *    put back before it goes on.
 * 5. When the program execs, the walks end. When it is killed or a walk fails, all of them end. */
#ifndef ENG_THREADS_H
#define ENG_THREADS_H

#include "engine/fiber.h"
#include "engine/trace.h"

struct eng_thread {
	struct eng_threads *all; /* whose it is */
	unsigned number;         /* from 1 */
	pid_t pid;               /* its thread id */
	struct eng_fiber *fiber; /* its walk */
	struct eng_trace *trace; /* that, once it has begun */
	bool away;               /* resumed, and not heard of since */
	bool asleep;             /* was last seen asleep in the kernel, and is away since */
	bool told;               /* `status` has not been looked at yet */
	int status;              /* what waitpid said */
	bool interrupted;        /* asked to stop: its time is up */
	bool yields;             /* in sched_yield() */
	bool stale;              /* what is of interest has changed since it left */
	struct eng_turn_state {  /* what eng_process has of it while it is its turn */
		struct eng_fence *fence;
		struct eng_traps *traps;
		bool up, planted; /* whether they are to be put back */
		bool fence_was_up, in_call, ended;
		struct eng_sigtrap_thread sigtrap;
		bool to_call_end;
		unsigned call_stops;
		xs_addr goal;
		int request;
	} state;
	struct xs_error *err; /* why its walk ended, if that failed */
};

struct eng_threads {
	/* Set by the caller. */
	struct eng_process *process;
	/* Walks a thread to its end, by eng_trace_run(); the first one from where it is. */
	struct xs_error *(*walk)(void *context, unsigned number);
	void *context; /* passed to it */

	XS_VEC(struct eng_thread *) list; /* by number */
	struct eng_thread *current;       /* whose turn it is; NULL while that is decided */
	size_t last;                      /* index of who had the last one */
	struct eng_event end;             /* of the first: the program's */
	bool execed;                      /* it became another program */
	bool killed;                      /* by us: whatever fails from then on, fails for that */
};

/* Walks all threads, those too that come, until each has ended. The program has then ended, or
 * become another. */
XS_MUST_CHECK struct xs_error *eng_threads_run(struct eng_threads *threads);
/* Ends the program, and with it all walks. */
void eng_threads_kill(struct eng_threads *threads);

/* --- for the process and the walks ------------------------------------------------------------ */

/* A new thread, in its first stop. */
void eng_threads_add(struct eng_threads *threads, pid_t pid);
/* Waits until the thread whose turn it is has something to say, as waitpid() would put it. Others
 * may have their turns meanwhile. */
XS_MUST_CHECK struct xs_error *eng_threads_wait(struct eng_threads *threads, int *status);
/* The thread, stopped at pc, has come so far: others may have their turns now (rule 1). *over tells
 * that it is no more. */
XS_MUST_CHECK struct xs_error *eng_threads_offer(
	struct eng_threads *threads, struct eng_trace *trace, xs_addr pc, bool *over);
/* Whether the turn will have lasted too long in so many stops: who runs further than that at once
 * may pass the place where it ends (rule 1). */
bool eng_threads_is_late(const struct eng_trace *trace, uint64_t ahead);
/* What is of interest has changed: tells the walks of all others. */
void eng_threads_mark_stale(struct eng_threads *threads);

#endif
