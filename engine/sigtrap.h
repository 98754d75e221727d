/* sigtrap.h - SIGTRAP, which the program may use while we do.
 *
 * A step and a trap end in a SIGTRAP that the kernel forces on the thread. If the thread blocks or
 * ignores it, the kernel resets what the program has set, for good. So:
 *
 * 1. While the thread blocks SIGTRAP no trap is in memory, and what it executes is stepped, with
 *    SIGTRAP unblocked for the time of the step. To see that library code has blocked it, the
 *    system calls of library code are stopped at: all of them if the program has ever to do with
 *    SIGTRAP, else the first ENG_SIGTRAP_CALLS.
 * 2. A system call sees the true mask. It is not stepped over then, but stopped at its end.
 * 3. A SIGTRAP that waits for being unblocked comes out at such a step. It is sent again, and gets
 *    back what it told of its sender when it is delivered at last.
 * 4. That SIGTRAP is ignored is forgotten by the kernel at our first trap, but not by us: one that
 *    is sent is not delivered, and sigaction() says SIG_IGN. Children do not inherit it.
 * 5. A SIGTRAP is the program's own if it executed int3, int 3 or icebp, or set the trap flag.
 *    The kernel forces that one too, and the program gets what it would get without us. */
#ifndef ENG_SIGTRAP_H
#define ENG_SIGTRAP_H

#include "engine/event.h"
#include "engine/tracee.h"

struct eng_sigtrap {
	struct eng_sigtrap_thread { /* of the followed thread */
		uint64_t blocked;   /* signals that it blocks, while... */
		bool blocked_known; /* ...nothing was executed that might have changed that */
		bool kept;          /* a SIGTRAP that it blocks had to come out (rule 3): */
		siginfo_t info;     /* who sent it */
		bool resend;        /* it is to be sent again after this step */
	} thread;
	bool used;           /* the program has set, blocked or ignored SIGTRAP */
	bool ignored;        /* it ignores it (rule 4) */
	unsigned calls_seen; /* stops at system calls so far; two a call */
};

enum { ENG_TRAP_FLAG = 0x100 };     /* in eflags */
enum { ENG_SIGTRAP_CALLS = 20000 }; /* at some 10 us each */

/* Whether the system calls of library code are to be stopped at. */
bool eng_sigtrap_watches_calls(const struct eng_sigtrap *sigtrap);
/* Whether the followed thread blocks SIGTRAP. */
XS_MUST_CHECK struct xs_error *eng_sigtrap_is_blocked(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, bool *ret);
/* Whether the followed thread can only be stepped: it blocks SIGTRAP, or has set the trap flag. */
XS_MUST_CHECK struct xs_error *eng_sigtrap_forbids_traps(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, bool *ret);
/* Unblocks it for a step, and blocks it again. */
XS_MUST_CHECK struct xs_error *eng_sigtrap_unblock(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee);
XS_MUST_CHECK struct xs_error *eng_sigtrap_block_again(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee);

/* Rule 3: one of the program's own came out; *keep tells that the step is to be made again. */
XS_MUST_CHECK struct xs_error *eng_sigtrap_keep(struct eng_sigtrap *sigtrap,
	struct eng_tracee *tracee, const struct eng_event *event, bool *keep);
/* The same, when it is delivered at last. */
void eng_sigtrap_restore(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, const struct eng_event *event);

/* The followed thread is stopped at the end of a system call: takes note of what that did to
 * SIGTRAP. *blocked tells that it is blocked now by that call. */
XS_MUST_CHECK struct xs_error *eng_sigtrap_call_ended(
	struct eng_sigtrap *sigtrap, struct eng_tracee *tracee, bool *blocked);

/* An instruction at pc was to be stepped that may set the trap flag, and the program had not set
 * it. The kernel takes the flag of the step for the program's own. If a signal came first, it
 * leaves it in the registers; if a handler was entered instead, in what that returns to. Takes
 * it out. */
XS_MUST_CHECK struct xs_error *eng_sigtrap_take_flag_back(
	struct eng_tracee *tracee, xs_addr pc, unsigned length, const struct eng_event *event);

/* Whether these bytes, executed, force a SIGTRAP: int3, int 3, icebp. */
bool eng_sigtrap_is_forced_by(const uint8_t *code, size_t size);

#endif
