/* A futex that nobody wakes, with a time limit; then one that a child wakes. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct timespec soon = {0, 20000000}, late = {20, 0};
	long got = syscall(SYS_futex, word, FUTEX_WAIT, 0, &soon, NULL, 0);
	printf("%ld %d\n", got, errno);
	fflush(stdout);
	if (!fork()) {
		while (!syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0))
			usleep(1000);
		_exit(0);
	}
	got = syscall(SYS_futex, word, FUTEX_WAIT, 0, &late, NULL, 0);
	wait(NULL);
	printf("%ld\n", got);
	return 0;
}
