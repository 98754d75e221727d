/* For xstep check metrics --instances: gcc 12 at -O1 inlines scale() twice; its variables are told
 * apart at both calls, and together.
 * end: main returned; exited with status 0
 * functions: main
 */
#include <stdio.h>
#include <stdlib.h>

int sink;

static inline __attribute__((always_inline)) int scale(int v, int k)
{
	int r = 0;
	for (int i = 0; i < k; i++) {
		r += v * i;
		sink = r;
	}
	return r;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	int t = scale(n, 3);
	sink = t;
	t += scale(t, n);
	printf("%d\n", t);
	return 0;
}
