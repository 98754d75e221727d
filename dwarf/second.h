/* second.h - libunwind as a second opinion on the stack.
 *
 * libunwind walks the same machine state by its own code: it finds entries through .eh_frame_hdr in
 * the target's memory and runs their programs itself. Nothing of cfi.h and frame.h is shared with
 * it, so where the two agree, it means something.
 *
 * Rules:
 * 1. Without CFI libunwind guesses by the frame pointer. Such frames are kept but not `sure`, and
 *    no guess is held against the CFI.
 * 2. A module without .eh_frame_hdr is one on which it has no opinion.
 * 3. One di_second serves any number of walks and machine states, one after the other. */
#ifndef DI_SECOND_H
#define DI_SECOND_H

#include "base/vec.h"
#include "dwarf/frame.h"

#define DI_SECOND_KEPT 6 /* registers that calls preserve */

struct di_second_frame {
	xs_addr pc;                    /* process address */
	xs_addr sp;                    /* stack pointer: in a caller, the CFA of its callee */
	uint64_t kept[DI_SECOND_KEPT]; /* RBX, RBP, R12 to R15 */
	bool kept_known;               /* whether libunwind could tell all of those */
};

/* What libunwind says of one stack. */
struct di_opinion {
	XS_VEC(struct di_second_frame) frames; /* innermost first */
	size_t sure;      /* how many of them came from CFI; 0: it has no opinion at all */
	bool outermost;   /* the last one is the outermost, by the CFI */
	bool blind;       /* there was no CFI for the last of the sure ones: the rest is a guess */
	char reason[128]; /* why it ended, in words; "" if outermost */
};

struct di_second;

XS_MUST_CHECK struct xs_error *di_second_create(struct di_second **ret);
void di_second_destroy(struct di_second *second);
XS_DEFINE_CLEANUP(di_second);

/* Walks the whole stack, DI_STACK_MAX frames at most. The frames of *ret are reused. */
void di_second_walk(
	struct di_second *second, const struct di_target *target, struct di_opinion *ret);
void di_opinion_deinit(struct di_opinion *opinion);

/* Whether the two agree in every pc, stack pointer and preserved register, as far as libunwind has
 * something to say. If not, *frame is the first frame that they differ in and buf says how, `frame
 * 2: pc 0x401136, libunwind 0x401140`. */
bool di_opinion_agrees(const struct di_opinion *opinion, const struct di_stack *stack,
	size_t *frame, char *buf, size_t size);

#endif
