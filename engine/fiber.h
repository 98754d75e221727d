/* fiber.h - a function with a stack of its own that can be left in the midst and entered again.
 *
 * A walk waits for its thread deep inside of many calls. Where several threads are walked, one at a
 * time, each walk is a fiber: left where it waits for what may take long, entered again when it is
 * its turn. All fibers are of one operating system thread, as ptrace demands. */
#ifndef ENG_FIBER_H
#define ENG_FIBER_H

#include <stdbool.h>
#include <ucontext.h>

#include "base/cleanup.h"

struct eng_fiber {
	ucontext_t context;      /* where it was left */
	ucontext_t outside;      /* who entered it */
	void *memory;            /* its stack, with a guard page below */
	void (*body)(void *arg); /* what it does */
	void *arg;               /* passed to that */
	bool over;               /* whether body has returned */
	const void *outer_stack; /* for the address sanitizer, which watches stacks: */
	size_t outer_size;       /* that of who entered it, */
	void *outer_fake, *fake; /* and what it keeps of both */
};

/* A fiber that has not been entered yet. */
struct eng_fiber *eng_fiber_create(void (*body)(void *arg), void *arg);
/* One that is over, or was never entered. */
void eng_fiber_destroy(struct eng_fiber *fiber);
XS_DEFINE_CLEANUP(eng_fiber);

/* Goes into a fiber, from outside of it, until it leaves or is over. */
void eng_fiber_enter(struct eng_fiber *fiber);
/* Goes back to where the fiber, which is the caller, was entered. Returns when it is entered again.
 */
void eng_fiber_leave(struct eng_fiber *fiber);

#endif
