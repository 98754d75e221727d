/* frame.h - the call frames of a stopped thread, by the CFI.
 *
 * A frame here is a physical one: an activation of an out-of-line function. Inlined calls are found
 * inside it by scope.
 *
 * Rules:
 * 1. Frame 0 is the innermost: all its registers are the machine's.
 * 2. In a caller's frame a register is known only if the CFI says where it was saved, or if it is
 *    one that calls preserve and no rule changed it. A call-clobbered register is unknown: never
 *    the callee's leftover.
 *    Across a signal frame every register comes from its rules. A rule that asks for memory that
 *    is not there leaves that register unknown; only the CFA and the return address end the walk.
 * 3. `lookup` is the address to look up line, scope and location entry by: pc itself in frame 0
 *    and in a frame that a signal interrupted, pc - 1 in all others.
 * 4. Nothing is guessed. Code without CFI ends the walk, and `reason` says so: no frame chain, no
 *    search for something that looks like a return address.
 * 5. An xs_error means that the machine state has no pc; all else is data. */
#ifndef DI_FRAME_H
#define DI_FRAME_H

#include "dwarf/answer.h"
#include "dwarf/mistake.h"
#include "dwarf/target.h"

struct di_frame {
	xs_addr pc;                       /* process address of the next instruction here */
	const struct di_mapping *mapping; /* the module that pc is in, NULL if none is known */
	xs_addr lookup;                   /* link-time address to look things up by (rule 3) */
	bool signal;                      /* the CFI calls it a signal frame */
	bool cfa_known;                 /* whether `cfa` holds; it does not where there is no CFI */
	xs_addr cfa;                    /* canonical frame address */
	uint32_t known;                 /* bit r: value[r] holds */
	uint64_t value[DI_REG_GENERAL]; /* by DWARF number, RIP being pc */
};

/* Why a walk ended. */
enum di_stack_end {
	DI_STACK_OUTERMOST, /* the CFI says so (undefined return address), or pc is 0 */
	DI_STACK_ASKED,     /* no more were asked for: di_stack_top() */
	DI_STACK_NO_CFI,    /* the last frame's pc is in no module, or no entry covers it */
	DI_STACK_ERROR,     /* CFI that cannot be evaluated, or memory that cannot be read */
	DI_STACK_LIMIT,     /* too deep, or the next frame does not lie further out */
};

struct di_stack {
	XS_VEC(struct di_frame) frames; /* innermost first; at least one */
	enum di_stack_end end;          /* why there are no more */
	bool refused_known;             /* whether the next holds */
	struct di_frame refused;        /* LIMIT: the frame that does not lie further out */
	struct di_answer reason;        /* why exactly; known if outermost or asked */
	enum di_mistake mistake;        /* set by the caller: made on purpose, or NONE */
};

#define DI_STACK_MAX 1024 /* frames; deeper ones are not told */

/* Walks the whole stack. The frames of *ret are reused. */
XS_MUST_CHECK struct xs_error *di_stack_walk(const struct di_target *target, struct di_stack *ret);
/* Frame 0 alone, with its CFA: what most stops need. */
XS_MUST_CHECK struct xs_error *di_stack_top(const struct di_target *target, struct di_stack *ret);
void di_stack_deinit(struct di_stack *stack);

/* The rules in words, for `explain`: which FDE of which section, the row for this pc, how the CFA
 * comes out. In the size bytes of buf, cut if need be; buf is also returned. */
const char *di_frame_explain(
	const struct di_target *target, const struct di_frame *frame, char *buf, size_t size);

#endif
