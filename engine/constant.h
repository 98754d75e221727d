/* constant.h - what the kernel chooses at random, made the same in every run.
 *
 * Without address space randomisation, two random things are left that a trace can show:
 * 1. The 16 bytes that AT_RANDOM points to. The C library makes its stack protector's canary and
 *    the mangling of setjmp's registers from them.
 * 2. The key that glibc's malloc asks getrandom() for when it is first called. free() leaves it in
 *    a register and in the freed block. To see that call, the program's system calls are stopped at
 *    until it has come, or so many others that it is not going to.
 *
 * Any other getrandom() is the program's own question, as is that for the time or for its process
 * number. The answers stay what they are, unless the program is to get steady ones
 * (steady_run.h). */
#ifndef ENG_CONSTANT_H
#define ENG_CONSTANT_H

#include "engine/tracee.h"

/* What AT_RANDOM points to in every run. */
extern const uint8_t eng_constant_random[16];
/* And in every run that is moved (launch.h): what depends on them differs from the others. */
extern const uint8_t eng_constant_moved[16];

enum { ENG_CONSTANT_CALLS = 2000 }; /* system calls that may come before malloc's */

/* The program is stopped after exec: what the kernel has put on its stack is made constant. Without
 * the vDSO the program asks the kernel for the time. */
XS_MUST_CHECK struct xs_error *eng_constant_stack(
	struct eng_tracee *tracee, bool moved, bool without_vdso);

/* A program that was moved (relocate.h): the entries that tell where it is. */
XS_MUST_CHECK struct xs_error *eng_constant_moved_by(struct eng_tracee *tracee, uint64_t by);
/* By how much the value of an entry moves with it. */
uint64_t eng_constant_shift(uint64_t type, uint64_t by);

/* Whether the thread has just made malloc's call: it is stopped at the end of it, or one step
 * later. If so, what it was given is replaced, and *found set. */
XS_MUST_CHECK struct xs_error *eng_constant_key(struct eng_tracee *tracee, bool *found);

#endif
