/* scalar.h - what lldb 15 and gdb 13 make of the operators of expressions, where that is not what
 * DWARF says: mistake.h.
 *
 * lldb has no generic type. Each number on its stack has a width and a sign: a literal and what is
 * read as signed is signed, all else is not. Two operands become the wider one's type, unsigned if
 * they are as wide and one is unsigned. What a comparison comes to is an int of 32 bits. */
#ifndef DI_SCALAR_H
#define DI_SCALAR_H

#include "dwarf/mistake.h"
#include "dwarf/op.h"
#include "dwarf/value.h"

enum di_scalar_done {
	DI_SCALAR_NOT,     /* the operator is done as DWARF has it */
	DI_SCALAR_DONE,    /* it was done here */
	DI_SCALAR_REFUSED, /* the debugger cannot do it */
};

/* Whether it is about the numbers on lldb's stack. */
bool di_scalar_is(enum di_mistake mistake);
/* An operator as the debugger with this mistake does it; `type` is the one that DW_OP_convert
 * names. */
enum di_scalar_done di_scalar_step(enum di_mistake mistake, const struct di_op *op,
	const struct di_expr_unit *unit, const struct di_base *type, struct di_value *stack,
	size_t *count);
/* The sign of what an operator pushes. */
enum di_base_kind di_scalar_kind(uint8_t op);

#endif
