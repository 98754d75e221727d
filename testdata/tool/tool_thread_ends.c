/* Programs with threads that end in every way; argv[1] says which. Each writes what it did, and
 * ends by itself with a status or by a signal: for --threads all, both as without xstep. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 200, CALLS = 100, WORKERS = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int channel[2];
static atomic_int count, begun;
static volatile int *volatile nowhere;

static void say(const char *text)
{
	(void)!write(1, text, strlen(text));
}

static pthread_t start(void *(*body)(void *), void *argument)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, body, argument))
		_exit(99);
	return thread;
}

static void *sleep_in_read(void *argument)
{
	char byte;
	(void)!read(channel[0], &byte, 1);
	return argument;
}

static void *sleep_on_lock(void *argument)
{
	pthread_mutex_lock(&lock);
	return argument;
}

/* Others that sleep in the kernel when the program ends. */
static void fill(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 3; i++) {
		start(sleep_in_read, NULL);
		start(sleep_on_lock, NULL);
	}
}

static void *call_exit(void *argument)
{
	say("exit\n");
	exit((int)(long)argument);
}

static int exiting(void)
{
	fill();
	pthread_join(start(call_exit, (void *)9), NULL);
	return 1;
}

static void *call_exit_now(void *argument)
{
	say("exit now\n");
	_exit((int)(long)argument);
}

static int exiting_now(void)
{
	fill();
	pthread_join(start(call_exit_now, (void *)8), NULL);
	return 1;
}

static void *crash(void *argument)
{
	say("crash\n");
	*nowhere = 1;
	return argument;
}

static int crashing(void)
{
	fill();
	pthread_join(start(crash, NULL), NULL);
	return 1;
}

static void *call_abort(void *argument)
{
	say("abort\n");
	abort();
	return argument;
}

static int aborting(void)
{
	fill();
	pthread_join(start(call_abort, NULL), NULL);
	return 1;
}

static void *spin(void *argument)
{
	atomic_fetch_add(&begun, 1);
	for (;;)
		atomic_fetch_add(&count, 1);
	return argument;
}

static void *spin_and_yield(void *argument)
{
	atomic_fetch_add(&begun, 1);
	for (;;)
		sched_yield();
	return argument;
}

static void *spin_in_library(void *argument)
{
	char text[32];
	atomic_fetch_add(&begun, 1);
	for (int i = 0;; i++)
		snprintf(text, sizeof text, "%d", i);
	return argument;
}

/* Others that can go on when the program ends: one in each kind of code, one that has not begun. */
static void *end_among_others(void *argument)
{
	start(spin, NULL);
	start(spin_and_yield, NULL);
	start(spin_in_library, NULL);
	while (atomic_load(&begun) < 4)
		sched_yield();
	start(spin, NULL);
	return strcmp(argument, "exit") ? crash(NULL) : call_exit((void *)9);
}

static int exiting_busy(void)
{
	start(end_among_others, "exit");
	spin(NULL);
	return 1;
}

static int crashing_busy(void)
{
	start(end_among_others, "crash");
	spin(NULL);
	return 1;
}

static void *go_on(void *argument)
{
	pthread_join(*(pthread_t *)argument, NULL);
	say("alone\n");
	return NULL;
}

/* The first thread ends, the last one returns: status 0. */
static int outliving(void)
{
	static pthread_t first;
	first = pthread_self();
	start(go_on, &first);
	pthread_exit(NULL);
}

static void *crash_later(void *argument)
{
	pthread_join(*(pthread_t *)argument, NULL);
	return crash(NULL);
}

static int outliving_to_crash(void)
{
	static pthread_t first;
	first = pthread_self();
	start(crash_later, &first);
	pthread_exit(NULL);
}

static void *become(void *argument)
{
	execl("/bin/sh", "sh", "-c", "echo another; exit 6", (char *)0);
	return argument;
}

static int becoming(void)
{
	fill();
	pthread_join(start(become, NULL), NULL);
	return 1;
}

static void *add_one(void *argument)
{
	atomic_fetch_add(&count, 1);
	sem_post(&ready);
	return argument;
}

static void *start_detached(void *argument)
{
	pthread_detach(start(add_one, NULL));
	return add_one(argument);
}

