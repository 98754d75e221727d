/* What `./dev demo` shows: a little arithmetic, a call, and a callback from the C library.
 * end: main returned; exited with status 0
 * functions: main square by_value
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int square(int x)
{
	return x * x;
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int numbers[3] = {3, -1, 2};
	for (int i = 0; i < 3; i++)
		numbers[i] = square(numbers[i]);
	qsort(numbers, 3, sizeof *numbers, by_value);
	printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
	return 0;
}
