/* twins.h - the state of a check of twins: two DWARFs of the same code, the variables that both
 * have, and what became of them so far. check_twins.c goes from stop to stop; twin_tell.c has the
 * words. */
#ifndef ORA_TWINS_H
#define ORA_TWINS_H

#include "dwarf/feature.h"
#include "oracle/check/check.h"
#include "oracle/truth/twin_match.h"
#include "oracle/truth/twin_side.h"
#include "oracle/truth/twin_source.h"
#include "oracle/truth/twin_track.h"
#include "oracle/witness/own/tell.h"

/* A variable of both, and how its leaves fare. */
struct ora_twin_pair_state {
	struct ora_twin_pair pair;
	uint64_t call, stretch; /* of the last stop that compared it */
	bool whole;             /* likewise: see twin_track.h */
	uint64_t seen;          /* stops that saw it */
	uint64_t both, one;     /* leaves with a value in both, and in one only */
	uint64_t apart;         /* leaves that cannot be compared: pointers without an address */
	struct xs_map paths;    /* hash of a path -> index into tracks, plus 1 */
	XS_VEC(struct ora_twin_track) tracks;
	XS_VEC(char *) names; /* paths of these */
};

/* Another DWARF of the same code. */
struct ora_twin {
	/* Set by the caller. */
	const char *name;         /* what to call it: a file, or flags */
	struct di_module *module; /* its DWARF */
	bool identical;           /* a tool made it: T3 instead of T1 and T2 */

	/* Its own. */
	struct ora_twin_side side;
	struct ora_twin_matches matches;
	struct ora_twin_match *globals; /* NULL: not asked for yet */
	struct xs_map states;           /* pair -> index into pairs, plus 1 */
	XS_VEC(struct ora_twin_pair_state *) pairs;
	struct xs_map global_states[2]; /* by side: a global -> index into pairs, plus 1 */
	uint64_t globals_both, globals_one, globals_apart; /* sums of their pairs */
	struct xs_map checked; /* T3: pcs whose control facts were compared */
};

/* A call that is active, or was. */
struct ora_twin_call {
	uint64_t number, stretch; /* its own: see twin_track.h */
	uint64_t skipped;         /* stops that were left out before it was last seen */
	xs_addr last;             /* pc then */
	bool whole;               /* its first instruction was seen, and all that came then */
};

struct ora_check_twins {
	/* Set by the caller. */
	struct ora_check *check;
	struct ora_recording *recording; /* the program and how to run it; run is opened */
	struct ora_twin *twins;
	size_t count;
	const struct ora_twin_sources *sources; /* or NULL */
	size_t own, other; /* the check's traces: what the program's DWARF says, what the twin's */
	bool open;         /* what is most likely nobody's mistake is a finding, too */
	unsigned which;    /* enum di_which */
	uint64_t max_leaves; /* of a variable; 0: the default */

	/* Called now and then: stops that were executed, and looked at. NULL: nobody asks. */
	void (*on_progress)(void *context, uint64_t executed, uint64_t kept);
	void *context; /* passed to it */

	/* Found. */
	uint64_t stops;                 /* that were looked at */
	uint64_t words[ORA_TWIN_WORDS]; /* cases by word, all twins */
	uint64_t both, one;             /* leaves at stops with a value in both, and in one */
	uint64_t left_both, left_one;   /* of these: left after all, by reason */
	uint64_t compared, places;      /* T3: leaves at stops, and addresses */

	/* Its own. */
	struct ora_twin_side side; /* the program's own DWARF */
	struct ora_teller teller;  /* of places */
	struct xs_error *err;      /* what went wrong at a stop */
	uint64_t kept;             /* stops that were told */
	uint64_t calls;            /* numbers given to calls and stretches */
	struct xs_map call_index;  /* (cfa, function) -> index into active, plus 1 */
	XS_VEC(struct ora_twin_call) active;
	struct xs_map feature_index;           /* (variable, pc) -> index into features, plus 1 */
	XS_VEC(struct di_features *) features; /* what the DWARF has on variables in cases */
};

#endif
