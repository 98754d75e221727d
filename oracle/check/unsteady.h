/* unsteady.h - what two runs of one program do not have in common: nobody may be blamed for that.
 *
 * Two traces by line of one program, by xstep, are compared. The second run is either the same
 * again (what differs comes from outside: the clock, input), or it is moved (run.h): then what
 * differs depends on addresses as well, or on memory that was never written. Another build has
 * other addresses, too.
 *
 * Rules:
 * 1. A leaf is unsteady if its values, in the order in which they are told, are not the same.
 * 2. A line or a function is unsteady if it was not stopped in equally often: control flow parts
 *    there. What else may be executed in such a function cannot be known from two runs.
 * 3. From the first stop on at which the runs are on different lines, they are not at the same
 *    things any more: `parted`. */
#ifndef ORA_UNSTEADY_H
#define ORA_UNSTEADY_H

#include "base/map.h"
#include "oracle/store/store.h"

struct ora_unsteady {
	struct xs_map leaves, lines, functions; /* hashes of those that differ */
	uint64_t parted; /* the stop of the first trace at which lines part; 0: they never do */
};

/* Compares two traces of a store. */
XS_MUST_CHECK struct xs_error *ora_unsteady_find(
	struct ora_store *store, uint64_t one, uint64_t other, struct ora_unsteady *ret);

bool ora_unsteady_leaf(const struct ora_unsteady *unsteady,
	const struct ora_store_variable *variable, const char *path);
bool ora_unsteady_line(const struct ora_unsteady *unsteady, const char *file, uint32_t line);
bool ora_unsteady_function(const struct ora_unsteady *unsteady, const char *name);

void ora_unsteady_deinit(struct ora_unsteady *unsteady);

#endif
