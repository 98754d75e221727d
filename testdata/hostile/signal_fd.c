/* Signals that are read from a descriptor. */
#include <sys/signalfd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	sigset_t set;
	struct signalfd_siginfo info;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, 0);
	kill(getpid(), SIGUSR2);
	kill(getpid(), SIGUSR1);
	for (int i = 0; i < 2; i++)
		if (read(fd, &info, sizeof info) == sizeof info)
			printf("%u\n", info.ssi_signo);
	return 0;
}
