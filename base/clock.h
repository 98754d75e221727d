/* clock.h - the time that passes, whatever the clock on the wall is set to. */
#ifndef XS_CLOCK_H
#define XS_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
static inline double xs_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#endif
