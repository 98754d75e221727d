/* silence.h - for how long a process has said nothing, in its own time.
 *
 * A debugger that says nothing is given up, but not because the machine is busy. While the process
 * or anything that it started works, only what they get of the processor counts. While all of them
 * sleep, the clock counts. */
#ifndef ORA_SILENCE_H
#define ORA_SILENCE_H

#include <sys/types.h>

struct ora_silence {
	double seconds;   /* that were counted since the last word */
	double counted;   /* when that was, by xs_now() */
	double processor; /* what they had used of it then, in seconds */
};

/* It has just said something, or is about to begin. */
void ora_silence_break(struct ora_silence *silence);
/* How many seconds its silence lasts by now. */
double ora_silence_seconds(struct ora_silence *silence, pid_t pid);

#endif
