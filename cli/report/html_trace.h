/* html_trace.h - a stored trace as a page to walk through (docs/page.md): its stops, the source
 * with how often each line was come to, variables with their lives, frames and registers. */
#ifndef CLI_HTML_TRACE_H
#define CLI_HTML_TRACE_H

#include "oracle/store/store.h"

struct cli_html_trace {
	FILE *out;
	struct ora_store *store;
	const struct ora_trace_info *trace; /* which */
	uint64_t from, to;                  /* numbers of stops; to 0: the last */
};

XS_MUST_CHECK struct xs_error *cli_html_trace(const struct cli_html_trace *what);

#endif
