/* find.h - which debuggers there are, and whether they can be driven. One without Python is found
 * all the same, and said to be of no use, with what to install. */
#ifndef ORA_FIND_H
#define ORA_FIND_H

#include "oracle/witness/debugger/debugger.h"

/* Adds what is on PATH of a kind, each program once, whatever its names: all of them, asked afresh;
 * or up to the first that can testify. Nothing of a kind is one entry with a problem. */
void ora_debuggers_find(enum ora_witness_kind kind, bool all, struct ora_witnesses *ret);
/* The one at a path, with its problem if it has one. */
void ora_debugger_at(enum ora_witness_kind kind, const char *path, struct ora_witness *ret);

#endif
