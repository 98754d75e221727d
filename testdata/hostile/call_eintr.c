/* System calls that last: a stop must not show as EINTR. */
#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int ends[2], got;
	char byte = 0;
	if (pipe(ends))
		return 1;
	if (!fork()) {
		usleep(30000);
		(void)!write(ends[1], "ab", 2);
		_exit(0);
	}
	struct pollfd ready = {ends[0], POLLIN, 0};
	got = poll(&ready, 1, 5000);
	printf("%d %d\n", got, ready.revents);
	got = (int)read(ends[0], &byte, 1);
	printf("%d %c\n", got, byte);
	got = nanosleep(&(struct timespec){0, 20000000}, NULL);
	printf("%d %d\n", got, got ? errno : 0);
	printf("%d\n", waitpid(-1, NULL, 0) > 0);
	return 0;
}
