/* A timer that goes off all the time while the program computes. */
#include <sys/time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void on_alarm(int number)
{
	(void)number;
	ticks++;
}

int main(void)
{
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	unsigned long sum = 0;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (unsigned long i = 0; i < 3000 || ticks < 3; i++)
		sum += i < 3000 ? i : 0;
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%lu\n", sum);
	return 0;
}
