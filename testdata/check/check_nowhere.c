/* For xstep check: of gcc 12's code at -O2, lldb has no place for a breakpoint on two lines of
 * scale(): other rows of the same address follow. That is its answer, and no reason not to hear it.
 * end: main returned; exited with status 0
 * functions: main twice scale
 */
#include <stdio.h>
#include <stdlib.h>

static inline int scale(int v, int k)
{
	int r = v * k;
	r += 3;
	return r;
}

static int twice(int a)
{
	int x = scale(a, 2);
	int y = scale(x, 3);
	return x + y;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	int t = twice(n);
	t += scale(t, n);
	printf("%d\n", t);
	return 0;
}
