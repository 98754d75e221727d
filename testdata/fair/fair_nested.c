/* fair_nested.c - functions inside of functions: each has its own variables. */
#include <stdio.h>

static int apply(int (*f)(int), int n)
{
	return f(n);
}

int main(int argc, char **argv)
{
	int base = argc * 10;
	int add(int x)
	{
		int y = x + base;
		int deeper(int z)
		{
			int w = z + y + base;
			return w;
		}
		return y + deeper(x);
	}
	printf("%d %d\n", apply(add, 3), add(1));
	return 0;
}
