/* Children that nobody waits for, and SIGCHLD for each. */
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t heard;

static void on_child(int number)
{
	(void)number;
	heard = 1;
}

int main(void)
{
	signal(SIGCHLD, on_child);
	for (int i = 0; i < 10; i++)
		if (!fork())
			_exit(i);
	int ended = 0;
	siginfo_t info;
	for (; ended < 9; ended++)
		if (waitid(P_ALL, 0, &info, WEXITED) < 0)
			ended--;
	printf("%d %d\n", ended, (int)heard);
	return 0;
}
