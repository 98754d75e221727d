/* clang loses the index of the outermost of three loops.
 *
 * wrong:     clang
 * rule:      C2 loss producer:index incomplete [not-covered]
 * basis:     evidence
 * build:     clang-15 -g -Os -o clang_outer_index clang_outer_index.c
 * xstep:     xstep check avail --source clang_outer_index.c clang_outer_index
 * $ gdb -nx -q -batch -ex 'break *main+22' -ex run -ex 'print i' -ex 'print k' clang_outer_index
 * > sink = cube[i][j][k];
 * > $1 = <optimized out>
 * > $2 = 0
 * actual:    `i` is optimised out on the line that uses it as an index.
 * expected:  0 in the first round; it is used again in each one.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     Conjectures 3.3, llvm 53855
 */
volatile int sink;
int cube[2][4][4] = {{{1, 2, 3, 4}}};

int main(void)
{
	int i, j, k;
	for (i = 0; i < 2; i++)
		for (j = 0; j < 4; j++)
			for (k = 0; k < 4; k++)
				sink = cube[i][j][k];
	for (i = 0; i < 4; i++)
		sink = i;
	return 0;
}
