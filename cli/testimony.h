/* testimony.h - prints what other witnesses say, as the trace of xstep itself is printed. */
#ifndef CLI_TESTIMONY_H
#define CLI_TESTIMONY_H

#include <stdio.h>

#include "oracle/witness/debugger/shared.h"
#include "oracle/witness/debugger/transcript.h"

struct cli_testimony {
	FILE *out;                         /* where stops go; NULL: nowhere */
	FILE *transitions;                 /* where transitions go; NULL: nowhere */
	struct ora_transcript *transcript; /* of a store, into which all of it goes; or NULL */
	bool json;                         /* JSON lines instead of text */
	struct ora_shared *shared; /* it has testified already, as number `which`; or NULL */
	size_t which;
	const struct ora_recording *recording; /* of that */
	struct xs_error *err;                  /* its own: what went wrong with the transcript */
	struct ora_testimony testimony;        /* what to ask; on_line and context are set here */
};

/* Says who the following stops are by: one line. */
void cli_testimony_head(FILE *out, bool json, const struct ora_witness *witness);
/* Asks one witness. Trouble with it is reported on stderr and is no error; *trouble says that there
 * was some. */
XS_MUST_CHECK struct xs_error *cli_testimony_print(struct cli_testimony *print, bool *trouble);

#endif
