/* own.h - xstep itself as a witness: runs the program, tells what it works out at each stop. */
#ifndef ORA_OWN_H
#define ORA_OWN_H

#include "oracle/witness/testimony.h"

extern const struct ora_witness_ops ora_own_ops;

/* xstep as a witness, to be deinitialised. */
void ora_own_witness(struct ora_witness *ret);

#endif
