/* longjmp out of a callback of the library's, and qsort with a callback that sorts. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static jmp_buf back;
static int calls;

static int inner(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int outer(const void *a, const void *b)
{
	int own[] = {3, 1, 2};
	qsort(own, 3, sizeof *own, inner);
	if (++calls == 20)
		longjmp(back, own[2]);
	return inner(a, b);
}

int main(void)
{
	int some[50];
	for (int i = 0; i < 50; i++)
		some[i] = i * 7 % 50;
	int how = setjmp(back);
	if (!how)
		qsort(some, 50, sizeof *some, outer);
	printf("%d %d\n", how, calls);
	return 0;
}
