/* rsp_run.h - a process that one client of the remote protocol drives, as gdbserver would have it.
 *
 * Rules:
 * 1. The client's breakpoints are in memory only while the process runs; whoever reads it when it
 *    is stopped sees the program's own bytes.
 * 2. The pc at a breakpoint is the breakpoint's address, for every client.
 * 3. Signals are reported before they are delivered: the client decides.
 * 4. The first thread is driven; others run as the engine has it. */
#ifndef ENG_RSP_RUN_H
#define ENG_RSP_RUN_H

#include "engine/rsp_server.h"

/* Serves until the process has ended or the client LEFT; what it wished then is in `wish`. */
XS_MUST_CHECK struct xs_error *eng_rsp_run(
	struct eng_rsp_server *server, struct eng_rsp_client *client);

#endif
