/* twin_track.h - one leaf as two DWARFs tell it, stop after stop: where they part, and what that
 * comes to.
 *
 * As long as both say one value, or neither has one, there is nothing to tell. A *case* begins when
 * they part, and ends when they are together again, when they part in another way, or when the call
 * is over. What it comes to is decided then, by what both said before and what both said after.
 *
 * Rules:
 * 1. A *call* is an activation of a function in which no executed stop was left out: what both said
 *    in it before is known. What was said in another call does not count. What one has late must
 *    not have been there at the call: that is known if the call was seen from its beginning.
 * 2. A *stretch* is a part of a call in which control only went forward: behind a jump back an
 *    inner variable may be another instance of itself. For these, what was said in another stretch
 *    does not count; for none, a gap spans several.
 * 3. A value that only one has counts if the description that gives it is one in which both agreed:
 *    a register that is no longer the variable's may hold the same value by chance.
 * 4. Nothing here says which one is right. */
#ifndef ORA_TWIN_TRACK_H
#define ORA_TWIN_TRACK_H

#include "oracle/witness/own/record.h"

/* What two DWARFs say of a leaf at a stop. */
enum ora_twin_relation {
	ORA_TWIN_NEITHER, /* has a value */
	ORA_TWIN_AGREE,
	ORA_TWIN_DIFFER,
	ORA_TWIN_FIRST_ONLY, /* has a value */
	ORA_TWIN_SECOND_ONLY,
};

/* What a case comes to. */
enum ora_twin_word {
	ORA_TWIN_CONTRADICTION, /* two values, and no moment of one assignment explains them */
	ORA_TWIN_MOMENT,     /* an assignment that takes effect sooner in one than in the other */
	ORA_TWIN_UNASSIGNED, /* two values, and both have not agreed before: not asked */
	ORA_TWIN_GAP,        /* one has no value between two places where both say the same */
	ORA_TWIN_LATE,       /* one has a parameter's value only later than the call */
	ORA_TWIN_LOST,       /* one has lost a value that both said, and the other still says */
	ORA_TWIN_ONE_WORD,   /* a value that only one ever says: not asked */
	ORA_TWIN_MALFORMED,  /* one cannot be evaluated, by the standard's rules */
	ORA_TWIN_WORDS,
};
const char *ora_twin_word_text(enum ora_twin_word word);

/* Where a leaf is looked at. */
struct ora_twin_stop {
	uint64_t number, n;           /* as in ora_stop */
	const struct ora_place *prev; /* likewise */
	const struct ora_place *place;
	uint64_t call, stretch; /* numbers of their own; never 0 */
	bool whole;             /* the call is seen from the function's first instruction on */
	uint64_t seen;          /* how many stops saw the variable before this one */
	uint64_t places[2];     /* which description each has of it there */
};

/* What is said of the leaf there. */
struct ora_twin_said {
	enum ora_state state;
	const char *value; /* NULL: none */
	uint64_t hash;     /* of that */
	enum di_why_code why;
};

struct ora_twin_case {
	enum ora_twin_relation relation;
	struct ora_twin_stop begin;
	enum ora_state states[2]; /* there */
	char *values[2];          /* likewise; NULL: none */
	enum di_why_code whys[2]; /* likewise */
	uint64_t stops;           /* that it lasted */
	xs_addr last;             /* pc of the last of them */
	bool steady;              /* the values stayed what they were */
	bool held;                /* of one value only: the description that gives it is one in
				   * which both agreed; else it may be there by chance */
	bool looped;              /* it lasted longer than its stretch */
	bool fits;                /* all values said meanwhile are `before` or `after` */
	bool keeps;               /* one of the two said `before` all the time */
	char *before;             /* what both said last; NULL: nothing, in that call */
	char *after;              /* what both said when it ended; NULL: something else happened */
};

enum { ORA_TWIN_HEARD = 6 }; /* different values of a case that are kept */

/* Zero-initialised but for what is given. */
struct ora_twin_track {
	/* Set by the caller. */
	bool inner; /* a variable of an inner block or an inlined call (rule 2) */

	/* Its own. */
	uint64_t call, stretch;          /* of what was heard last */
	enum ora_twin_relation relation; /* likewise */
	char *agreed;                    /* what both said last in this call; or NULL */
	uint64_t agreed_hash;
	uint64_t agreed_stretch;        /* where that was */
	uint64_t agreed_places[2];      /* by which descriptions */
	struct ora_twin_case open;      /* if they are apart */
	uint64_t begun[2];              /* its hashes at the beginning */
	uint64_t heard[ORA_TWIN_HEARD]; /* different hashes of its values */
	unsigned heard_count;           /* more than there is room for: too many */
	bool kept[2];                   /* that side said `before` all the time */
};

/* What both say at the next stop. If a case ended, true, and *ended is to be released. */
bool ora_twin_track_hear(struct ora_twin_track *track, const struct ora_twin_stop *stop,
	const struct ora_twin_said said[2], struct ora_twin_case *ended);
/* There are no more stops. */
bool ora_twin_track_end(struct ora_twin_track *track, uint64_t seen, struct ora_twin_case *ended);
void ora_twin_track_deinit(struct ora_twin_track *track);
void ora_twin_case_deinit(struct ora_twin_case *one);

/* What it comes to. sure: a parameter of an out-of-line function, which has its value from the call
 * on. */
enum ora_twin_word ora_twin_case_word(const struct ora_twin_case *one, bool sure);

#endif
