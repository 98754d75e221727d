/* clone with memory of its parent's, on a stack of its own; clone3. */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int shared;

static int child(void *arg)
{
	shared += *(int *)arg;
	return 3;
}

int main(void)
{
	int five = 5, status;
	char *stack = malloc(65536);
	pid_t pid = clone(child, stack + 65536, CLONE_VM | SIGCHLD, &five);
	waitpid(pid, &status, 0);
	printf("%d %d\n", shared, WEXITSTATUS(status));
	fflush(stdout);
	struct clone_args arguments = {.exit_signal = SIGCHLD};
	long made = syscall(SYS_clone3, &arguments, sizeof arguments);
	if (!made)
		_exit(9);
	waitpid((pid_t)made, &status, 0);
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
