/* sigwait and sigtimedwait take what is blocked. */
#define _GNU_SOURCE
#include <time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	sigset_t set;
	int number = 0;
	siginfo_t info;
	struct timespec soon = {0, 10000000};
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR1);
	sigwait(&set, &number);
	printf("%d\n", number);
	kill(getpid(), SIGTRAP);
	printf("%d\n", sigtimedwait(&set, &info, &soon));
	printf("%d\n", sigtimedwait(&set, &info, &soon));
	return 0;
}
