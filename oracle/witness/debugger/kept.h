/* kept.h - a debugger that is started once and lends copies of itself (lent.h) to whoever asks at
 * its socket. What it does is in drivers/kept.py.
 *
 * Rules:
 * 1. It dies with xstep, and its copies die with it.
 * 2. It has no init files and no program, and runs where nobody writes.
 * 3. Who keeps one runs no other helper of its own meanwhile: the end of such a one would end all
 *    children (helper.h, rule 3). Looking for debuggers may run some. */
#ifndef ORA_KEPT_H
#define ORA_KEPT_H

#include "oracle/witness/debugger/helper.h"
#include "oracle/witness/witness.h"

/* Zero-initialised is none. */
struct ora_kept {
	struct ora_helper helper; /* the debugger */
	char *door;               /* its socket; NULL: it was not started */
};

/* Starts one that is to be asked in a folder, which is nobody else's. */
XS_MUST_CHECK struct xs_error *ora_kept_start(
	const struct ora_witness *witness, const char *folder, struct ora_kept *ret);
/* Whether it is still there. */
bool ora_kept_is_alive(struct ora_kept *kept);
/* Ends it, and its copies. */
void ora_kept_end(struct ora_kept *kept);

#endif
