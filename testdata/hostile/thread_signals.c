/* Signals sent to one thread by another.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sched.h>

static volatile sig_atomic_t heard;

static void on_signal(int number)
{
	(void)number;
	heard++;
}

static void *listen(void *arg)
{
	sigset_t none;
	sigemptyset(&none);
	while (heard < 10)
		sched_yield();
	(void)none;
	return arg;
}

int main(void)
{
	pthread_t thread;
	signal(SIGUSR1, on_signal);
	pthread_create(&thread, NULL, listen, NULL);
	for (int i = 0; i < 10; i++) {
		int before = heard;
		pthread_kill(thread, SIGUSR1);
		while (heard == before)
			sched_yield();
	}
	pthread_join(thread, NULL);
	printf("%d\n", (int)heard);
	return 0;
}
