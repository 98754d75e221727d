/* nested.h - functions inside of functions, as GNU C has them: whose names are around one.
 *
 * A name that a nested function does not declare is looked for in the blocks that its entry is in,
 * outwards to the outermost function. What is declared there below the nested function does not
 * count: a matter of two places in the source, whatever the pc. Where the values are: enclosing.h.
 */
#ifndef DI_NESTED_H
#define DI_NESTED_H

#include "dwarf/variable.h"

/* The blocks around a function or inlined call, innermost first, each `outer` of the one before: a
 * FUNCTION ends a level. They hold names, and no code. NULL: it is not nested. */
const struct di_block *di_nested_around(struct di_module *module, const struct di_block *function);
/* Whether the function sees a variable of a block around it. */
bool di_nested_sees(const struct di_block *function, const struct di_variable *variable);
/* Whether two entries are instances of the same thing. */
bool di_nested_is_same(const Dwarf_Die *a, const Dwarf_Die *b);

#endif
