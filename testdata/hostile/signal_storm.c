/* Handlers that nest: each signal raises the next one from within its handler. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int depth, deepest, count;

static void on_signal(int number)
{
	count++;
	depth++;
	if (depth > deepest)
		deepest = depth;
	if (number < SIGRTMIN + 12)
		raise(number + 1);
	depth--;
}

int main(void)
{
	for (int number = SIGRTMIN; number <= SIGRTMIN + 12; number++)
		signal(number, on_signal);
	raise(SIGRTMIN);
	printf("%d %d\n", count, deepest);
	return 0;
}
