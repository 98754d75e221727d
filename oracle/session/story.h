/* story.h - what every witness says of one leaf, from stop to stop.
 *
 * A finding is about one stop. Its story is what was said of the same leaf at all stops that were
 * kept: those at which somebody lists it, and those in the stretch of code that the finding is in.
 *
 * Rules:
 * 1. A stop is the same in two traces if (prev, pc, n) is. Traces of another subject than the one
 *    that the finding is about have no stops of this one.
 * 2. Of several calls of the leaf's function the innermost counts that the witness lists it in. At
 *    the finding's own stop, what it says is the finding's.
 * 3. It is there to be looked at: nothing is judged by it. */
#ifndef ORA_STORY_H
#define ORA_STORY_H

#include "oracle/judge/compare.h"

/* What a witness says. */
struct ora_story_said {
	bool heard; /* whether it was at the stop */
	enum ora_state state;
	char *value; /* NULL: there is none */
};

struct ora_story_point {
	uint64_t number, n; /* of the stop, in the first trace that has it */
	xs_addr prev, pc;   /* link-time */
	struct ora_story_said said[ORA_COMPARE_MAX]; /* by trace */
};

struct ora_story {
	/* Set by the caller. */
	const struct ora_difference *about; /* a variable's */
	struct xs_range stretch;            /* of code, at link time; empty: none */

	/* Found. */
	XS_VEC(struct ora_story_point) points; /* by number */
	uint64_t left;                         /* stops for which there was no room */
};

struct ora_trace_info;
struct ora_store;

/* Reads each trace once, for all stories. */
XS_MUST_CHECK struct xs_error *ora_stories_read(struct ora_store *store,
	const struct ora_trace_info *const *traces, size_t trace_count, struct ora_story *stories,
	size_t count);
void ora_story_deinit(struct ora_story *story);

#endif
