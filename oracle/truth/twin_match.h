/* twin_match.h - which variable of one DWARF is which of the other, at a pc and at file scope.
 *
 * Rules:
 * 1. Functions and inlined calls are matched from the outermost inwards: the name, and where it was
 *    called (file, line, column), are the same. From the first pair on that is not, nothing is.
 * 2. Variables of a matched call are the same if name and line of the declaration are, and if there
 *    is one such in each. Globals likewise, and by unit unless they are external.
 * 3. What has no counterpart is counted, never compared.
 * 4. A match of a pc is made once, and kept. */
#ifndef ORA_TWIN_MATCH_H
#define ORA_TWIN_MATCH_H

#include "dwarf/scope.h"

/* Why a variable has no counterpart. */
enum ora_twin_single {
	ORA_TWIN_INLINED,   /* the inlined calls are described in different ways */
	ORA_TWIN_UNLISTED,  /* the other one does not list it there */
	ORA_TWIN_AMBIGUOUS, /* several have its name and line */
	ORA_TWIN_SINGLES,
};

struct ora_twin_pair {
	const struct di_variable *first, *second;
	uint64_t places[2]; /* which description each has at the pc: the same for the same one */
};

/* The locals of one pc. */
struct ora_twin_match {
	XS_VEC(struct ora_twin_pair) pairs;
	uint64_t singles[2][ORA_TWIN_SINGLES]; /* by side, which has them alone */
	char *differs; /* a sentence: how functions and calls are described otherwise; or NULL */
};

struct ora_twin_matches {
	/* Set by the caller. */
	struct di_module *first, *second;

	/* Its own. */
	struct xs_map pcs; /* pc -> index into list, plus 1 */
	XS_VEC(struct ora_twin_match *) list;
};

/* The locals at a link-time pc. */
const struct ora_twin_match *ora_twin_match_at(struct ora_twin_matches *matches, xs_addr pc);
/* The globals; to be freed with ora_twin_match_destroy(). */
struct ora_twin_match *ora_twin_match_globals(
	const struct di_globals *first, const struct di_globals *second);
void ora_twin_match_destroy(struct ora_twin_match *match);
void ora_twin_matches_deinit(struct ora_twin_matches *matches);

#endif
