/* frames_run.h - runs a program and holds its frames, call sites and entry values against what the
 * execution shows.
 *
 * The shadow stack is told of every stop that may change it (codes.h). At the stops that the sample
 * keeps the stack is walked by the CFI and compared with it (frames.h), and so are the values that
 * call sites and variables say a function was entered with (entries.h).
 *
 * Rules:
 * 1. What is found goes into `check`, with the execution as ORA_LIVE_TRUTH and the DWARF as
 *    ORA_LIVE_XSTEP. Nobody is accused where libunwind, which reads the same tables by code of its
 *    own, comes to other frames than xstep: that is left.
 * 2. A wrong row shows at every pc of a stretch. The stretch is one finding: it begins behind the
 *    first instruction after which the row is wrong.
 * 3. Code is the program's own, by its line table; the first thread's. */
#ifndef ORA_FRAMES_RUN_H
#define ORA_FRAMES_RUN_H

#include "oracle/truth/frames_state.h"

/* Runs the program to the end of the trace. */
XS_MUST_CHECK struct xs_error *ora_frames_run(struct ora_frames_run *run);
void ora_frames_run_deinit(struct ora_frames_run *run);

#endif
