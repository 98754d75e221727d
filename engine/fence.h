/* fence.h - makes every way into a set of addresses trap.
 *
 * While the program runs code that nobody looks at, it runs at full speed, and may come back by a
 * return, a callback, a signal handler, a longjmp or an exception. No match of calls with returns
 * sees them all; a fence does: every byte of the set is an int3, so whoever arrives traps.
 *
 * Rules:
 * 1. The fence is up only while the one thread of the program runs freely. A second thread would
 *    run into it, so with threads it stays down and the caller steps.
 * 2. Raising reads the bytes afresh, and lowering leaves alone what was written meanwhile: a
 *    program that changes its own code keeps the change.
 * 3. Neighbours less than a page apart are written in one go, the gap keeping its bytes. */
#ifndef ENG_FENCE_H
#define ENG_FENCE_H

#include "engine/tracee.h"

struct eng_fence_span {
	xs_addr lo, hi;    /* what is written in one go */
	uint8_t *original; /* its bytes, read when the fence was raised */
	uint8_t *fenced;   /* the same with int3 wherever an address belongs to the set */
};

struct eng_fence {
	struct xs_ranges set;                /* addresses that trap */
	XS_VEC(struct eng_fence_span) spans; /* covers the set */
	bool changed;                        /* the program has written over it at least once */
	bool unmapped;                       /* some of it was not there any more */
	bool up;                             /* whether the int3s are in memory */
};

/* A fence around set, which is copied. It is down. */
void eng_fence_init(struct eng_fence *fence, const struct xs_ranges *set);
void eng_fence_deinit(struct eng_fence *fence);
XS_MUST_CHECK struct xs_error *eng_fence_raise(struct eng_fence *fence, struct eng_tracee *tracee);
void eng_fence_lower(struct eng_fence *fence, struct eng_tracee *tracee);
/* Writes the original bytes into the memory of a forked child, which has a copy of the fence. */
XS_MUST_CHECK struct xs_error *eng_fence_heal(const struct eng_fence *fence, pid_t child);

#endif
