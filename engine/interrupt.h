/* interrupt.h - ends a run from outside: the user's ^C, a kill, or the clock.
 *
 * The handler kills the program through its pidfd, which can never hit somebody else's process;
 * the wait that the tracer sits in then returns, and the reason can be asked for.
 *
 * A job of several runs holds the signals from its beginning to its end, so that it can end in good
 * order between two runs as well: a run that is begun after the signal ends at once. */
#ifndef ENG_INTERRUPT_H
#define ENG_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM, SIGHUP, and SIGALRM after `seconds` (0: never) kill pidfd. */
void eng_interrupt_arm(int pidfd, double seconds);
/* The signal that ended the run, SIGALRM for the clock, 0 if none did. */
int eng_interrupt_signal(void);
/* Whether the user wants everything to end: a signal came that is not the clock's, which is one
 * run's only. */
bool eng_interrupt_is_wish(void);
/* How many seconds ago it came; 0 if none did. */
double eng_interrupt_age(void);
/* Kills a program by its pidfd. */
void eng_interrupt_kill(int pidfd);
/* Ends the run as if `signal` had come. */
void eng_interrupt_raise(int signal);
/* Default handlers again, unless they are held. What was interrupted stays so until the next arm.
 */
void eng_interrupt_disarm(void);

/* From now on the signals are caught between runs, too, and remembered from run to run; so is
 * SIGPIPE. */
void eng_interrupt_hold(void);
/* Default handlers again. eng_interrupt_signal() still says what came. */
void eng_interrupt_release(void);

#endif
