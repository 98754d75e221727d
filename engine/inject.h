/* inject.h - has the program make a system call for us, unnoticed.
 *
 * The followed thread must be in a stop between two instructions, not inside a system call. Its
 * registers, its signal mask and its code are afterwards what they were. */
#ifndef ENG_INJECT_H
#define ENG_INJECT_H

#include "engine/process.h"

/* A system call with its arguments, and what it answered. */
struct eng_inject_call {
	uint64_t number, arguments[6];
	uint64_t answer;
};
/* Has the program make a call. `at` is code of the program, two bytes of which are borrowed. *made
 * is false if the program could not, or must not be made to, or has ended; *signal is what came
 * meanwhile and is still to be delivered, and left alone if nothing did. */
XS_MUST_CHECK struct xs_error *eng_inject(struct eng_process *process, xs_addr at,
	struct eng_inject_call *call, int *signal, bool *made);
/* Moves what is mapped at [lo, lo + size) to `to`; see there. */
XS_MUST_CHECK struct xs_error *eng_inject_mremap(struct eng_process *process, xs_addr at,
	xs_addr lo, size_t size, xs_addr to, int *signal, bool *moved);
/* Moves the end of the data segment, where malloc() begins, up by `size`; see there. A program that
 * cannot have it goes on without. */
XS_MUST_CHECK struct xs_error *eng_inject_brk(
	struct eng_process *process, xs_addr at, size_t size, int *signal);

#endif
