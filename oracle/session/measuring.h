/* measuring.h - the metrics of optimised programs against an unoptimised one, by every witness.
 *
 * In the cache program 0 is the unoptimised one; the others are compared with it. */
#ifndef ORA_MEASURING_H
#define ORA_MEASURING_H

#include "oracle/check/metrics.h"
#include "oracle/session/trace_cache.h"

/* One optimised program as one witness sees it. */
struct ora_measured {
	const struct ora_trace_info *unopt, *opt; /* the cache's */
	struct ora_metrics metrics;               /* how much of the one is in the other */
};

struct ora_measuring {
	XS_VEC(struct ora_measured) vec; /* witness by witness, program by program */
};

/* Takes stored traces, by their numbers as the user wrote them, for the programs: the first is of
 * the unoptimised one. */
XS_MUST_CHECK struct xs_error *ora_measuring_take(struct ora_trace_cache *cache, const char *path,
	const char *const *numbers, size_t count, const struct ora_trace_need *need);
/* Measures programs 1 to programs - 1. The cache's `trouble` is set if a trace is not complete. */
XS_MUST_CHECK struct xs_error *ora_measuring_measure(
	struct ora_trace_cache *cache, size_t programs, struct ora_measuring *ret);
void ora_measuring_deinit(struct ora_measuring *measuring);

#endif
