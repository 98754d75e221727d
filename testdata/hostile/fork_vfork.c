/* vfork: the child runs in the parent's memory, and on its stack. */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int shared;

int main(void)
{
	for (int i = 0; i < 3; i++) {
		int status;
		pid_t child = vfork();
		if (!child) {
			shared += 5;
			_exit(i);
		}
		waitpid(child, &status, 0);
		printf("%d %d\n", shared, WEXITSTATUS(status));
		fflush(stdout);
	}
	return 0;
}
