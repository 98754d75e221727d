/* For xstep check probes: what happens to a program around its probes. It forks before one, so that the child runs
 * over it; has a trap of its own, with a handler; gets a signal; and with `exec` becomes itself once more in the end.
 * Prints what it always prints, and exits with status 3. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t traps, users;

static void on_signal(int number)
{
	int local = number;
	DTRACE_PROBE1(xstep, p1__local, local);
	if (number == SIGTRAP)
		traps++;
	else
		users++;
}

static int twice(int value)
{
	int result = 2 * value;
	DTRACE_PROBE2(xstep, p2__value__result, value, result);
	return result;
}

int main(int argc, char **argv)
{
	int status = 0;
	signal(SIGTRAP, on_signal);
	signal(SIGUSR1, on_signal);
	pid_t child = fork();
	if (!child)
		_exit(twice(20));
	waitpid(child, &status, 0);
	__asm__ volatile("int3");
	raise(SIGUSR1);
	printf("%d %d %d %d\n", WEXITSTATUS(status), twice(4), (int)traps, (int)users);
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "exec"))
		execl(argv[0], argv[0], "again", (char *)NULL);
	return 3;
}
