/* Threads come and go while others compute.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int table[64];

static void *work(void *arg)
{
	int *cell = arg, sum = 0;
	for (int i = 0; i < 200; i++)
		sum += i % 5;
	*cell = sum;
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	long total = 0;
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&threads[i], NULL, work, &table[round * 8 + i]);
		for (int i = 0; i < 8; i++)
			pthread_join(threads[i], NULL);
	}
	for (int i = 0; i < 64; i++)
		total += table[i];
	printf("%ld\n", total);
	return 0;
}
