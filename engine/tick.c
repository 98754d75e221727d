#include "engine/tick.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PERIOD 100000000L /* nanoseconds */

static void on_signal(int signal)
{
	(void)signal;
}

void eng_tick_begin(struct eng_tick *tick, void (*on_tick)(void *context), void *context)
{
	struct sigaction action = {
		.sa_handler = on_signal}; /* no SA_RESTART: it is to be noticed */
	struct sigevent event;
	memset(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGRTMIN;
	event._sigev_un._tid = gettid(); /* the C library has no other name for it */
	tick->on_tick = on_tick;
	tick->context = context;
	tick->made = sigaction(SIGRTMIN, &action, NULL) == 0 &&
		     timer_create(CLOCK_MONOTONIC, &event, &tick->timer) == 0;
}

void eng_tick_end(struct eng_tick *tick)
{
	if (tick->made)
		timer_delete(tick->timer);
	tick->made = false;
}

static void set(const struct eng_tick *tick, long period)
{
	struct itimerspec every = {.it_value.tv_nsec = period, .it_interval.tv_nsec = period};
	timer_settime(tick->timer, 0, &every, NULL);
}

pid_t eng_tick_wait(const struct eng_tick *tick, int *status)
{
	if (!tick->made)
		return waitpid(-1, status, __WALL);
	set(tick, PERIOD);
	pid_t ret;
	while ((ret = waitpid(-1, status, __WALL)) < 0 && errno == EINTR)
		tick->on_tick(tick->context);
	int saved = errno;
	set(tick, 0);
	errno = saved;
	return ret;
}
