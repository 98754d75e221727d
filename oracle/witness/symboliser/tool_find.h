/* tool_find.h - where the symbolisers are, and whether they are what they are called. */
#ifndef ORA_TOOL_FIND_H
#define ORA_TOOL_FIND_H

#include "oracle/witness/witness.h"

/* The symbolisers of a kind on PATH; all: each program once, whatever its names; else the first
 * that works: the plain name, which is the user's choice, then the newest. Nothing is one entry
 * with a problem. */
void ora_tools_find(enum ora_witness_kind kind, bool all, struct ora_witnesses *ret);
/* The one at a path, or of a name on PATH; its problem says what is wrong with it. */
void ora_tool_at(enum ora_witness_kind kind, const char *path, struct ora_witness *ret);

#endif
