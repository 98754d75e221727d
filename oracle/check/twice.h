/* twice.h - the functions of a program that call one that may return twice: setjmp(), vfork(), ...
 *
 * After the second return, locals of the caller that were changed since the first one have no
 * certain value, unless they are volatile (C11, 7.13.2.1p3): optimised code has the old one of
 * those in registers, and the new one of those in memory. What the program then does with them,
 * and which lines it goes by, is its own doing, and no debug information is wrong for it.
 *
 * Rules:
 * 1. Functions that return twice are known by name, as compilers know them.
 * 2. __builtin_setjmp() is no call. Unoptimised code has it where, in one function, the frame
 *    pointer and the stack pointer are stored, and the address of a place in the function is
 *    made. */
#ifndef ORA_TWICE_H
#define ORA_TWICE_H

#include "dwarf/module.h"

/* Tells the name of each of these functions, some more than once. The module is that of the
 * unoptimised program, in which no call was inlined. */
void ora_twice_find(
	struct di_module *module, void (*on_function)(void *arg, const char *name), void *arg);

#endif
