/* pthread_atfork handlers and exit handlers in the child.
 * build: -pthread
 */
#include <pthread.h>
#include <sys/wait.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int before, after;

static void prepare(void)
{
	before++;
}

static void in_child(void)
{
	after += 10;
}

static void at_end(void)
{
	printf("%d %d\n", before, after);
	fflush(stdout);
}

int main(void)
{
	pthread_atfork(prepare, NULL, in_child);
	atexit(at_end);
	if (!fork())
		exit(0);
	wait(NULL);
	return 0;
}
