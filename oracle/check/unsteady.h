/* unsteady.h - what two runs of one program do not have in common: nobody may be blamed for that.
 *
 * Two traces by line of one program, by xstep, are compared. The second run is either the same
 * again (what differs comes from outside: the clock, input), or it is moved (run.h): then what
 * differs depends on addresses as well, or on memory that was never written, or not since a call
 * before used it. Another build has other addresses, too.
 *
 * Rules:
 * 1. A leaf is unsteady if its values, in the order in which they are told, are not the same.
 * 2. A line or a function is unsteady if it was not stopped in equally often: control flow parts
 *    there. What else may be executed in such a function cannot be known from two runs.
 * 3. If the runs part at all: of a run that is moved, functions that were never entered are
 *    unsteady as well. Of one that is the same again, all lines that were first reached from there
 *    on are: two runs that are to be the same are so up to there only. */
#ifndef ORA_UNSTEADY_H
#define ORA_UNSTEADY_H

#include "oracle/check/check.h"

struct ora_unsteady {
	bool moved; /* set by the caller: the second run is */

	/* Found; of maps the keys matter. */
	struct xs_map leaves, lines, functions; /* those that differ */
	struct xs_map written; /* leaves, apart from what they show before they are written */
	struct xs_map seen;    /* functions of the first run */
	struct xs_map before;  /* lines before runs part */
	uint64_t parted;       /* the stop of the first run at which they do; 0: never */
};

/* Compares two traces of a store, and adds what they do not have in common. The first one is the
 * same each time. */
XS_MUST_CHECK struct xs_error *ora_unsteady_find(
	struct ora_store *store, uint64_t one, uint64_t other, struct ora_unsteady *ret);
/* Whether a violation is about something that is unsteady. */
bool ora_unsteady_is(const struct ora_unsteady *unsteady, const struct ora_violation *violation);
void ora_unsteady_deinit(struct ora_unsteady *unsteady);

#endif
