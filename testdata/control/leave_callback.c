/* The C library calls back: qsort, bsearch and the handlers of atexit (through exit).
 * end: exited with status 3
 * functions: main by_value last_words
 */
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static void last_words(void)
{
}

int main(void)
{
	int v[] = {5, 3, 1, 4, 2}, key = 4;
	atexit(last_words);
	qsort(v, 5, sizeof *v, by_value);
	int *found = bsearch(&key, v, 5, sizeof *v, by_value);
	exit((int)(found - v));
}
