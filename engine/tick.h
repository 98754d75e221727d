/* tick.h - waiting for a program that may run for long, with a word in between.
 *
 * While ticks come, a system call of this thread that blocks ends with EINTR every now and then.
 * So they come only inside of eng_tick_wait(). */
#ifndef ENG_TICK_H
#define ENG_TICK_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct eng_tick {
	void (*on_tick)(void *context); /* several times a second; NULL: nobody asks */
	void *context;                  /* passed to it */
	bool made;                      /* whether there is a timer */
	timer_t timer;
};

/* If there can be no timer, no tick comes. */
void eng_tick_begin(struct eng_tick *tick, void (*on_tick)(void *context), void *context);
void eng_tick_end(struct eng_tick *tick);
/* waitpid() for anybody. */
pid_t eng_tick_wait(const struct eng_tick *tick, int *status);

#endif
