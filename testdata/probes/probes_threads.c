/* For xstep check probes: while a second thread lives there are no traps in memory, which it could run into. */
#include <pthread.h>
#include <stdio.h>
#include <sys/sdt.h>

static void *work(void *arg)
{
	int *sum = arg;
	for (int i = 0; i < 1000; i++) {
		*sum += i;
		DTRACE_PROBE1(xstep, p1__i, i);
	}
	return NULL;
}

int main(void)
{
	int sum = 0, before = 1, after;
	pthread_t thread;
	DTRACE_PROBE1(xstep, p2__before, before);
	pthread_create(&thread, NULL, work, &sum);
	pthread_join(thread, NULL);
	after = sum + before;
	DTRACE_PROBE1(xstep, p3__after, after);
	printf("%d\n", after);
	return 0;
}
