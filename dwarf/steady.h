/* steady.h - which variables a debugger need not be asked about while their bytes stay as they are.
 *
 * What may be said of a steady variable follows from its function's frame and its own bytes, by the
 * DWARF: no other memory and no other register has a part in it, and the place is the same at every
 * pc. Whoever has heard a debugger once may then look at the frame and the bytes, and ask again
 * when they change. What is said is the debugger's alone.
 *
 * Rules:
 * 1. The location is one operator: an address, or an offset from the frame base, which is the CFA,
 *    or rbp; or there is none at all.
 * 2. Nothing in the type is evaluated: neither bounds nor offsets of members.
 * 3. Variables are known by name and line of declaration: of several that share these all are
 *    steady, or none is. */
#ifndef DI_STEADY_H
#define DI_STEADY_H

#include "dwarf/variable.h"

struct di_steady {
	const char *name; /* the module's */
	uint32_t line;    /* of its declaration */
	bool framed;      /* it moves with the frame; else it is at an address, or nowhere */
};

typedef XS_VEC(struct di_steady) di_steady_list;

/* Adds the steady ones among the variables of the module's functions. */
void di_steady_find(struct di_module *module, di_steady_list *ret);

/* Whether the frame base of a function is the CFA, or what rbp holds. */
bool di_steady_is_framed(const struct di_block *function);
/* Whether nothing in a type is evaluated. */
bool di_steady_is_type(const struct di_type *type);

#endif
