/* audience.h - how a hearing looks to a user: a sink that prints stops as text or JSON lines,
 * writes transitions to a file, and says on stderr how each witness ended. */
#ifndef CLI_AUDIENCE_H
#define CLI_AUDIENCE_H

#include "cli/report/progress.h"
#include "cli/report/print.h"
#include "oracle/session/hearing.h"
#include "oracle/session/lost.h"

/* In the order of the words of --format. */
enum cli_format { CLI_FORMAT_TEXT, CLI_FORMAT_JSON, CLI_FORMAT_NONE };

/* What xstep's testimony took, all threads together. */
struct cli_totals {
	char *mode; /* how it advanced */
	uint64_t stops, transitions;
	struct ora_told_effort effort;
	unsigned threads; /* how many, if all were traced; else 0 */
};

struct cli_audience {
	struct ora_sink sink; /* what a hearing is given */

	/* Set by the caller. */
	const char *output;           /* file that stops go to; NULL: standard output */
	const char *transitions_path; /* file that transitions go to, or NULL */
	const char *stats_path;       /* file that the caller writes to `stats`, or NULL */
	enum cli_format format;       /* how stops are printed */
	bool heads;                   /* say who the following stops are by */

	/* Made when the first witness begins: a mistyped program must not cost anybody an old
	 * file. */
	FILE *out, *transitions, *stats;

	/* Its own. */
	struct cli_progress progress; /* a line to be wiped out before anything else is said */
	struct ora_sink_ops ops;
	struct cli_audience *first; /* of the first thread; NULL: it is that itself */
	struct cli_printer printer; /* of the testimony that is being told */
	char *title, *witness;      /* of that */
	char *spelt;                /* the hearing's words for witnesses, `all` spelt out */
	unsigned thread;            /* likewise */
	bool own;                   /* it is xstep's */
	struct cli_totals totals;   /* of what xstep told */
	struct ora_lost absent;     /* who could not be asked at all */
};

/* It attends a hearing, which it must outlive; with a line of progress on the terminal unless
 * `quiet`. `all` among the hearing's witnesses is spelt out, and who is not there is noted. */
void cli_audience_attend(struct cli_audience *audience, struct ora_hearing *hearing, bool quiet);
/* Whether all was written. */
XS_MUST_CHECK struct xs_error *cli_audience_flush(struct cli_audience *audience);
void cli_audience_deinit(struct cli_audience *audience);
/* What it took, as a line to be read, or of JSON. */
void cli_totals_text(const struct cli_totals *totals, FILE *out);
void cli_totals_json(const struct cli_totals *totals, FILE *out);

#endif
