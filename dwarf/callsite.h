/* callsite.h - what a function was called with, by the call site in its caller.
 *
 * A call site says for some registers what they held at the call, in terms that survive it. That
 * is the caller's word about the function it called. If that came to the function that is running
 * by tail calls, it is the last of them that tells, in terms of what the functions on the way were
 * entered with: provided that the call sites leave one way only (tailcall.h). */
#ifndef DI_CALLSITE_H
#define DI_CALLSITE_H

#include "dwarf/context.h"

/* The value on entry to the context's function of what the expression names (a register). */
XS_MUST_CHECK struct xs_error *di_callsite_entry_value(struct di_context *context,
	const struct di_expr_source *source, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer);
/* What was passed for the parameter whose DIE is given. */
XS_MUST_CHECK struct xs_error *di_callsite_parameter(struct di_context *context,
	Dwarf_Die *parameter, struct di_expr_budget *budget, struct di_value *ret,
	struct di_answer *answer);

/* For di_module_destroy(). */
struct di_callsites;
void di_callsites_destroy(struct di_callsites *sites);

#endif
