/* entries.h - what call sites and variables say that a function was entered with, against what it
 * was entered with.
 *
 * Rules:
 * 1. E1: at the first instruction of a function that the program's own code has called, or jumped
 *    to by a tail call, each parameter of that call site is evaluated where the call was, with what
 *    the caller's frame truly is; an entry value in it is the true one. Where it cannot be
 *    evaluated with what survives a call (registers that calls preserve, memory), it is left.
 * 2. E2: each entry value that a variable in scope is worked out by is asked of the evaluator as
 *    usual, in every frame that is known, and held against the register at the entry. Of a call
 *    that waits for another one it is asked once.
 * 3. As many bytes count as the parameter has that is in this register at the entry. Where that is
 *    not known one byte counts, and what differs behind it is left. */
#ifndef ORA_ENTRIES_H
#define ORA_ENTRIES_H

#include "oracle/truth/frames_state.h"

#define ORA_RULE_CALL_SITE   "E1"
#define ORA_RULE_ENTRY_VALUE "E2"

/* The frames of this stop were compared: asks what else there is to ask. */
XS_MUST_CHECK struct xs_error *ora_entries_look(
	struct ora_frames_run *run, const struct ora_stop *stop);
void ora_entries_destroy(struct ora_entries *entries);

#endif
