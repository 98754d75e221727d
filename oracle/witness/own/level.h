/* level.h - steps larger than an instruction: which of the executed stops a person would be shown
 * who steps by source line, or runs from one temporary breakpoint to the next.
 *
 * A sieve: it is shown every executed stop, live, and lets some pass. These are then numbered and
 * counted as if there were no others.
 *
 * Rules, by line:
 * 1. The first stop passes: it is where the steps begin.
 * 2. A statement begins at a pc that a row with is_stmt has as its address; its line is that of the
 *    last such row, line 0 aside. A stop passes where a statement of another line (or file) begins
 *    than that which is being stepped.
 * 3. Each frame has a line that is being stepped: a return goes on with the one of the call.
 *    Arriving in the midst of another line (a branch into it, a return to a frame that was never
 *    seen) means that this is the one from then on; not so where its row has no is_stmt: code of
 *    a line that was moved there is not the statement, which is still to come.
 * 4. A call of a function of interest passes, whatever its line, behind the prologue: where
 *    `explain --at` would stop for the function's opening line (di_arrival_behind_prologue). Calls
 *    of other code are stepped over; what it calls back is stepped into.
 * 5. An inlined call passes where its first statement begins, even if the line is the same.
 * 6. Frames are told apart by the CFA; a tail call, which keeps it, by the function.
 *
 * By breakpoints:
 * 7. Every line that a row with is_stmt names has one, at all addresses of arrival.h, before the
 *    first stop, which passes only if one is there: a function without a prologue may begin with
 *    a statement. The first arrival at any of them passes, and takes with it the breakpoints of
 *    all lines that have that address. */
#ifndef ORA_LEVEL_H
#define ORA_LEVEL_H

#include "base/map.h"
#include "dwarf/frame.h"
#include "oracle/witness/own/subject.h"
#include "oracle/witness/question.h"

/* A frame with what is being stepped there. */
struct ora_level_frame {
	xs_addr cfa;          /* 0: unknown */
	const char *function; /* out-of-line, or NULL */
	const char *file;     /* of the line; NULL: code without one */
	uint32_t line;        /* likewise */
	size_t inlined;       /* in how many inlined calls, of which the innermost is: */
	const void *call;
};

/* An address of a breakpoint. */
struct ora_level_mark {
	xs_addr address; /* link-time */
	size_t line;     /* whose it is: index into `taken` */
};

struct ora_sieve {
	/* Set by the caller. */
	enum ora_level level;     /* not INSTRUCTION */
	struct di_module *module; /* the executable */

	/* Its own. */
	bool begun;                            /* whether the first stop was seen */
	struct di_stack stack;                 /* frame 0 of the stop */
	XS_VEC(struct ora_level_frame) frames; /* those that were stepped in, outermost first */
	bool returns;                          /* the instruction at the stop before was a return */
	xs_addr entry, behind; /* the prologue being skipped is [entry, behind); both 0: none is */
	XS_VEC(struct ora_level_mark) marks; /* by address */
	XS_VEC(bool) taken;                  /* the breakpoint of that line is gone */
};

/* Whether the stop at a place, behind the one at prev, must be live: it may pass, or leads to
 * another frame. Others may be shown without a target: they are in the frame of the stop before. */
bool ora_sieve_wants(
	const struct ora_sieve *sieve, const struct ora_place *prev, const struct ora_place *place);
/* Whether the stop at a place passes; target is the machine state there, NULL if nobody wanted it.
 */
XS_MUST_CHECK struct xs_error *ora_sieve_passes(struct ora_sieve *sieve,
	const struct ora_place *place, const struct di_target *target, bool *ret);
void ora_sieve_deinit(struct ora_sieve *sieve);

#endif
