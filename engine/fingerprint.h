/* fingerprint.h - one number for all that a program's next instruction could depend on.
 *
 * Nothing that xstep remembers is believed: registers and memory are asked of the kernel, so that
 * two equal numbers prove that nobody who was let near the process has changed it. It reads all
 * writable memory: for tests and for doubts, not for every run. */
#ifndef ENG_FINGERPRINT_H
#define ENG_FINGERPRINT_H

#include "engine/process.h"

/* Registers (general, x87, SSE, AVX...) of the followed thread, which is stopped, and every byte of
 * memory that the program can write. */
XS_MUST_CHECK struct xs_error *eng_fingerprint(struct eng_process *process, uint64_t *ret);

#endif
