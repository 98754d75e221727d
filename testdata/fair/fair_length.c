/* fair_length.c - an array of variable length: before it has its length it may have any. */
#include <stdio.h>

static int sum(int n)
{
	int a[n];
	struct { int x, y[2]; } b[n];
	int s = 0;
	for (int i = 0; i < n; i++) {
		a[i] = i * i;
		b[i].x = b[i].y[0] = b[i].y[1] = i;
	}
	for (int i = 0; i < n; i++)
		s += a[i] + b[i].y[1];
	return s;
}

int main(int argc, char **argv)
{
	printf("%d\n", sum(2) + sum(argc + 2));
	return 0;
}
