/* Handlers are entered: from the program's code (raise), and while it waits in the library.
 * end: main returned; exited with status 11
 * functions: main on_signal
 */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void on_signal(int number)
{
	seen += number == SIGUSR1 ? 1 : 10;
}

int main(void)
{
	sigset_t alarm, none;
	sigemptyset(&none);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	signal(SIGUSR1, on_signal);
	signal(SIGALRM, on_signal);
	raise(SIGUSR1);
	sigprocmask(SIG_BLOCK, &alarm, NULL); /* else it may come just before the wait */
	ualarm(20000, 0);
	while (seen < 11)
		sigsuspend(&none);
	return seen;
}
