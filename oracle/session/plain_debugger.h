/* plain_debugger.h - a debugger as a person has it: a child that reads commands and prints answers.
 *
 * Rules:
 * 1. It runs without init files in a folder of its own, which goes with it, and dies with xstep
 *    (helper.h).
 * 2. A command that fails ends nothing.
 * 3. What each command prints is told apart by marks: gdb echoes them, lldb repeats comments.
 * 4. After HUNG, DIED or INTERRUPTED there is nothing more to ask of it. */
#ifndef ORA_PLAIN_DEBUGGER_H
#define ORA_PLAIN_DEBUGGER_H

#include "oracle/session/by_hand.h"
#include "oracle/witness/debugger/helper.h"

enum ora_plain_end {
	ORA_PLAIN_ANSWERED,
	ORA_PLAIN_DEBUGGER_HUNG, /* it said nothing for too long */
	ORA_PLAIN_DIED,          /* it ended, or reported an internal error */
	ORA_PLAIN_INTERRUPTED,   /* xstep was */
};

/* Zero-initialised but for what is given. */
struct ora_plain {
	/* Set by the caller. */
	const struct ora_witness *debugger;
	double patience; /* seconds of silence */

	/* Its own. */
	struct ora_helper helper;
	char *folder;       /* NULL until it is made */
	XS_VEC(char) heard; /* since the last command */
	unsigned mark;      /* of the last one */
	int pidfd;
};

/* Starts it on the program of a session. */
XS_MUST_CHECK struct xs_error *ora_plain_start(
	struct ora_plain *plain, const struct ora_by_hand *session);
/* Gives it commands. *texts gets what each printed; fewer if it did not answer to the end, the last
 * of them its last words. */
enum ora_plain_end ora_plain_ask(
	struct ora_plain *plain, const struct ora_commands *commands, struct ora_commands *texts);
/* The path of a file in its folder, to be freed. */
char *ora_plain_path(const struct ora_plain *plain, const char *name);
/* Ends it. Harmless on one that was not started. */
void ora_plain_deinit(struct ora_plain *plain);

#endif
