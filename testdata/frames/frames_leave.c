/* Ways to leave and to come back that are no returns: longjmp over several calls, callbacks out of
 * library code that leave by longjmp, exit handlers, a thread that runs freely, an indirect tail
 * call into the library. All frames are right: no violation.
 * build: -pthread
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static int calls;

__attribute__((noinline)) static int down(int depth, int *array)
{
	int local[4] = {depth, array[0], calls, 1};
	calls++;
	if (!depth)
		longjmp(back, 7);
	return down(depth - 1, local) + local[3];
}

static int compare(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;
	calls++;
	return (left > right) - (left < right);
}

static int compare_and_leave(const void *a, const void *b)
{
	if (++calls % 5 == 0)
		longjmp(back, 9);
	return compare(a, b);
}

static void at_exit(void)
{
	calls += compare(&calls, &calls);
}

static void *run(void *argument)
{
	int numbers[] = {3, 1, 2};
	qsort(numbers, 3, sizeof *numbers, compare);
	return argument;
}

/* Ends in a jump to what the library has. */
__attribute__((noinline)) static size_t measure(size_t (*how)(const char *), const char *text)
{
	calls++;
	return how(text);
}

__attribute__((noinline)) static int attempt(int which)
{
	int numbers[] = {9, 4, 7, 1, 8, 2, 6, 3};
	volatile int before = which;
	int code = setjmp(back);
	if (code)
		return code + before;
	if (which)
		qsort(numbers, 8, sizeof *numbers, compare_and_leave);
	else
		down(5, numbers);
	return 0;
}

int main(void)
{
	int numbers[] = {5, 2, 8, 1};
	pthread_t thread;
	atexit(at_exit);
	qsort(numbers, 4, sizeof *numbers, compare);
	int sum = attempt(0) + attempt(1) + (int)measure(strlen, "four");
	if (!pthread_create(&thread, NULL, run, NULL))
		pthread_join(thread, NULL);
	qsort(numbers, 4, sizeof *numbers, compare);
	exit(sum == 7 + 10 + 4 ? 0 : 1);
}
