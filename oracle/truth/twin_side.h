/* twin_side.h - one DWARF's reading of a process: what each variable of the innermost frame, and
 * each global, is now.
 *
 * Two sides look at the same stops of one process. The first has the modules that the process has
 * loaded; the second reads another file in the place of the program, at the same addresses.
 *
 * Rules:
 * 1. What is seen stays until it is told anew: only what changed is touched (own/facts.h).
 * 2. A leaf that is no longer told is ABSENT, and keeps its place in the list.
 * 3. Variables belong to the module, everything else to the side. */
#ifndef ORA_TWIN_SIDE_H
#define ORA_TWIN_SIDE_H

#include "base/map.h"
#include "oracle/witness/own/facts.h"

struct ora_twin_leaf {
	char *path;                /* `s.f[2]` */
	uint64_t path_hash;        /* of it */
	const char *type;          /* name */
	enum ora_state state;      /* ABSENT: not told any more */
	char *value;               /* canonical text, NULL without one */
	uint64_t hash;             /* of it; 0 without one */
	enum di_why_code why;      /* why there is none */
	enum di_declared declared; /* whether its declaration has been passed */
};

/* A variable and what is said of it. */
struct ora_twin_seen {
	const struct di_variable *variable;
	uint64_t changed; /* number of the last look at which something of it did */
	size_t live;      /* leaves that are not absent */
	XS_VEC(struct ora_twin_leaf) leaves;
	struct xs_map paths; /* hash of a path -> index into these, plus 1 */
};

struct ora_twin_side {
	/* Set by the caller. */
	struct di_module *module;  /* whose DWARF it reads */
	struct di_module *program; /* in whose place that is; NULL: its own */
	unsigned which;            /* enum di_which */
	uint64_t max_leaves;       /* of a variable; 0: the default */

	/* Its own, to be read. */
	struct di_view view; /* of the last look */
	uint64_t looks;      /* how many there were */
	XS_VEC(struct ora_twin_seen *) seen;
	XS_VEC(struct ora_twin_seen *) globals_changed; /* at the last look */

	/* Its own. */
	struct di_target target;       /* with the module in its place */
	const struct di_target *under; /* the process's */
	struct di_mapping mapping;     /* of the module */
	struct ora_facts *facts;
	struct xs_map index; /* variable -> index into seen, plus 1 */
};

/* Looks at the machine state; target lives until the next call. */
XS_MUST_CHECK struct xs_error *ora_twin_look(
	struct ora_twin_side *side, const struct di_target *target);
/* What is said of a variable; NULL: it was never seen. */
struct ora_twin_seen *ora_twin_seen_of(
	const struct ora_twin_side *side, const struct di_variable *variable);
/* The leaf of that path. If the whole is in a state, that is the leaf's; NULL if there is none. */
const struct ora_twin_leaf *ora_twin_leaf_at(
	const struct ora_twin_seen *seen, const char *path, uint64_t path_hash);
void ora_twin_side_deinit(struct ora_twin_side *side);

#endif
