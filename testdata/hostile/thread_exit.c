/* A thread calls exit while the others wait.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *leave(void *arg)
{
	printf("leaving\n");
	exit(9);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, leave, NULL);
	for (;;)
		pause();
}
