/* case_rerun.h - the smallest case of a signature, seen again. */
#ifndef ORA_CASE_RERUN_H
#define ORA_CASE_RERUN_H

#include "base/error.h"

/* Builds the smallest case of the signature that begins with what a user typed, in a folder of its
 * own, and asks the oracle again. on_command is told each command before the first is run. *status
 * is the exit status of the oracle, whose output is ours. */
XS_MUST_CHECK struct xs_error *ora_case_rerun(
	const char *dir, const char *begin, void (*on_command)(const char *text), int *status);

#endif
