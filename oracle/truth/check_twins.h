/* check_twins.h - one process, two DWARFs, one evaluator: what two builds with the same machine
 * code say of it may not differ.
 *
 * Rules that may be violated:
 * T1  Two values of one variable at one stop: one of them is a lie.
 * T2  A value in one only, where both had it, or a parameter: a loss that need not be.
 * T3  What a tool made of one file says the same as that file, in every fact.
 *
 * Rules of the check:
 * 1. The caller has proven that the code is the same (same_code.h).
 * 2. Which of two values is the lie is told if the source is there and the parameter is never
 *    written, nor its address taken (twin_source.h): it has one value in one call. Else it is open,
 *    and nobody is named.
 * 3. What is left and not asked is counted with its reason. */
#ifndef ORA_CHECK_TWINS_H
#define ORA_CHECK_TWINS_H

#include "oracle/truth/twins.h"

/* Runs the program and notes what is violated. */
XS_MUST_CHECK struct xs_error *ora_check_twins(struct ora_check_twins *twins);
void ora_check_twins_deinit(struct ora_check_twins *twins);

#endif
