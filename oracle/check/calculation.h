/* calculation.h - what the code of a program does with floating values, by its instructions. */
#ifndef ORA_CALCULATION_H
#define ORA_CALCULATION_H

#include "dwarf/module.h"

/* Whether some of the program's own code, executed or not, calculates, compares or converts
 * floating values, by SSE, AVX or x87. What is in libraries does not count. */
bool ora_calculation_of(const struct di_module *module);
/* Whether a program was built so that what it calculates need not be what the source says:
 * -ffast-math and its parts, by which there are no NaNs and a - a is 0, and wider results of the
 * x87. By what the compiler says of its options (gcc does), and by what is linked in then. */
bool ora_calculation_is_loose(struct di_module *module);
/* For tests: whether one operation does, by its name. */
bool ora_calculation_by(const char *mnemonic);

#endif
