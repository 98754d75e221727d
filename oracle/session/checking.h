/* checking.h - a check from its traces to its violations: what all of `xstep check` share.
 *
 * Most checks read traces. One that runs the program itself (oracle/truth) stores none: it has two
 * witnesses that are asked while the program runs, and debuggers' traces if these are asked too.
 *
 * The order of calls: fill the cache (trace_cache.h), ora_checking_begin(), a check of
 * oracle/check/check.h on `check`, ora_check_judge(), ora_checking_deinit(). Of several programs
 * ora_checking_turn() takes the next one's traces before the check goes on. */
#ifndef ORA_CHECKING_H
#define ORA_CHECKING_H

#include "oracle/check/check.h"
#include "oracle/check/unsteady.h"
#include "oracle/session/trace_cache.h"

/* The traces of a check that runs the program itself. */
enum ora_live {
	ORA_LIVE_TRUTH,  /* what must be so, whatever the DWARF says */
	ORA_LIVE_XSTEP,  /* xstep's reading of the DWARF */
	ORA_LIVE_OTHERS, /* from here on: debuggers' */
};

struct ora_checking {
	/* Set by the caller. */
	struct ora_trace_cache cache; /* which traces there are */
	void (*on_warning)(
		const char *); /* told what is left out, a sentence without a full stop */

	/* From ora_checking_begin() on. */
	struct ora_store *store; /* that the traces are in */
	struct ora_check check;  /* what the checks work on */

	/* Its own: what the runs of ora_checking_twice() do not have in common. */
	struct ora_unsteady unsteady;
	struct ora_unsteady rounded; /* likewise, where the second rounds otherwise */
	/* Its own, of a check that runs the program: in place of what a store says of a trace. */
	struct ora_trace_info live[ORA_LIVE_OTHERS];
	char *live_path, *live_words; /* the program, and its arguments as JSON */
};

/* Once the cache has the traces that are needed: sees that there are two runs of a program by line,
 * by xstep, whoever else is asked. need: how the first is recorded, if it is not there. moved: the
 * path of another build; the second run is moved, and is called like that one; if it goes another
 * way, there are two more of that kind. If the program calculates with floating values, there are
 * two that round otherwise as well. NULL: it is the same again. The check sets aside what they do
 * not have in common. */
XS_MUST_CHECK struct xs_error *ora_checking_twice(struct ora_checking *checking, char *const *argv,
	const struct ora_trace_need *need, const char *moved);
/* Opens the store and fills `check`, witness by witness; those whose traces are not complete are
 * left out. subject: the role of the trace whose program's DWARF is the evidence. */
XS_MUST_CHECK struct xs_error *ora_checking_begin(struct ora_checking *checking,
	const struct ora_trace_need *needs, size_t count, const char *subject);
/* The same for a check that runs the program itself: argv[0] is the one whose DWARF is the
 * evidence. `truth` is a word for what the DWARF is held against, and `about` says what that is:
 * both are literals. Debuggers' traces of that role, if the cache has any, come behind these
 * two. */
XS_MUST_CHECK struct xs_error *ora_checking_begin_live(struct ora_checking *checking,
	char *const *argv, const char *truth, const char *about, const char *role);
/* For a check that runs the program itself: has the debuggers among those who are asked tell what
 * is needed; xstep looks in its own way. */
XS_MUST_CHECK struct xs_error *ora_checking_hear_debuggers(
	struct ora_checking *checking, char *const *argv, const struct ora_trace_need *need);
/* A warning of such a check: what was executed was checked. */
#define ORA_CHECKING_CUT "the program was ended before its time; it was checked as far as it came"
/* After ora_checking_begin(): the same witnesses' traces of another program (of the cache), by
 * which the check goes on. *whole: all of them are complete. */
XS_MUST_CHECK struct xs_error *ora_checking_turn(struct ora_checking *checking,
	const struct ora_trace_need *needs, size_t count, size_t program, bool *whole);
/* Whether two programs may be builds of one source: refuses those whose compile units have no name
 * in common. */
XS_MUST_CHECK struct xs_error *ora_checking_same_source(const char *one, const char *other);
/* Availability by the facts of one more source; `flags` are for its parser. */
XS_MUST_CHECK struct xs_error *ora_checking_source(struct ora_check_avail *avail, const char *path,
	const char *const *flags, size_t flag_count);
void ora_checking_deinit(struct ora_checking *checking);

#endif
