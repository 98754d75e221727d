/* metrics_print.h - how much optimised programs let a debugger show: tables, JSON, a plot.
 *
 * Columns of variables have the names that `llvm-dwarfdump --show-variable-coverage
 * --coverage-baseline` gives them. There lines are counted by the line table, here by what is
 * hit. */
#ifndef CLI_METRICS_PRINT_H
#define CLI_METRICS_PRINT_H

#include "oracle/session/measuring.h"

/* What there is to print. */
struct cli_metrics {
	const struct ora_measuring *all;
	const struct ora_lost *lost; /* witnesses whose word is missing */
	bool functions, variables;   /* text: tables of these, too */
	bool instances;              /* variables: inlined instances apart as well */
};

/* A table of programs; with each function, and each variable, if that is wanted. */
void cli_metrics_text(FILE *out, const struct cli_metrics *metrics);
/* One JSON object with all of it. */
void cli_metrics_json(FILE *out, const struct cli_metrics *metrics);
/* For each program three bars. */
void cli_metrics_svg(FILE *out, const struct cli_metrics *metrics);

/* What measured program number `one` is called: as much of the end of its path as tells it from the
 * others, with its witness if there are several; to be freed. */
char *cli_metrics_label(const struct ora_measuring *all, size_t one);

#endif
