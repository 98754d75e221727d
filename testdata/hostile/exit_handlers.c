/* exit in an exit handler; a handler that adds handlers; _exit in the last. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void last(void)
{
	printf("last\n");
	fflush(stdout);
	_exit(8);
}

static void second(void)
{
	printf("second\n");
	atexit(last);
	exit(4);
}

int main(void)
{
	atexit(second);
	printf("main\n");
	return 2;
}
