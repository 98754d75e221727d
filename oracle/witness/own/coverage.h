/* coverage.h - how much of a program's run and of its debug information a trace has looked at.
 *
 * Three figures of the DTD paper:
 *     E   executed instructions: of the executed stops, how many were kept
 *     WE  executed instructions, each address once: of them, how many have a kept stop
 *     D   debug information: of the line rows, scopes and locations that the executed addresses
 *         select, how many a kept stop evaluated
 * Locations are told by the operators in their expressions, too.
 *
 * The paper's P, program states, is none of them: how much of the state at a stop is looked at. A
 * kept stop tells all of it, and what the states in between would have added can be known only by
 * looking at them. */
#ifndef ORA_COVERAGE_H
#define ORA_COVERAGE_H

#include "oracle/witness/own/record.h"

/* Zero-initialised but for: */
struct ora_coverage {
	bool states;         /* whether the trace tells variables, so that scopes are looked at */
	bool globals;        /* whether it tells those of file scope */
	XS_VEC(bool) places; /* its own: by index, whether a stop was kept there */
};

typedef void ora_on_figure(
	void *arg, const char *kind, const char *name, uint64_t selected, uint64_t evaluated);

/* A stop was kept at the place with this index. */
void ora_coverage_stop(struct ora_coverage *coverage, size_t place);
/* The recording is over: tells the figures, `operator` once for each. */
void ora_coverage_tell(const struct ora_coverage *coverage, const struct ora_recording *recording,
	ora_on_figure *on_figure, void *arg);
void ora_coverage_deinit(struct ora_coverage *coverage);

#endif
