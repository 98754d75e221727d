/* clang shows the last value of one loop in the next loop, whose assignment it dropped.
 *
 * wrong:     clang
 * rule:      P1 lie producer:wrong-constant
 * basis:     evidence
 * build:     clang-15 -g -O2 -o clang_one_round clang_one_round.c
 * xstep:     xstep check probes clang_one_round
 * $ gdb -nx -q -batch -ex 'break -probe-stap xstep:p1__i__j' -ex run -ex 'print $_probe_arg0' \
 *       -ex 'print i' clang_one_round
 * > $1 = 0
 * > $2 = 3
 * actual:    In the second loop `i` is 3, by a constant in the location list.
 * expected:  0, by the source, and by the operand of the probe, which the code generator wrote:
 *            -4@$0.
 * culprit:   pass 97 of 259, LoopFullUnrollPass: gone with -mllvm -opt-bisect-limit=96.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     -
 */
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
