/* Blocked signals pile up and are delivered together, in their order. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char order[16];
static int count;

static void on_signal(int number)
{
	order[count++] = (char)('a' + number - SIGRTMIN);
}

int main(void)
{
	sigset_t all, before;
	for (int i = 0; i < 5; i++)
		signal(SIGRTMIN + i, on_signal);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	for (int i = 4; i >= 0; i--)
		kill(getpid(), SIGRTMIN + i);
	printf("%d\n", count);
	sigprocmask(SIG_SETMASK, &before, NULL);
	printf("%s\n", order);
	return 0;
}
