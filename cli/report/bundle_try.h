/* bundle_try.h - what a plain debugger says at a line: what a regression test would see.
 *
 * A test says less than xstep does: a breakpoint at a line, and a name. Where that leads in this
 * debugger, and what it answers there, is tried before a test is written. The program runs without
 * arguments, as in a test, and what it writes goes nowhere. */
#ifndef CLI_BUNDLE_TRY_H
#define CLI_BUNDLE_TRY_H

#include "base/addr.h"
#include "base/error.h"
#include "base/vec.h"
#include "oracle/witness/witness.h"

struct cli_try {
	/* Set by the caller. */
	const struct ora_witness *debugger; /* gdb or lldb */
	const char *program;                /* its path */
	const char *file;                   /* of the line: a plain name */
	unsigned line;
	xs_addr bias; /* of the process; what is found is link-time */

	/* Found by cli_try_stops(). */
	XS_VEC(xs_addr) stops; /* at that line, in the order of time */
	bool well;             /* the program ended by itself, with status 0; gdb only */
	bool all;              /* there were no more stops than these */
};

/* Runs the program from stop to stop. */
XS_MUST_CHECK struct xs_error *cli_try_stops(struct cli_try *try);
/* What the debugger answers to a command at the stop with that number, from 1: what stands behind
 * the first ` = `, else all of it, one line; to be freed. NULL: nothing. */
XS_MUST_CHECK struct xs_error *cli_try_ask(
	const struct cli_try *try, unsigned stop, const char *command, char **ret);
/* How a person does that, for a shell; to be freed. */
char *cli_try_line(const struct cli_try *try, unsigned stop, const char *command);
void cli_try_deinit(struct cli_try *try);

#endif
