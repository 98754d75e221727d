/* SIGKILL to itself: nothing more is said. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("last words\n");
	kill(getpid(), SIGKILL);
	return 1;
}
