/* steady_signals.c - sends itself signals in every way, by its own number. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t came, from_self, value;

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	came += number == SIGUSR1;
	from_self += info->si_pid == getpid();
	value += info->si_value.sival_int;
}

static int check(const char *what, int failed, int wanted)
{
	int ok = !failed && came == wanted;
	printf("%s %s\n", what, ok ? "ok" : "failed");
	return !ok;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	int failed = 0;
	sigaction(SIGUSR1, &action, NULL);
	setvbuf(stdout, NULL, _IONBF, 0);
	failed |= check("raise", raise(SIGUSR1), 1);
	failed |= check("kill", kill(getpid(), SIGUSR1), 2);
	failed |= check("tgkill", (int)syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1), 3);
	failed |= check("pthread_kill", pthread_kill(pthread_self(), SIGUSR1), 4);
	value = 0;
	failed |= check("sigqueue", sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 7}), 5);
	failed |= check("value", value != 7, 5);
	/* Unless others are in its group. */
	failed |= check(
		"group", getpgrp() == getpid() ? kill(-getpgrp(), SIGUSR1) : raise(SIGUSR1), 6);
	failed |= check("probe", kill(getpid(), 0), 6);
	printf("from itself %d\n", from_self);
	if (argc > 1 && !strcmp(argv[1], "abort"))
		abort();
	if (argc > 1 && !strcmp(argv[1], "kill"))
		kill(getpid(), SIGKILL);
	return failed;
}
