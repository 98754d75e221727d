/* calls.c - a bench subject: calls of library code, ROUNDS times in each of argv[1] threads, which
 * ask for memory and take a lock; or as many by the first thread, if argv[2] says so. */
#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum;

static void *work(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		free(malloc((size_t)(i + 1)));
		pthread_mutex_lock(&lock);
		sum++;
		pthread_mutex_unlock(&lock);
	}
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	int count = argc > 1 ? atoi(argv[1]) : 8;
	for (int i = 0; i < count; i++)
		if (argc > 2)
			work(NULL);
		else
			pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; argc == 2 && i < count; i++)
		pthread_join(threads[i], NULL);
	return sum != count * ROUNDS;
}
