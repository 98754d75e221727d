/* It stops itself; a child sends SIGCONT when it has seen that. */
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t continued;

static void on_continue(int number)
{
	(void)number;
	continued++;
}

int main(void)
{
	pid_t self = getpid();
	signal(SIGCONT, on_continue);
	if (!fork()) {
		for (int i = 0; i < 30; i++) {
			usleep(10000);
			kill(self, SIGCONT);
		}
		_exit(0);
	}
	raise(SIGSTOP);
	wait(NULL);
	printf("%d\n", continued > 0);
	return 0;
}
