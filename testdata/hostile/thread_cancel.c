/* A thread that is cancelled while it sleeps, with a handler for that.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void cleanup(void *arg)
{
	*(int *)arg = 5;
}

static void *sleeper(void *arg)
{
	pthread_cleanup_push(cleanup, arg);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *result;
	int cleaned = 0;
	pthread_create(&thread, NULL, sleeper, &cleaned);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	printf("%d %d\n", cleaned, result == PTHREAD_CANCELED);
	return 0;
}
