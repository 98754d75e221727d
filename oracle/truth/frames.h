/* frames.h - frames as the call frame information gives them against the true ones.
 *
 * Rules:
 * 1. Frames are paired with activations from the innermost on, as far as each is certain: the
 *    return address that an activation was called with must still be in its slot, and where code
 *    that nobody steps lies between, the walk must come out at the activation that waits there.
 * 2. Of each pair is asked, in this order: the CFA, the return address, the registers that calls
 *    preserve. The first thing that is wrong ends the comparison: what follows comes of it.
 * 3. What the information does not claim is no lie: a return address that it calls undefined, or a
 *    register. It is left, and counted. */
#ifndef ORA_FRAMES_H
#define ORA_FRAMES_H

#include "dwarf/frame.h"
#include "oracle/check/asked.h"
#include "oracle/truth/shadow.h"

#define ORA_RULE_CFA      "F1"
#define ORA_RULE_RETURN   "F2"
#define ORA_RULE_REGISTER "F3"

enum ora_flaw {
	ORA_FLAW_NONE,
	ORA_FLAW_NO_CFI,    /* no entry covers the pc */
	ORA_FLAW_BAD_CFI,   /* the CFA cannot be worked out */
	ORA_FLAW_CFA,       /* it is another one */
	ORA_FLAW_NO_RETURN, /* the return address cannot be worked out */
	ORA_FLAW_RETURN,    /* it is another one */
	ORA_FLAW_REGISTER,  /* registers have other values than they had when it was called */
};

struct ora_frames_pair {
	size_t frame;      /* of the walk */
	size_t activation; /* of the shadow stack */
};

struct ora_frames {
	XS_VEC(struct ora_frames_pair) pairs; /* innermost first; the last one may have the flaw */
	enum ora_flaw flaw;
	uint32_t registers;    /* REGISTER: mask of those that are wrong */
	uint64_t given, truth; /* of CFA, RETURN, or the first of the registers */
	const char *ended;     /* why not all activations are paired; NULL: all are */
};

/* Compares, and counts what was asked and what was not. The pairs of *ret are reused. */
void ora_frames_compare(const struct di_stack *stack, const struct di_target *target,
	const struct ora_shadow *shadow, struct ora_asked *asked, struct ora_frames *ret);
void ora_frames_deinit(struct ora_frames *frames);

/* Whether calls preserve a register. */
bool ora_is_preserved(unsigned reg);

#endif
