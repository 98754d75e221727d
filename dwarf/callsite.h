/* callsite.h - what a function was called with, by the call site in its caller.
 *
 * A call site says for some registers what they held at the call, in terms that survive it. That
 * is the caller's word about the function it called: if the function that is running was reached by
 * a tail call on the way, it is about another one, and there is no answer. */
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
