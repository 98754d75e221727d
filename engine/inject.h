/* inject.h - has the program make a system call for us, unnoticed.
 *
 * The followed thread must be in a stop between two instructions, not inside a system call. Its
 * registers, its signal mask and its code are afterwards what they were. */
#ifndef ENG_INJECT_H
#define ENG_INJECT_H

#include "engine/process.h"

/* Maps [lo, lo + size) readable and executable, anonymous and private, if nothing is there yet.
 * `at` is code of the program, two bytes of which are borrowed. *mapped is false if the program
 * could not, or must not be made to, or has ended; *signal is what came meanwhile and is still to
 * be delivered, and left alone if nothing did. */
XS_MUST_CHECK struct xs_error *eng_inject_mmap(struct eng_process *process, xs_addr at, xs_addr lo,
	size_t size, int *signal, bool *mapped);
/* Moves what is mapped at [lo, lo + size) to `to`; see there. */
XS_MUST_CHECK struct xs_error *eng_inject_mremap(struct eng_process *process, xs_addr at,
	xs_addr lo, size_t size, xs_addr to, int *signal, bool *moved);
/* Moves the end of the data segment, where malloc() begins, up by `size`; see there. A program that
 * cannot have it goes on without. */
XS_MUST_CHECK struct xs_error *eng_inject_brk(
	struct eng_process *process, xs_addr at, size_t size, int *signal);

#endif