static int detaching(void)
{
	for (int i = 0; i < WORKERS; i++)
		pthread_detach(start(start_detached, NULL));
	for (int i = 0; i < 2 * WORKERS; i++)
		sem_wait(&ready);
	return atomic_load(&count);
}

static void on_signal(int number)
{
	(void)number;
	atomic_store(&count, (int)syscall(SYS_gettid) - (int)getpid() > 0 ? 2 : 1);
	sem_post(&ready);
}

static int signalling(void)
{
	signal(SIGUSR1, on_signal);
	pthread_t thread = start(sleep_in_read, NULL);
	pthread_kill(thread, SIGUSR1);
	sem_wait(&ready);
	(void)!write(channel[1], "x", 1);
	pthread_join(thread, NULL);
	return atomic_load(&count);
}

static void clean(void *argument)
{
	say(argument);
}

static void *wait_for_end(void *argument)
{
	pthread_cleanup_push(clean, "cleaned\n");
	sleep_in_read(argument);
	pthread_cleanup_pop(0);
	return NULL;
}

static int cancelling(void)
{
	void *result = NULL;
	pthread_t thread = start(wait_for_end, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	return result == PTHREAD_CANCELED ? 4 : 1;
}

static void *die_with_lock(void *argument)
{
	pthread_mutex_lock(argument);
	return NULL;
}

static int inheriting(void)
{
	static pthread_mutex_t robust;
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &kind);
	pthread_join(start(die_with_lock, &robust), NULL);
	if (pthread_mutex_lock(&robust) != EOWNERDEAD)
		return 1;
	pthread_mutex_consistent(&robust);
	return pthread_mutex_unlock(&robust) ? 1 : 3;
}

static void *make_children(void *argument)
{
	int status, sum = 0;
	pid_t child = fork();
	if (!child)
		_exit(5);
	waitpid(child, &status, 0);
	sum += WEXITSTATUS(status);
	child = vfork();
	if (!child) {
		execl("/bin/sh", "sh", "-c", "exit 6", (char *)0);
		_exit(1);
	}
	waitpid(child, &status, 0);
	*(int *)argument = sum + WEXITSTATUS(status);
	return NULL;
}

static int parenting(void)
{
	int sum = 0;
	pthread_join(start(make_children, &sum), NULL);
	return sum;
}

static int crowding(void)
{
	static pthread_t threads[MANY];
	for (int i = 0; i < MANY; i++)
		threads[i] = start(add_one, NULL);
	for (int i = 0; i < MANY; i++)
		pthread_join(threads[i], NULL);
	return atomic_load(&count);
}

/* 200 sleepers, and one that ends them all. */
static int scattering(void)
{
	pthread_attr_t small;
	pthread_t thread;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < MANY; i++)
		pthread_create(&thread, &small, sleep_in_read, NULL);
	pthread_join(start(call_exit, (void *)7), NULL);
	return 1;
}

static void *call_often(void *argument)
{
	for (int i = 0; i < CALLS; i++) {
		free(malloc((size_t)(i + 1)));
		pthread_mutex_lock(&lock);
		*(int *)argument += (int)getppid() != 0;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static int calling(void)
{
	pthread_t threads[WORKERS];
	int sum = 0;
	for (int i = 0; i < WORKERS; i++)
		threads[i] = start(call_often, &sum);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return sum == WORKERS * CALLS ? 2 : 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = {{"exiting", exiting}, {"exiting_now", exiting_now}, {"crashing", crashing},
		{"aborting", aborting}, {"exiting_busy", exiting_busy},
		{"crashing_busy", crashing_busy}, {"outliving", outliving},
		{"outliving_to_crash", outliving_to_crash}, {"becoming", becoming},
		{"detaching", detaching}, {"signalling", signalling}, {"cancelling", cancelling},
		{"inheriting", inheriting}, {"parenting", parenting}, {"crowding", crowding},
		{"scattering", scattering}, {"calling", calling}};
	struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	sem_init(&ready, 0, 0);
	if (pipe(channel))
		return 98;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc == 1)
			puts(ways[i].name);
		else if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	return argc == 1 ? 0 : 100;
}
