/* debugger.h - a debugger as a witness: it runs the program itself, or looks at xstep's process,
 * and its driver tells what it says at each stop. */
#ifndef ORA_DEBUGGER_H
#define ORA_DEBUGGER_H

#include "oracle/witness/testimony.h"

extern const struct ora_witness_ops ora_debugger_ops;

#endif
