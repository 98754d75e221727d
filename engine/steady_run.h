/* steady_run.h - the program gets the same answers in every run: the time, its process number,
 * random bytes.
 *
 * A filter of the kernel's (seccomp) hands the system calls that ask for such things to a thread of
 * xstep's, which answers them. It does not depend on ptrace, so that it is the same for a program
 * that xstep holds and for one that a debugger holds: a debugger's filter is inherited by what it
 * starts.
 *
 * Rules:
 * 1. Only processes whose executable is the subject get our answers. All others, the debugger and
 *    what the program runs in turn, get the kernel's.
 * 2. The clock begins at a fixed instant and moves by a fixed step with each question, so that who
 *    waits for it comes to an end. All clocks are of one mind. Sleeping moves it by what was slept.
 * 3. The first process of the subject has the number ENG_STEADY_PID, which no process can have,
 *    while it has one thread. Where it sends a signal to that number, we send it. Processes that it
 *    forks, and further threads, keep their real numbers: the program has them from the kernel
 *    already.
 * 4. Nothing fails for want of this. What cannot be had is said.
 * 5. What the program leaves running when xstep is done gets the kernel's answers from then on.
 *
 * Who starts the program calls eng_steady_create(), forks, and then eng_steady_enter() in the child
 * and eng_steady_begin() in the parent. The C library must not find the vDSO, or it does not ask
 * the kernel for the time: eng_process_create() and the drivers see to that. */
#ifndef ENG_STEADY_RUN_H
#define ENG_STEADY_RUN_H

#include <stdint.h>
#include <sys/types.h>

#include "engine/event.h"

struct eng_steady;

/* For a program whose executable is at path. */
XS_MUST_CHECK struct xs_error *eng_steady_create(const char *path, struct eng_steady **ret);
/* In the child, right before it execs: from here on its questions are answered. It may be called
 * where only async-signal-safe functions may. */
void eng_steady_enter(const struct eng_steady *steady);
/* In the parent, the child having been told to go on: begins to answer. */
void eng_steady_begin(struct eng_steady *steady);
/* Whether the program's questions are answered; else that was said. */
bool eng_steady_works(const struct eng_steady *steady);
/* Whether this system call, being answered by us, only looks as if the thread slept. */
bool eng_steady_answers(const struct eng_steady *steady, long number);
/* A thread of the program was stopped by this event. If that is a signal that we sent for it, it is
 * to look as if the program had. */
void eng_steady_sign(const struct eng_event *event);
/* Says what could not be pinned, and lets go. Harmless on NULL. */
void eng_steady_destroy(struct eng_steady *steady);
XS_DEFINE_CLEANUP(eng_steady);

#endif
