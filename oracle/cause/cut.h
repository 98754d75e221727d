/* cut.h - the first and coarsest part of a reduction: cuts whole declarations, statements and
 * expressions out of a source (source/trim.h), for as long as a case (case.h) has its finding.
 *
 * A reducer that knows only text needs thousands of questions for a program of some hundred lines,
 * and most of its candidates do not compile. What is cut here still parses: that is looked at
 * before anything is built. Many parts are tried at once, then half of them, and so on. */
#ifndef ORA_CUT_H
#define ORA_CUT_H

#include "oracle/cause/asker.h"

struct ora_cut {
	/* Set by the caller. */
	struct ora_asker *asker; /* who asks, about a case; its jobs are candidates at a time */
	const char *path;        /* the source: it has the finding; replaced by what is smaller */
	double until;            /* xs_now() at which to end; 0: when there is no more to cut */
};

/* A source that cannot be parsed stays as it is: that is no error. */
XS_MUST_CHECK struct xs_error *ora_cut(const struct ora_cut *trim);

#endif
