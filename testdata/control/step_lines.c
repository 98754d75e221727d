/* What one step by source line is: calls, recursion, loops, statements on several lines, several
 * statements on one, and library code that is stepped over.
 * end: main returned; exited with status 0
 * functions: main nothing depth twice
 */
#include <stdio.h>

static int depth(int n)
{
	int local = n;
	if (n > 0)
		local += depth(n - 1);
	return local;
}

static void nothing(void)
{
}

static int twice(int x) { return x + x; }

int main(void)
{
	int i, sum = 0;
	char buffer[100];
	for (i = 0; i < 2; i++) sum += i;
	nothing();
	nothing();
	sum += depth(2);
	sum += twice(twice(sum));
	while (sum > 10)
		sum /= 2;
	switch (sum) {
	case 1:
		sum = 2;
		break;
	default:
		sum = sum > 5
			? twice(sum)
			: twice(3);
	}
	sprintf(buffer, "%d", sum);
	do {
		sum--;
	} while (sum > 3);
	return buffer[0] == 'x';
}
