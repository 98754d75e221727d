/* remap.h - system calls that take the program's code away, move it, put other code there or let
 * others write to it.
 *
 * Traps are bytes of that code: they would be moved with it, and be missing where it was. So they
 * are taken out before such a call, and put back after it into what is there then. */
#ifndef ENG_REMAP_H
#define ENG_REMAP_H

#include "engine/fence.h"
#include "engine/traps.h"

/* The thread is about to make system call number `call`, its arguments being in its
 * registers. If it is one of these, and of the program's code: takes the traps out. *ret tells that
 * it was. Fence and traps may be NULL. */
XS_MUST_CHECK struct xs_error *eng_remap_begins(struct eng_tracee *tracee, struct eng_fence *fence,
	struct eng_traps *traps, uint64_t call, bool *ret);

#endif
