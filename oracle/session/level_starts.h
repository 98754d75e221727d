/* level_starts.h - check levels from other places, too: lines chosen among those that the first
 * witness stepped on. Each is a program of its own to the cache, from 1 on; 0 is the one that
 * begins where the user said.
 *
 * A debugger may get there in other ways than by a breakpoint (start.h):
 * 1. until is asked of lines in the frame of main only.
 * 2. random chooses arrivals, not lines: any arrival at a place where line steps stop.
 * 3. A start that a debugger does not get to by its way is left out, told and counted. It is no
 *    violation: where a command of a debugger's stops for a line is a matter of its own.
 *
 * The order of calls: record, ora_checking_begin() and the check of program 0, check, deinit. */
#ifndef ORA_LEVEL_STARTS_H
#define ORA_LEVEL_STARTS_H

#include "oracle/session/checking.h"
#include "oracle/witness/own/start.h"

struct ora_level_starts {
	/* Set by the caller. */
	struct ora_checking *checking;
	const struct ora_trace_need *needs; /* of check levels */
	size_t count;                       /* of those */
	uint64_t wanted, seed;              /* how many places, and which */
	int way;                            /* enum ora_start_way */

	XS_VEC(char *) places; /* its own: as start.h has them */
};

/* Sees that the store has the order of all that is executed, from where the cache's hearing begins:
 * a fact, told by xstep whoever else is asked. */
XS_MUST_CHECK struct xs_error *ora_level_starts_order(
	struct ora_level_starts *starts, char *const *argv);
/* The trace that has it, by the program of the cache; else the one of a store that was made of the
 * same run as the first trace found; 0: none. */
uint64_t ora_level_starts_find_order(const struct ora_level_starts *starts, size_t program);

/* Chooses places, the same for the same seed, and records from each. The cache must be filled from
 * where the user said. */
XS_MUST_CHECK struct xs_error *ora_level_starts_record(
	struct ora_level_starts *starts, char *const *argv);
/* Checks what was recorded from each. */
XS_MUST_CHECK struct xs_error *ora_level_starts_check(
	struct ora_level_starts *starts, struct ora_check_levels *levels);
void ora_level_starts_deinit(struct ora_level_starts *starts);

#endif
