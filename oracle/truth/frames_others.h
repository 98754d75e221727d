/* frames_others.h - debuggers' backtraces against the true stack.
 *
 * Rules:
 * 1. They are asked where the call frame information is right, of frames that are certain: those
 *    that the program's own calls lead out of, one by one. What a debugger shows where the
 *    information is wrong, or not there, is its own choice.
 * 2. Only physical frames count. Frames of inlined calls, and those that a debugger makes up for
 *    tail calls, are a matter of presentation. */
#ifndef ORA_FRAMES_OTHERS_H
#define ORA_FRAMES_OTHERS_H

#include "oracle/truth/frames_state.h"

/* The frames of this stop were compared: keeps what is true of them, if somebody else is asked. */
void ora_frames_keep(struct ora_frames_run *run, const struct ora_stop *stop);
/* Holds the debuggers' traces of the check against what was kept. */
XS_MUST_CHECK struct xs_error *ora_frames_others(struct ora_frames_run *run);
void ora_frames_kept_destroy(struct ora_frames_kept *kept);

#endif
