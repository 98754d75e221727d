/* Little of the processor is allowed: SIGXCPU comes, is handled once, and SIGKILL follows. */
#include <sys/resource.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void on_signal(int number)
{
	(void)number;
	(void)!write(1, "enough\n", 7);
	_exit(5);
}

int main(void)
{
	setrlimit(RLIMIT_CPU, &(struct rlimit){1, 2});
	signal(SIGXCPU, on_signal);
	for (volatile unsigned long i = 0;; i++)
		getenv("NOTHING");
}
