/* lent.h - a debugger that need not be started: a copy of one that is kept (kept.h), which has read
 * its driver and has not seen a program.
 *
 * Whoever keeps debuggers names the folder of their sockets in the environment, ORA_LENT_FOLDER.
 *
 * Rules:
 * 1. A copy is what a debugger is that was just started. So it does not matter whether one is lent:
 *    if there is none, or it does not answer, one is started.
 * 2. It is killed when xstep lets go of it, or dies (copy.h).
 * 3. It is in xstep's process group, so that who watches over xstep finds it. */
#ifndef ORA_LENT_H
#define ORA_LENT_H

#include "oracle/witness/debugger/helper.h"
#include "oracle/witness/witness.h"

#define ORA_LENT_FOLDER "XSTEP_KEPT"

/* Borrows one that runs as one would with these words of ora_helper_start(). False: there is none
 * to be had. */
bool ora_lent_borrow(const struct ora_witness *witness, char *const *variables, const char *folder,
	struct ora_helper *ret);
/* The path of the socket in a folder that a debugger of a kind is asked at; to be freed. */
char *ora_lent_door(const char *folder, enum ora_witness_kind kind);

#endif
