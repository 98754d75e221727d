/* nested.h - functions inside of functions, as GNU C has them: whose variables are around one, and in
 * which call these are.
 *
 * Rules:
 * 1. A name that a nested function does not declare is looked for in the blocks that its entry is in,
 *    outwards to the outermost function. What is declared there below the nested function does not
 *    count: a matter of two places in the source, whatever the pc.
 * 2. DW_AT_static_link gives the frame base of the call that is immediately around (DWARF 5, 3.3.5).
 *    That is the frame further out which has it, and in this the one call of that function. The
 *    nearest call of it need not be the one: functions call themselves.
 * 3. An inlined call is around what is inlined into it. What was inlined elsewhere goes by the link
 *    of the function that it was inlined into.
 * 4. Where this does not lead to one call, there is an answer that says why: nothing is guessed. */
#ifndef DI_NESTED_H
#define DI_NESTED_H

#include "dwarf/context.h"

/* A call of a function that is around. */
struct di_instance {
	size_t frame;                   /* its physical frame */
	const struct di_block *block;   /* the function there, inlined or not */
	const struct di_scopes *scopes; /* of that frame */
	unsigned activation;            /* its index among the activations of those */
};

/* The blocks around a function or inlined call, innermost first, each `outer` of the one before: a
 * FUNCTION ends a level. They hold names, and no code. NULL: it is not nested. */
const struct di_block *di_nested_around(struct di_module *module, const struct di_block *function);
/* Whether the function sees a variable of a block around it: rule 1. */
bool di_nested_sees(const struct di_block *function, const struct di_variable *variable);

/* The call `level` functions outwards of an activation in a frame: 1 is the one immediately around.
 * Not found: the answer says why. The context's note is told how it was found. */
XS_MUST_CHECK struct xs_error *di_nested_find(struct di_context *context, unsigned activation,
	unsigned level, struct di_instance *ret, struct di_answer *answer);
/* The variable of that call which is an instance of the given one; NULL if there is none. */
const struct di_variable *di_nested_variable(
	const struct di_instance *instance, const struct di_variable *wanted);

#endif
