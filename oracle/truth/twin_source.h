/* twin_source.h - which parameters keep one value during a call, by the C sources: never written,
 * and their address goes nowhere. */
#ifndef ORA_TWIN_SOURCE_H
#define ORA_TWIN_SOURCE_H

#include "base/error.h"
#include "base/map.h"
#include "dwarf/variable.h"

/* Zero-initialised is empty: nothing is known. */
struct ora_twin_sources {
	struct xs_map fixed; /* hash of file, name and line -> 1: keeps its value; 2: does not */
};

/* Adds what one source says; flags are for the parser. */
XS_MUST_CHECK struct xs_error *ora_twin_sources_add(
	struct ora_twin_sources *sources, const char *path, const char *const *flags, size_t count);
/* Whether the variable is such a parameter. */
bool ora_twin_is_fixed(const struct ora_twin_sources *sources, const struct di_variable *variable);
void ora_twin_sources_deinit(struct ora_twin_sources *sources);

#endif
