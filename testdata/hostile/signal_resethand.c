/* A handler that is taken away when it is called: the second signal kills. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void on_signal(int number)
{
	char text[] = "once\n";
	(void)number;
	(void)!write(1, text, sizeof text - 1);
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	raise(SIGUSR1);
	return 3;
}
