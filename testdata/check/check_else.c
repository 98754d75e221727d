/* For xstep check opt: lines that unoptimised code executes and does not step on (tests behind else, by clang),
 * and lines that it has no code for (do). LI is silent about them at every level.
 * end: main returned; exited with status 0
 * functions: main f
 */
#include <stdio.h>
__attribute__((noinline)) static int f(int n)
{
	int sum = 0;
	do {
		sum += n;
		if (n == 1)
			sum++;
		else if (n == 2)
			sum += 2;
		else if (n == 3)
			sum += 3;
		n--;
	} while (
		n > 0);
	return sum;
}
int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", f(argc + 4));
	return 0;
}
