/* SIGTRAP, ignored and sent, and sent when it is blocked. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	sigset_t set;
	signal(SIGTRAP, SIG_IGN);
	kill(getpid(), SIGTRAP);
	raise(SIGTRAP);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGTRAP);
	sigpending(&set);
	printf("%d\n", sigismember(&set, SIGTRAP));
	return 0;
}
