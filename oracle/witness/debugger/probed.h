/* probed.h - what was found out about debuggers, kept from run to run.
 *
 * Asking a debugger for its version and trying its Python takes longer than a short trace. What was
 * found is kept in xstep/debuggers.json of the user's cache folder ($XDG_CACHE_HOME, or ~/.cache).
 *
 * Rules:
 * 1. Only what works is kept, and only of debuggers that are programs: a script may start anything.
 * 2. It counts as long as program, library and Python module are the same files, unchanged, and
 *    what they look for in the environment is the same.
 * 3. A cache that cannot be read or written is none. */
#ifndef ORA_PROBED_H
#define ORA_PROBED_H

#include "oracle/witness/witness.h"

/* Fills in version, python and search of a debugger with path and modules. False if they are not
 * known. */
bool ora_probed_recall(struct ora_witness *witness);
/* Keeps what was found out. */
void ora_probed_keep(const struct ora_witness *witness);
/* A debugger does not work as it should: what is known of it is not to be relied on. */
void ora_probed_forget(void);

#endif
