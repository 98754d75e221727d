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
	/* Of both, as they were named: a trace may be of a file with the same bytes. */
	const char *against, *path;
	struct ora_metrics metrics; /* how much of the one is in the other */
};

struct ora_measuring {
	XS_VEC(struct ora_measured) vec; /* witness by witness, program by program */
};

/* Sees that the traces of program number `program` are there; instances: those that tell inlined
 * instances apart, too. */
XS_MUST_CHECK struct xs_error *ora_measuring_record(
	struct ora_trace_cache *cache, char *const *argv, size_t program, bool instances);
/* Takes stored traces, by their numbers as the user wrote them, for the programs: the first is of
 * the unoptimised one. */
XS_MUST_CHECK struct xs_error *ora_measuring_take(
	struct ora_trace_cache *cache, const char *path, const char *const *numbers, size_t count);
/* Measures programs 1 to programs - 1, by every witness that told it all; the others are lost.
 * names: of all programs; NULL: as the traces have them. */
XS_MUST_CHECK struct xs_error *ora_measuring_measure(struct ora_trace_cache *cache,
	char *const *names, size_t programs, bool instances, struct ora_measuring *ret);
void ora_measuring_deinit(struct ora_measuring *measuring);

#endif
