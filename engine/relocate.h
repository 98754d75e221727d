/* relocate.h - moves a program that has just been loaded to another address.
 *
 * The kernel puts a position-independent program at one address when it does not choose at random,
 * and a choice at random would be another one in each run. The dynamic linker has not seen the
 * program yet: it learns from the auxiliary vector where that is, and goes on from there. */
#ifndef ENG_RELOCATE_H
#define ENG_RELOCATE_H

#include "engine/process.h"

/* The process is in its stop after exec. A program that has a fixed address, or no dynamic linker,
 * stays where it is. moved: to which place, from 1. */
XS_MUST_CHECK struct xs_error *eng_relocate(struct eng_process *process, unsigned moved);

#endif
