/* It leaves its session: the child goes on and writes when its parent is gone. */
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int done[2];
	char byte;
	if (pipe(done))
		return 1;
	if (!fork()) {
		close(done[0]);
		setsid();
		if (!fork()) {
			printf("%d\n", getsid(0) != getpid());
			fflush(stdout);
			_exit(0);
		}
		_exit(0);
	}
	close(done[1]);
	(void)!read(done[0], &byte, 1); /* until the last has closed it */
	wait(NULL);
	printf("done\n");
	return 0;
}
