/* steady_threads.c - threads that wait for each other and for the clock. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int ready, poked;
static sem_t never;

static void on_poke(int number)
{
	poked += number == SIGUSR1;
}

static struct timespec in(long milliseconds)
{
	struct timespec time;
	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += milliseconds * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static void *signals(void *arg)
{
	(void)arg;
	usleep(20000);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *sleeps(void *arg)
{
	(void)arg;
	while (!poked)
		usleep(1000);
	return NULL;
}

static void *forever(void *arg)
{
	(void)arg;
	for (;;)
		sleep(100);
}

int main(void)
{
	pthread_t one, two, three;
	void *result;
	signal(SIGUSR1, on_poke);
	sem_init(&never, 0, 0);
	pthread_create(&one, NULL, signals, NULL);
	struct timespec late = in(60000);
	int error = 0;
	pthread_mutex_lock(&mutex);
	while (!ready && !error)
		error = pthread_cond_timedwait(&changed, &mutex, &late);
	printf("signalled %s\n", ready && !error ? "ok" : "failed");
	struct timespec soon = in(50);
	error = pthread_cond_timedwait(&changed, &mutex, &soon);
	printf("timed out %s\n", error == ETIMEDOUT ? "ok" : "failed");
	pthread_mutex_unlock(&mutex);
	soon = in(50);
	error = sem_timedwait(&never, &soon) ? errno : 0;
	printf("semaphore %s\n", error == ETIMEDOUT ? "ok" : "failed");
	pthread_join(one, NULL);
	pthread_create(&two, NULL, sleeps, NULL);
	printf("poke %s\n", pthread_kill(two, SIGUSR1) ? "failed" : "ok");
	pthread_join(two, NULL);
	pthread_create(&three, NULL, forever, NULL);
	printf("cancel %s\n", pthread_cancel(three) ? "failed" : "ok");
	pthread_join(three, &result);
	printf("joined %s\n", result == PTHREAD_CANCELED ? "ok" : "failed");
	return 0;
}
