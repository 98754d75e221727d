/* debugger.h - a debugger as a witness: it runs the program itself, or looks at xstep's process,
 * and its driver tells what it says at each stop. */
#ifndef ORA_DEBUGGER_H
#define ORA_DEBUGGER_H

#include "oracle/witness/testimony.h"

extern const struct ora_witness_ops ora_debugger_ops;

/* Tells the sink who testifies. For those who tell a part of what was said before ora_testify():
 * they set `begun`. */
XS_MUST_CHECK struct xs_error *ora_debugger_begin(const struct ora_testimony *testimony);

#endif
