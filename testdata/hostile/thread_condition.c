/* Two threads that take turns by a condition variable.
 * build: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn, sum;

static void *play(void *arg)
{
	int mine = *(int *)arg;
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&lock);
		while (turn != mine)
			pthread_cond_wait(&turned, &lock);
		sum = sum * 3 % 1000 + mine;
		turn = !turn;
		pthread_cond_signal(&turned);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int numbers[2] = {0, 1};
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, play, &numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", sum);
	return 0;
}
