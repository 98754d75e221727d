/* executed.h - which of the executed stops is the one that a trace means.
 *
 * Traces of --mode unique number the stops that they keep, not those that are executed. But a stop
 * is (prev, pc, n) in every mode: the n-th time that the program goes from prev to pc. */
#ifndef ORA_EXECUTED_H
#define ORA_EXECUTED_H

#include "oracle/witness/own/run.h"

/* Runs the program until it takes that way for the n-th time; *ret is the number of that executed
 * stop. Addresses are link-time, of the executable; prev XS_ADDR_NONE: the first stop. */
XS_MUST_CHECK struct xs_error *ora_executed_number(
	struct ora_run *run, const char *from, xs_addr prev, xs_addr pc, uint64_t n, uint64_t *ret);

#endif
