/* steady_seed.c - goes a way that the clock, its number and random bytes choose. */
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static unsigned state;

__attribute__((noinline)) static unsigned stir(unsigned seed)
{
	state = state * 1664525u + seed + 1013904223u;
	return state >> 16;
}

__attribute__((noinline)) static int odd(unsigned number)
{
	int steps = 0;
	while (number != 1 && steps < 100) {
		if (number % 2)
			number = 3 * number + 1;
		else
			number /= 2;
		steps++;
	}
	return steps;
}

int main(void)
{
	unsigned random = 0;
	struct timespec now;
	int sum = 0;
	if (getrandom(&random, sizeof random, 0) < 0)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	stir((unsigned)time(NULL));
	stir((unsigned)getpid());
	stir((unsigned)now.tv_nsec);
	stir(random);
	for (int i = 0; i < 5; i++)
		sum += odd(stir(i) % 1000 + 1);
	printf("%d\n", sum);
	return 0;
}
