/* metrics_print.h - how much optimised programs let a debugger show: a table, JSON, a plot. */
#ifndef CLI_METRICS_PRINT_H
#define CLI_METRICS_PRINT_H

#include "oracle/session/measuring.h"

/* A table; with each function, and each variable that is lost somewhere, if that is wanted. */
void cli_metrics_text(FILE *out, const struct ora_measuring *all, bool functions, bool variables);
/* One JSON object with all of it. */
void cli_metrics_json(FILE *out, const struct ora_measuring *all);
/* For each program three bars. */
void cli_metrics_svg(FILE *out, const struct ora_measuring *all);

#endif
