/* For xstep check probes: a loop of one round behind another one of the same variable. In the second loop i is 0.
 * clang 14, 15 and 19 say 3 at -O2, for they drop the assignment with the loop: P1, wrong-constant. gcc 11 and 12
 * have no value for it: P2. At -O0 nobody is wrong. */
#include <stdio.h>
#include <sys/sdt.h>

unsigned short one[3], two[1][4];
unsigned sum;

__attribute__((noinline)) static void add(unsigned long value, const char *name, int loud)
{
	sum = sum * 31 + (unsigned)value;
	if (loud)
		printf("%s: %u\n", name, sum);
}

int main(int argc, char **argv)
{
	int i, j;
	int loud = argc == 2 && argv[1][0] == '1';
	for (i = 0; i < 3; i++) {
		add(one[i], "one[i]", loud);
		if (loud)
			printf("index = [%d]\n", i);
	}
	for (i = 0; i < 1; i++)
		for (j = 0; j < 4; j++) {
			DTRACE_PROBE2(xstep, p1__i__j, i, j);
			add(two[i][j], "two[i][j]", loud);
			if (loud)
				printf("index = [%d][%d]\n", i, j);
		}
	return 0;
}
