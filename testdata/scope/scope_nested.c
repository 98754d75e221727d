/* scope_nested.c - functions inside of functions, as GNU C has them. The lines that print are marked,
 * and print what names mean there: NAME=VALUE. */
#include <stdio.h>

typedef int callback(int n);

int total = 1000;
int mark = 2000;
static volatile int sink;

__attribute__((noipa)) static int apply(callback *what, int n)
{
	return what(n) + 1;
}

/* Two levels, straight and through pointers, and recursion. */
__attribute__((noipa)) int outer(int depth, int seed)
{
	static int calls;
	int total = seed * 10;
	volatile int mark = depth;
	calls++;
	int middle(int m)
	{
		int mid = m + total;
		int inner(int k)
		{
			int own = k * 2;
			total += own;
			mid += k;
			sink = own; /* @settled */
			printf("k=%d own=%d m=%d mid=%d depth=%d seed=%d total=%d mark=%d calls=%d\n", /* @inner */
				k, own, m, mid, depth, seed, total, mark, calls);
			return own + mid;
		}
		int got = apply(inner, m + 1);
		return got + mid;
	}
	if (depth)
		total += outer(depth - 1, seed + 1);
	total += middle(depth);
	return total + apply(middle, 3) + mark;
}

/* The call around is not the nearest one: that of depth 2 is asked where those of 1 and 0 run. */
__attribute__((noipa)) int chain(int depth, callback *first)
{
	int mine = depth * 7 + 1;
	int tell(int n)
	{
		sink = mine;
		printf("n=%d mine=%d depth=%d\n", n, mine, depth); /* @tell */
		return mine + n + sink;
	}
	if (depth)
		return chain(depth - 1, first ? first : tell) + mine;
	return apply(first, 5) + apply(tell, 6);
}

/* A nested function that needs nothing of what is around it has no static link. */
__attribute__((noipa)) int alone(int total)
{
	__attribute__((noipa)) int apart(int n)
	{
		printf("apart=%d\n", n); /* @apart */
		return n;
	}
	return apart(total + 1) + total;
}

/* Inlined twice, with what is inside. */
static inline __attribute__((always_inline)) int twice(int seed)
{
	int total = seed;
	__attribute__((noinline)) int far(int by)
	{
		int before = total;
		total += by;
		sink = before;
		printf("by=%d before=%d total=%d\n", by, before, total); /* @far */
		return before;
	}
	far(2);
	return total + far(3);
}

__attribute__((noipa)) int host(int n)
{
	int got = twice(n * 100);
	got += twice(n * 200);
	return got + n;
}

int main(void)
{
	int all = outer(2, 1) + chain(2, 0) + alone(3) + host(1) + host(2);
	printf("all=%d total=%d mark=%d\n", all, total, mark); /* @end */
	return 0;
}
