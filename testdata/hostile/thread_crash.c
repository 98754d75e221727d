/* A thread dereferences NULL.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *crash(void *arg)
{
	return *(void *volatile *)arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, crash, NULL);
	pthread_join(thread, NULL);
	return 1;
}
