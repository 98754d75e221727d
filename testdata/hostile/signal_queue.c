/* Queued real-time signals keep their values and their order. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int values[64], count;

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	values[count++ % 64] = info->si_value.sival_int;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	sigset_t set;
	sigaction(SIGRTMIN + 3, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 40; i++)
		sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = i * i});
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("%d %d %d\n", count, values[1], values[39]);
	return 0;
}
