/* frames_tell.h - what is wrong with a row of call frame information, and since which instruction.
 *
 * A stretch is a run of pcs at which rows are wrong in the same way. It begins behind an
 * instruction at which the row was right: that one moved the stack pointer or changed a register,
 * and no row says so; or it did not, and the row that begins behind it is wrong. */
#ifndef ORA_FRAMES_TELL_H
#define ORA_FRAMES_TELL_H

#include "oracle/truth/frames_state.h"

/* The comparison at this stop has come to its end: notes what is wrong, or what is right. */
XS_MUST_CHECK struct xs_error *ora_frames_tell(
	struct ora_frames_run *run, const struct ora_stop *stop);
void ora_broken_destroy(struct ora_broken *broken);

#endif
