/* callsite.h - what a function was called with, by the call site in its caller. What is asked for
 * is part of context.h: contexts ask call sites, and these a context of the caller.
 *
 * A call site says for some registers what they held at the call, in terms that survive it. That
 * is the caller's word about the function it called. If that came to the function that is running
 * by tail calls, it is the last of them that tells, in terms of what the functions on the way were
 * entered with: provided that the call sites leave one way only (tailcall.h). */
#ifndef DI_CALLSITE_H
#define DI_CALLSITE_H

#include "dwarf/variable.h"

/* The call site of a function that returns to a link-time address, or, of a tail call, whose jump
 * ends there. */
bool di_callsite_find(
	struct di_module *module, const struct di_block *function, xs_addr address, Dwarf_Die *ret);

/* The name of an attribute of a call site or of its parameters, as it stands in the file. */
const char *di_callsite_attribute(unsigned at);

/* For di_module_destroy(). */
struct di_callsites;
void di_callsites_destroy(struct di_callsites *sites);

#endif
