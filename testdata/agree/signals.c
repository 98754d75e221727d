#include <signal.h>
static volatile sig_atomic_t got;
static void on_signal(int number) { got = number; }
int main(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	int seen = got;
	return seen != SIGUSR1;
}
