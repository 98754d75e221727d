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

	/* Its own. */
	uint64_t *refused;    /* what was asked about in vain, by hash; 0: nothing */
	size_t refused_count; /* of them */
	unsigned round;       /* how often all was tried before */
};

/* A source that cannot be parsed stays as it is: that is no error. */
XS_MUST_CHECK struct xs_error *ora_cut(struct ora_cut *trim);
/* Leaves out of a source what main does not reach, and asks nobody: what a preprocessor brings in
 * is mostly that. */
XS_MUST_CHECK struct xs_error *ora_cut_unused(const struct ora_case *one, const char *path);

#endif
