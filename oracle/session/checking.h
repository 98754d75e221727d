/* checking.h - a check from its traces to its violations: what all of `xstep check` share.
 *
 * The order of calls: fill the cache (trace_cache.h), ora_checking_begin(), a check of
 * oracle/check/check.h on `check`, ora_check_judge(), ora_checking_deinit(). Of several programs
 * ora_checking_turn() takes the next one's traces before the check goes on. */
#ifndef ORA_CHECKING_H
#define ORA_CHECKING_H

#include "oracle/check/check.h"
#include "oracle/check/unsteady.h"
#include "oracle/session/trace_cache.h"

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
};

/* Once the cache has the traces that are needed: sees that there are two runs of a program by line,
 * by xstep, whoever else is asked. need: how the first is recorded, if it is not there. moved: the
 * path of another build; the second run is moved, and is called like that one; if it goes another
 * way, there are two more of that kind. NULL: it is the same again. The check sets aside what they
 * do not have in common. */
XS_MUST_CHECK struct xs_error *ora_checking_twice(struct ora_checking *checking, char *const *argv,
	const struct ora_trace_need *need, const char *moved);
/* Opens the store and fills `check`, witness by witness; those whose traces are not complete are
 * left out. subject: the role of the trace whose program's DWARF is the evidence. */
XS_MUST_CHECK struct xs_error *ora_checking_begin(struct ora_checking *checking,
	const struct ora_trace_need *needs, size_t count, const char *subject);
/* After that: the same witnesses' traces of another program (of the cache), by which the check goes
 * on. *whole: all of them are complete. */
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
