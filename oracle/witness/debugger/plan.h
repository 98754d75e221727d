/* plan.h - which stops a debugger is to be asked about, found out by xstep beforehand.
 *
 * A debugger that counts transitions itself must step every instruction. One that is told where the
 * sampled stops are can be brought there by breakpoints, where that is faster. The facts are the
 * same; the counts are then xstep's word. */
#ifndef ORA_PLAN_H
#define ORA_PLAN_H

#include <jansson.h>

#include "engine/sample.h"
#include "oracle/witness/own/run.h"

/* Runs the program once. *ret is an object with `stops`: [[number, prev, pc, n, arrivals], ...],
 * the last being how often prev is arrived at between the planned stop before and this one (if the
 * stop before this one is not planned itself); `transitions`: [[prev, pc, count], ...]; `executed`,
 * how many stops there are in all; and `end`, as drivers say it. Its output goes nowhere. *ret
 * stays as it was if the run was ended by its timeout. only: the link-time addresses that stops are
 * planned at; NULL: anywhere. */
XS_MUST_CHECK struct xs_error *ora_plan_make(const struct ora_run *run, const char *from,
	enum eng_sample sample, uint64_t seed, uint64_t limit, bool limit_kept,
	const struct xs_ranges *only, json_t **ret);

#endif
