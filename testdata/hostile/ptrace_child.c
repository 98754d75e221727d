/* It traces a child of its own, step by step. */
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int status, steps = 0;
	pid_t child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		_exit(7);
	}
	waitpid(child, &status, 0);
	while (WIFSTOPPED(status)) {
		if (steps++ == 40)
			ptrace(PTRACE_CONT, child, 0, 0);
		else if (ptrace(steps < 40 ? PTRACE_SINGLESTEP : PTRACE_CONT, child, 0, 0))
			break;
		waitpid(child, &status, 0);
	}
	printf("%d %d\n", steps > 5, WEXITSTATUS(status));
	return 0;
}
