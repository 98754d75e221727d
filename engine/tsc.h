/* tsc.h - the processor's own clock, made the same in every run.
 *
 * The kernel can be asked to let rdtsc and rdtscp fail, by SIGSEGV (PR_SET_TSC). Whoever holds the
 * program then does what the instruction should have: the clock begins at a fixed value and moves
 * by a fixed step with each reading. */
#ifndef ENG_TSC_H
#define ENG_TSC_H

#include <stdint.h>

#include "engine/event.h"

/* Whether the code of the program at path reads the clock. To let it fail costs time at each switch
 * between program and tracer, so that is done only where it matters. */
bool eng_tsc_is_read_by(const char *path);
/* In the child, right before it execs: its readings of the clock fail from now on. That is
 * inherited by all that it starts. */
void eng_tsc_forbid(void);
/* A forked child, stopped before its first instruction, is about to be let go: nobody will do it
 * for that one, so it may read the clock again. */
void eng_tsc_allow(pid_t child);
/* A thread of the program was stopped by this event, and its registers were not asked for yet. If
 * it wanted to read the clock, it has, and is behind the instruction. */
bool eng_tsc_read(const struct eng_event *event, uint64_t *readings);

#endif
