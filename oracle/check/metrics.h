/* metrics.h - how much of a program a debugger can show when it is optimised, against unoptimised.
 *
 * All figures are taken at the first hit of each line (traces by breakpoints). A line is a file,
 * without its folder, and a number. Variables are the same if function, name and declaration line
 * are.
 * 1. Line coverage: of the lines hit in UNOPT, the share that is hit in OPT, too.
 * 2. Availability at a line that both hit: of the variables of the innermost function with a value
 *    in UNOPT, the share with a value in OPT; the average over the lines where UNOPT has any.
 * 3. The product of line coverage and availability.
 * 4. For each variable: its defined range, the lines that both hit where it is declared and has a
 *    value in UNOPT; how many of these lines have a value in OPT; and, for the other lines, how it
 *    is lost: optimized-out or absent. */
#ifndef ORA_METRICS_H
#define ORA_METRICS_H

#include "oracle/check/check.h"

/* One of the ways in which a variable is lost. */
struct ora_metrics_loss {
	uint32_t line;
	enum ora_state state; /* in OPT */
};

struct ora_metrics_variable {
	char *function, *name;
	uint32_t declared;                    /* line */
	uint64_t range;                       /* lines that both hit, where UNOPT has a value */
	uint64_t available;                   /* where OPT has one, too */
	XS_VEC(struct ora_metrics_loss) lost; /* the others */
};

/* Of a function, or of all. */
struct ora_metrics_row {
	char *function;         /* NULL: all */
	uint64_t lines, common; /* hit in UNOPT; in both */
	uint64_t measured;      /* of those, with a variable in UNOPT */
	double available;       /* sum of the ratios */
	uint64_t variables;     /* that have a value somewhere in UNOPT */
};

static inline double ora_metrics_coverage(const struct ora_metrics_row *row)
{
	return row->lines ? (double)row->common / (double)row->lines : 0;
}

static inline double ora_metrics_availability(const struct ora_metrics_row *row)
{
	return row->measured ? row->available / (double)row->measured : 1;
}

struct ora_metrics {
	struct ora_metrics_row total;
	XS_VEC(struct ora_metrics_row) functions;      /* in the order of their first lines */
	XS_VEC(struct ora_metrics_variable) variables; /* likewise */
};

/* Measures the trace of OPT against that of UNOPT. */
XS_MUST_CHECK struct xs_error *ora_metrics_measure(
	struct ora_store *store, uint64_t unopt, uint64_t opt, struct ora_metrics *ret);
void ora_metrics_deinit(struct ora_metrics *metrics);

#endif
