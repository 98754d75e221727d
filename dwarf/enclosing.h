/* enclosing.h - the calls around that of a nested function: where the values of its names are.
 *
 * Rules:
 * 1. DW_AT_static_link gives the frame base of the call that is immediately around (DWARF 5,
 *    3.3.5). That is the frame further out which has it, and in this the one call of that function.
 *    The nearest call of it need not be the one: functions call themselves.
 * 2. An inlined call is around what is inlined into it. What was inlined elsewhere goes by the link
 *    of the function that it was inlined into.
 * 3. Where this does not lead to one call, there is an answer that says why: nothing is guessed. */
#ifndef DI_ENCLOSING_H
#define DI_ENCLOSING_H

#include "dwarf/context.h"
#include "dwarf/nested.h"

/* A call of a function that is around. */
struct di_instance {
	size_t frame;                   /* its physical frame */
	const struct di_block *block;   /* the function there, inlined or not */
	const struct di_scopes *scopes; /* of that frame */
	unsigned activation;            /* its index among the activations of those */
};

/* The call `level` functions outwards of an activation in the context's frame: 1 is the one
 * immediately around. Not found: the answer says why. The context's note is told how it was found.
 */
XS_MUST_CHECK struct xs_error *di_enclosing_find(struct di_context *context, unsigned activation,
	unsigned level, struct di_instance *ret, struct di_answer *answer);
/* The variable of that call which is an instance of the given one; NULL if there is none. */
const struct di_variable *di_enclosing_variable(
	const struct di_instance *instance, const struct di_variable *wanted);

#endif
