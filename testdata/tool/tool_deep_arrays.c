/* Millions of values at one stop: deep recursion with arrays in each frame, and then a call of leaf(). */
#include <string.h>

static int leaf(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

static int deep(int n)
{
	int a[1500], b[1500];
	char c[4000];
	memset(a, n, sizeof a);
	memset(b, n + 1, sizeof b);
	memset(c, n + 2, sizeof c);
	if (n == 0)
		return leaf(30);
	return deep(n - 1) + a[1] + b[2] + c[3];
}

int main(void)
{
	return deep(400) & 1;
}
