/* keepers.h - the debuggers that a campaign keeps, so that a job need not start them: one of each
 * that diff asks.
 *
 * They belong to the process that runs the campaign. Jobs find them by the environment
 * (oracle/witness/debugger/lent.h). One that dies is started again, but not for ever: what jobs
 * find out does not depend on it. */
#ifndef ORA_KEEPERS_H
#define ORA_KEEPERS_H

#include "oracle/witness/debugger/kept.h"

struct ora_plan;

/* Zero-initialised is none. */
struct ora_keepers {
	char *folder;                   /* of their sockets; NULL: none are kept */
	struct ora_witnesses witnesses; /* who */
	XS_VEC(struct ora_kept) vec;    /* by witness; those of xstep itself are none */
	XS_VEC(pid_t) pids;             /* of those that are alive */
	unsigned starts;                /* so far */
};

/* Finds out whom to keep, if anybody; none is started yet. scratch is the campaign's. */
void ora_keepers_init(
	struct ora_keepers *keepers, const struct ora_plan *plan, const char *scratch);
/* Keeps those that are named as --witness names them; "": gdb and lldb. */
void ora_keepers_init_named(
	struct ora_keepers *keepers, const char *witnesses, const char *scratch);
/* Starts those that are not there. */
void ora_keepers_check(struct ora_keepers *keepers);
void ora_keepers_deinit(struct ora_keepers *keepers);

#endif
