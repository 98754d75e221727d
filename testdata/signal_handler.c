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
	signal(SIGUSR1, on_signal);
	signal(SIGALRM, on_signal);
	raise(SIGUSR1);
	ualarm(20000, 0);
	while (seen < 11)
		pause();
	return seen;
}
