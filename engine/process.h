/* process.h - the program being traced, from exec to its end.
 *
 * Rules:
 * 1. One thread is followed: the first. The others run freely, attached, so that they live and die
 *    with the program; children that it forks are let go at once, unharmed.
 *    Or all threads are followed, one at a time (threads.h). Then all that is said of the followed
 *    thread is said of the one whose turn it is, `ended` too.
 * 2. Between two calls the followed thread is stopped, unless `ended`.
 * 3. Whoever runs it deals with steps, traps, signals and ends only: group stops, forks and threads
 *    are handled below eng_process_go().
 * 4. The program never outlives the process struct, except for what it forked.
 *
 *     eng_process_create --> [stopped after exec]
 *        eng_process_run_into(set)   --> [about to execute an address of the set]
 *        eng_process_step            --> [one instruction further]
 *        eng_process_finish          --> [ended]
 *     eng_process_destroy, from any of these */
#ifndef ENG_PROCESS_H
#define ENG_PROCESS_H

#include "engine/cpu.h"
#include "engine/event.h"
#include "engine/fence.h"
#include "engine/insn.h"
#include "engine/launch.h"
#include "engine/sigtrap.h"
#include "engine/terminal.h"
#include "engine/tick.h"
#include "engine/traps.h"

struct eng_threads;

struct eng_process {
	struct eng_tracee tracee;     /* the followed thread */
	int pidfd;                    /* of the program: the safe handle to kill it by */
	struct eng_cpu cpu;           /* the core that tracer and tracee share */
	struct eng_terminal terminal; /* what the program reads from, if we lent it */
	struct eng_threads *all;      /* if each thread is followed; else NULL */
	XS_VEC(pid_t) threads;        /* the other threads, running freely */
	XS_VEC(pid_t) newborn;        /* stopped, but their parent's event has not come yet */
	struct eng_fence *fence;      /* the one that may be up, NULL if none */
	struct eng_traps *traps;      /* those that a mode has planted, NULL if none has */
	bool fence_was_up;            /* lowered for a vfork, to be raised when it is done */
	struct eng_sigtrap sigtrap;   /* what the program does with SIGTRAP */
	bool to_call_end;             /* runs to the end of one system call */
	unsigned call_stops;          /* how many of its two stops have been */
	xs_addr goal;                 /* of eng_process_go_to(), else XS_ADDR_NONE */
	int request;                  /* how the followed thread was last resumed */
	bool in_call;                 /* if each is followed: it may be in the kernel, and sleep */
	bool watches_calls;        /* all system calls are to be looked at, if there is a fence */
	unsigned calls_watched;    /* system calls still to be looked at; see constant.h */
	struct eng_steady *steady; /* who answers its questions; NULL: the kernel */
	bool does_clock;           /* its readings of the processor's clock are ours (tsc.h) */
	uint64_t clock_readings;   /* how many there were */
	struct eng_tick tick;      /* if somebody wants to know that it takes long */
	uint64_t moved_by;         /* how much higher it is than the kernel put it */
	bool ended;                /* whether the program has ended; then `end` tells how */
	struct eng_event end;      /* EXITED or KILLED */
};

/* Launches the program and stops it after exec. It is killed after `seconds` (0: never). */
XS_MUST_CHECK struct xs_error *eng_process_create(
	const struct eng_launch *launch, double seconds, struct eng_process **ret);
void eng_process_destroy(struct eng_process *process);
XS_DEFINE_CLEANUP(eng_process);

/* What the kernel told the program about itself: the value of an AT_ entry, 0 if there is none. */
XS_MUST_CHECK struct xs_error *eng_process_auxv(
	struct eng_process *process, uint64_t type, uint64_t *ret);

/* Resumes the followed thread (PTRACE_CONT or PTRACE_SINGLESTEP) and waits for what a mode must
 * know: STEP, TRAP, SIGNAL, EXEC, EXITED or KILLED. */
XS_MUST_CHECK struct xs_error *eng_process_go(
	struct eng_process *process, int request, int signal, struct eng_event *ret);

/* Resumes the followed thread by PTRACE_CONT and waits for what a mode must know. The thread will
 * come to a planted trap at goal, and can be at goal + 1 in no other way than by executing that. So
 * the trap is known by its pc, and the kernel is not asked where it came from. */
XS_MUST_CHECK struct xs_error *eng_process_go_to(
	struct eng_process *process, xs_addr goal, struct eng_event *ret);

/* The followed thread is stopped at a system call: makes the key of malloc constant, if that call
 * has just asked for it. */
XS_MUST_CHECK struct xs_error *eng_process_watch_call(struct eng_process *process);

/* The followed thread is stopped at the begin or the end of a system call: goes on, unless *stay,
 * for then whoever runs it must know that this call is over. */
XS_MUST_CHECK struct xs_error *eng_process_pass_call(struct eng_process *process, bool *stay);

/* Executes one instruction, or enters the handler of `signal`. The trap flag that the step sets
 * does not leak into what pushf and syscall store, and a SIGTRAP that the program blocks stays
 * the program's. *insn is what was at pc. */
XS_MUST_CHECK struct xs_error *eng_process_step(
	struct eng_process *process, int signal, struct eng_insn *insn, struct eng_event *ret);

/* Delivers `signal` and runs at full speed until the thread is about to execute an address of the
 * fence: TRAP, with pc there and in `signal` what is still to be delivered (0: nothing). Other
 * results: EXEC, EXITED, KILLED. Starting on such an address, one step is made first: that
 * instruction, but after exec only the way out of the system call. With several threads, steps
 * (fence.h, rule 1). */
XS_MUST_CHECK struct xs_error *eng_process_run_into(
	struct eng_process *process, struct eng_fence *fence, int signal, struct eng_event *ret);

/* The registers of the followed thread. If it was killed meanwhile, NULL and `ended`. */
XS_MUST_CHECK struct xs_error *eng_process_regs(
	struct eng_process *process, struct user_regs_struct **ret);
/* Something failed. If that is because the followed thread was killed meanwhile: NULL, and *ret is
 * how it ended, or EXEC if the program became another. */
XS_MUST_CHECK struct xs_error *eng_process_excuse(
	struct eng_process *process, struct xs_error *err, struct eng_event *ret);
/* Whether an address lies in memory that can be executed. */
bool eng_process_is_code(const struct eng_process *process, xs_addr address);
/* Whether the program may write to any of these addresses. */
bool eng_process_may_write(const struct eng_process *process, const struct xs_ranges *ranges);

/* Another child of xstep's, which is none of the program's: waiting for the program the engine may
 * be the one who hears of its end, and keeps it. */
void eng_process_note_other(pid_t pid);
/* Whether it has heard of that; *status as from waitpid(). It is then forgotten. */
bool eng_process_other_ended(pid_t pid, int *status);

/* Nobody looks any more: delivers `signal` and runs to the program's end, on any core. */
XS_MUST_CHECK struct xs_error *eng_process_finish(struct eng_process *process, int signal);

#endif
