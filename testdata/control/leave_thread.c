/* A second thread runs the program's code while the first, which is traced, waits for it in the
 * library and calls back from there.
 * build: -pthread
 * end: main returned; exited with status 60
 * functions: main by_value
 */
#include <pthread.h>
#include <stdlib.h>

static int total;

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *worker(void *argument)
{
	for (int i = 0; i < 3; i++)
		total += *(int *)argument;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int twenty = 20, v[] = {3, 2, 1};
	pthread_create(&thread, NULL, worker, &twenty);
	qsort(v, 3, sizeof *v, by_value);
	pthread_join(thread, NULL);
	qsort(v, 3, sizeof *v, by_value);
	return total;
}
