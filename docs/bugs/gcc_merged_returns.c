/* gcc makes two returns one piece of code, which counts as the one that is not executed.
 *
 * wrong:     gcc
 * rule:      LI extra producer:dead-marker
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o gcc_merged_returns.O0 gcc_merged_returns.c
 * build:     gcc-12 -g -O2 -o gcc_merged_returns gcc_merged_returns.c
 * xstep:     xstep check opt --witness xstep gcc_merged_returns.O0 gcc_merged_returns
 * $ gdb -nx -q -batch -ex 'break find' -ex run -ex next gcc_merged_returns
 * > return &chosen;
 * $ gdb -nx -q -batch -ex 'break find' -ex run -ex 'print chosen' -ex next -ex next -ex next \
 *       gcc_merged_returns.O0
 * > $1 = 3
 * > return &chosen;
 * > }
 * actual:    Steps stop on the second return.
 * expected:  The first return: `chosen` is 3. In the unoptimised program `count = 0`, which is
 *            before the second one, is never executed.
 * versions:  gcc 11.3, 12.2: so.
 * known:     Debug2 snippet 11, gcc 95865
 */
int chosen = 3, count;
int *find(void)
{
	if (chosen)
		return &chosen;
	count = 0;
	return &chosen;
}
int main(void) { find(); }
