/* metrics.h - how much of a program a debugger can show when it is optimised, against unoptimised.
 *
 * All figures are taken at the first hit of each line (traces by breakpoints). A line is a file,
 * without its folder, and a number. Variables are the same if function, name and declaration line
 * are.
 * 1. Line coverage: of the lines hit in UNOPT, the share that is hit in OPT, too.
 * 2. Availability at a line that both hit: of the variables of the innermost function with a value
 *    in UNOPT, the share with a value in OPT; the average over the lines where UNOPT has any.
 * 3. The product of line coverage and availability.
 * 4. For each variable: its baseline, the lines of UNOPT where it is declared and has a value; how
 *    many of these lines OPT hits; on how many of those it has a value in OPT; and, for the others
 *    that are hit, how it is lost: optimized-out or absent.
 * 5. With a trace of OPT by instructions: the same for each instance of the variable's function, in
 *    the code by itself or inlined somewhere: by the first hit of each line, if that was in this
 *    instance, else by the first statement of that line that was executed in it.
 * What nothing was there to be measured for is not a number: neither 0 nor 1 would be true. */
#ifndef ORA_METRICS_H
#define ORA_METRICS_H

#include <math.h>

#include "oracle/check/check.h"

/* One of the ways in which a variable is lost. */
struct ora_metrics_loss {
	uint32_t line;
	enum ora_state state; /* in OPT */
};

/* How much of a variable's baseline an optimised program has. */
struct ora_metrics_cover {
	uint64_t present; /* lines that are hit */
	uint64_t covered; /* where the variable has a value */
};

/* A function's code in one place. */
struct ora_metrics_instance {
	char *chain; /* where it is inlined, `b.c:32, a.c:10`, innermost first; empty: nowhere */
	struct ora_metrics_cover cover;
};

struct ora_metrics_variable {
	char *function, *name;
	char *file;                                    /* of the declaration; or NULL */
	uint32_t declared;                             /* line */
	uint64_t baseline;                             /* lines of UNOPT with a value */
	struct ora_metrics_cover cover;                /* of these, in OPT */
	XS_VEC(struct ora_metrics_loss) lost;          /* present, and not covered */
	XS_VEC(struct ora_metrics_instance) instances; /* rule 5 */
};

/* Of a function, or of all. */
struct ora_metrics_row {
	char *function;         /* NULL: all */
	uint64_t lines, common; /* hit in UNOPT; in both */
	uint64_t measured;      /* of those, with a variable in UNOPT */
	double available;       /* sum of the ratios */
	uint64_t variables;     /* that have a value somewhere in UNOPT */
};

/* NAN if there is nothing to be a part of. */
static inline double ora_metrics_ratio(double part, uint64_t whole)
{
	return whole ? part / (double)whole : NAN;
}

static inline double ora_metrics_coverage(const struct ora_metrics_row *row)
{
	return ora_metrics_ratio((double)row->common, row->lines);
}

static inline double ora_metrics_availability(const struct ora_metrics_row *row)
{
	return ora_metrics_ratio(row->available, row->measured);
}

/* If nothing is hit, there is nothing to be seen. */
static inline double ora_metrics_product(const struct ora_metrics_row *row)
{
	return row->lines && !row->common
		       ? 0
		       : ora_metrics_coverage(row) * ora_metrics_availability(row);
}

/* What is measured. */
struct ora_metrics_subject {
	struct ora_store *store;
	uint64_t unopt, opt;            /* traces by breakpoints */
	uint64_t instances;             /* a trace of OPT by instructions; 0: none */
	const struct di_module *module; /* with it: OPT's */
};

struct ora_metrics {
	struct ora_metrics_row total;
	XS_VEC(struct ora_metrics_row) functions;      /* in the order of their first lines */
	XS_VEC(struct ora_metrics_variable) variables; /* likewise */
};

/* Measures OPT against UNOPT. */
XS_MUST_CHECK struct xs_error *ora_metrics_measure(
	const struct ora_metrics_subject *subject, struct ora_metrics *ret);
void ora_metrics_deinit(struct ora_metrics *metrics);

#endif
