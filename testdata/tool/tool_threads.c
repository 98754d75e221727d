/* Threads that wait for each other in every way; argv[1] says which. For --threads all: none of it
 * may hang, whatever the schedule, and all of it is deterministic if one thread runs at a time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 3, ROUNDS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static atomic_int flag, turns;
static int queue[ROUNDS], filled, total;
static __thread int mine;

static void *producer(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		queue[filled++] = i + *(int *)argument;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *consumer(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		while (!filled)
			pthread_cond_wait(&changed, &lock);
		total += queue[--filled] * *(int *)argument;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static int queueing(void)
{
	pthread_t threads[2];
	int ten = 10, two = 2;
	pthread_create(&threads[0], NULL, consumer, &two);
	pthread_create(&threads[1], NULL, producer, &ten);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return total;
}

static void *meet(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		mine += i + (int)(long)argument;
		pthread_barrier_wait(&barrier);
		if (!pthread_mutex_trylock(&lock)) {
			total += mine;
			pthread_mutex_unlock(&lock);
		}
	}
	return (void *)(long)mine;
}

static int meeting(void)
{
	pthread_t threads[WORKERS];
	int sum = 0;
	pthread_barrier_init(&barrier, NULL, WORKERS);
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, meet, (void *)i);
	for (int i = 0; i < WORKERS; i++) {
		void *result;
		pthread_join(threads[i], &result);
		sum += (int)(long)result;
	}
	return sum + total;
}

/* Waits without sleeping, in code of its own. */
static void *raise_flag(void *argument)
{
	(void)argument;
	while (atomic_load(&flag) != 1)
		;
	atomic_store(&flag, 2);
	return NULL;
}

static int spinning(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, raise_flag, NULL);
	atomic_store(&flag, 1);
	while (atomic_load(&flag) != 2)
		;
	pthread_join(thread, NULL);
	return 3;
}

static void *take_turns(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (atomic_load(&turns) % 2 != (int)(long)argument)
			sched_yield();
		atomic_fetch_add(&turns, 1);
	}
	return NULL;
}

static int yielding(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, take_turns, (void *)1);
	take_turns((void *)0);
	pthread_join(thread, NULL);
	return atomic_load(&turns);
}

static pthread_spinlock_t spin;

static void *wait_inside(void *argument)
{
	pthread_spin_lock(&spin);
	*(int *)argument += 1;
	pthread_spin_unlock(&spin);
	return NULL;
}

/* Another one waits without sleeping, in code of the library, for what this one does later. */
static int holding(void)
{
	pthread_t thread;
	int value = 5;
	struct timespec short_time = {.tv_nsec = 1000000};
	pthread_spin_init(&spin, 0);
	pthread_spin_lock(&spin);
	pthread_create(&thread, NULL, wait_inside, &value);
	nanosleep(&short_time, NULL);
	pthread_spin_unlock(&spin);
	pthread_join(thread, NULL);
	return value;
}

/* A thread that makes a thread, and a child. */
static void *inner(void *argument)
{
	*(int *)argument += 1;
	pid_t child = fork();
	if (!child)
		_exit(4);
	int status;
	waitpid(child, &status, 0);
	*(int *)argument += WEXITSTATUS(status);
	return NULL;
}

static void *outer(void *argument)
{
	pthread_t thread;
	pthread_create(&thread, NULL, inner, argument);
	pthread_join(thread, NULL);
	return NULL;
}

static int nesting(void)
{
	pthread_t thread;
	int value = 2;
	pthread_create(&thread, NULL, outer, &value);
	pthread_join(thread, NULL);
	return value + system("exit 0");
}

static void on_signal(int number)
{
	atomic_store(&flag, number);
}

static void *sleeper(void *argument)
{
	(void)argument;
	sigset_t none;
	sigemptyset(&none);
	while (!atomic_load(&flag))
		sigsuspend(&none);
	return NULL;
}

static int signalling(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t user;
	pthread_t thread;
	sigemptyset(&user);
	sigaddset(&user, SIGUSR1);
	sigprocmask(SIG_BLOCK, &user, NULL);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, sleeper, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return atomic_load(&flag);
}

static void *last(void *argument)
{
	pthread_t first;
	memcpy(&first, argument, sizeof first);
	pthread_join(first, NULL);
	exit(7);
}

/* The first thread ends before the program does. */
static int leaving(void)
{
	static pthread_t self;
	pthread_t thread;
	self = pthread_self();
	pthread_create(&thread, NULL, last, &self);
	pthread_exit(NULL);
}

static void *become(void *argument)
{
	(void)argument;
	execl("/bin/sh", "sh", "-c", "exit 9", (char *)0);
	return NULL;
}

static int becoming(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, become, NULL);
	pthread_join(thread, NULL);
	return 1;
}

static void *forever(void *argument)
{
	(void)argument;
	for (;;)
		pause();
}

/* Threads that sleep, and one that is detached, when the program ends. */
static int abandoning(void)
{
	pthread_t thread;
	struct timespec short_time = {.tv_nsec = 1000000};
	pthread_create(&thread, NULL, forever, NULL);
	pthread_detach(thread);
	pthread_create(&thread, NULL, forever, NULL);
	nanosleep(&short_time, NULL);
	return 5;
}

/* One that was there before the trace began: it is not the first. */
static sem_t begun;
static pthread_t early_thread;

static void *early(void *argument)
{
	sem_wait(&begun);
	return argument;
}

__attribute__((constructor)) static void prepare(void)
{
	if (!getenv("EARLY"))
		return;
	sem_init(&begun, 0, 0);
	pthread_create(&early_thread, NULL, early, (void *)6);
}

static int adopting(void)
{
	void *result = NULL;
	sem_post(&begun);
	if (getenv("EARLY"))
		pthread_join(early_thread, &result);
	return (int)(long)result;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = {{"queueing", queueing}, {"meeting", meeting}, {"spinning", spinning},
		{"yielding", yielding}, {"holding", holding}, {"nesting", nesting},
		{"signalling", signalling}, {"leaving", leaving}, {"becoming", becoming},
		{"abandoning", abandoning}, {"adopting", adopting}};
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	return 100;
}
