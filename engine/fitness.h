/* fitness.h - whether this machine lets xstep do what it does with a process. Each is tried on a
 * child of its own, which is gone afterwards; nothing is guessed from versions or settings. The
 * error says why not, and what to do. */
#ifndef ENG_FITNESS_H
#define ENG_FITNESS_H

#include "base/error.h"

/* A process can be held, stepped, and its code be written to: without this nothing works. */
XS_MUST_CHECK struct xs_error *eng_fitness_ptrace(void);
/* A process can be run without address space randomisation. */
XS_MUST_CHECK struct xs_error *eng_fitness_layout(void);
/* The kernel hands system calls of a process to xstep (seccomp): for --steady. */
XS_MUST_CHECK struct xs_error *eng_fitness_steady(void);

#endif
