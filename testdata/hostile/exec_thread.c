/* A thread that is not the first becomes another program.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *become(void *arg)
{
	execl("/bin/sh", "sh", "-c", "echo became; exit 4", (char *)NULL);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, become, NULL);
	pthread_join(thread, NULL);
	return 1;
}
