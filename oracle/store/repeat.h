/* repeat.h - what two runs of one witness do not agree on: memory that the program never wrote.
 *
 * The DTD paper's temporal differential filtering, but nothing is discarded: both traces stay, and
 * the leaves that differ are marked as unstable in both, from stop to stop. */
#ifndef ORA_REPEAT_H
#define ORA_REPEAT_H

#include "oracle/store/store.h"

/* Compares two traces of the same subject and sampling. *unstable is how many stretches of stops
 * were marked, of leaves of the first. That the runs took different ways is an error. */
XS_MUST_CHECK struct xs_error *ora_repeat_compare(
	struct ora_store *store, uint64_t first, uint64_t second, uint64_t *unstable);

#endif
