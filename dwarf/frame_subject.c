/* What frame_test steps through, compiled several times: every shape of frame that compilers make.
 * NAME(x) gives each copy its own names. */
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dwarf/frame_subject.h"

#define PASTE(a, b)  a##_##b
#define PASTED(a, b) PASTE(a, b)
#define NAME(x)      PASTED(x, VARIANT)
#define OWN          static __attribute__((noinline))

static volatile int sink;

/* A leaf, which may use the red zone. */
OWN int leaf(int a, int b)
{
	volatile int local = a * 3;
	return local + b;
}

/* Keeps many values across calls: pushes and pops every preserved register. */
OWN int crowded(int a)
{
	int b = leaf(a, 1), c = leaf(b, a), d = leaf(c, b), e = leaf(d, c), f = leaf(e, d);
	int g = leaf(f, e);
	return leaf(a, b) + leaf(c, d) + leaf(e, f) + g + a;
}

/* Returns early: the compiler remembers and restores the rules. */
OWN int early(int a)
{
	if (a == 0)
		return 1;
	if (a > 100)
		return leaf(a, 2) + crowded(a);
	int b = leaf(a, 3);
	return b + early(a - 1);
}

/* Aligns the stack, so that the CFA needs more than a register and an offset. */
OWN int aligned(int a)
{
	_Alignas(64) volatile char line[64];
	memset((void *)line, a, sizeof line);
	return leaf(line[3], a);
}

/* The frame's size is known at run time only. */
OWN int dynamic(unsigned size)
{
	volatile char array[size];
	array[size - 1] = 7;
	return leaf(array[size - 1], (int)size);
}

OWN int variadic(int count, ...)
{
	va_list args;
	int sum = 0;
	va_start(args, count);
	for (int i = 0; i < count; i++)
		sum += va_arg(args, int);
	va_end(args);
	return leaf(sum, count);
}

/* Arguments on the stack, pushed and popped around the call. */
OWN int many(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
	return leaf(a + b + c, d + e + f) + leaf(g, h + i);
}

OWN int compare(const void *a, const void *b)
{
	return leaf(*(const int *)a, 0) - leaf(*(const int *)b, 0);
}

OWN void handler(int signal)
{
	sink = crowded(signal);
}

int NAME(subject)(int a)
{
	int numbers[] = {3, 1, 2, 5, 4};
	struct sigaction action = {.sa_handler = handler};
	int sum = crowded(a) + early(3) + early(200) + aligned(a) + dynamic(100) + dynamic(5000);
	sum += variadic(3, a, sum, 5) + many(1, 2, 3, 4, 5, 6, 7, 8, a);
	qsort(numbers, 5, sizeof *numbers, compare);
	sigaction(SIGUSR1, &action, NULL);
	kill(getpid(), SIGUSR1);
	return sum + numbers[2];
}

int NAME(subject_call)(int (*function)(int), int a)
{
	volatile int kept = a;
	return function(a) + kept;
}
