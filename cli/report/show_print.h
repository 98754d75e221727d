/* show_print.h - what a trace store holds, told: stops, a variable's life, the state at a stop, and
 * figures about traces. */
#ifndef CLI_SHOW_PRINT_H
#define CLI_SHOW_PRINT_H

#include "cli/report/print.h"
#include "oracle/store/store.h"

/* In the order of `text|json|csv|html`; the last one is html_trace.h's. */
enum cli_show_format { CLI_SHOW_TEXT, CLI_SHOW_JSON, CLI_SHOW_CSV, CLI_SHOW_HTML };

/* One trace being told. */
struct cli_show {
	/* Set by the caller. */
	FILE *out;                          /* where it goes */
	enum cli_show_format format;        /* how */
	const struct ora_trace_info *trace; /* which */
	uint64_t from, to;                  /* numbers of stops; to 0: the last */
	bool frames, regs;                  /* in the text of stops: these, too */

	/* Its own. */
	struct ora_reader *reader; /* of it; the caller may read on in it */
	struct cli_printer printer;
	size_t count; /* of what was printed last */
};

/* To be closed whatever it returns. */
XS_MUST_CHECK struct xs_error *cli_show_open(struct cli_show *show, struct ora_store *store);
void cli_show_close(struct cli_show *show);
/* The stops in the range. */
XS_MUST_CHECK struct xs_error *cli_show_stops(struct cli_show *show);
/* What is said of a variable, or of parts of it, wherever that changes. */
XS_MUST_CHECK struct xs_error *cli_show_life(struct cli_show *show, const char *path);
/* The whole state at the stop that was read last. */
void cli_show_state(struct cli_show *show, const struct ora_told *stop);

/* The traces of a store. */
void cli_show_list(FILE *out, enum cli_show_format format, const struct ora_trace_list *list);
/* How a trace was made, how it ended, and its coverage. */
XS_MUST_CHECK struct xs_error *cli_show_stats(FILE *out, enum cli_show_format format,
	struct ora_store *store, const struct ora_trace_info *trace);

#endif
