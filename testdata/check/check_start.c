/* Starts, for xstep check levels --start-by: a loop in main that calls a function. A breakpoint on the line of
 * the loop is at its beginning, which steps from within the loop never come back to.
 * end: main returned; exited with status 0
 * functions: main twice
 */
#include <stdio.h>

static int twice(int x)
{
	int y = x * 2;
	return y;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		int t = twice(i);
		sum += t;
	}
	sum += 100;
	printf("%d\n", sum);
	return 0;
}
