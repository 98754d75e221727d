/* The first thread ends; the other one ends the process.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *last(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	printf("alone\n");
	exit(6);
}

int main(void)
{
	static pthread_t self;
	pthread_t thread;
	self = pthread_self();
	pthread_create(&thread, NULL, last, &self);
	pthread_exit(NULL);
}
