/* vfork and exec of a shell. */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int status;
	pid_t child = vfork();
	if (!child) {
		execl("/bin/sh", "sh", "-c", "echo shell; exit 7", (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
