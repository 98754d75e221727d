/* gdb steps on the body of a loop before its head.
 *
 * wrong:     gdb
 * rule:      R2 lie gdb:order
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o gdb_loop_order gdb_loop_order.c
 * xstep:     xstep check levels --witness xstep,gdb,lldb gdb_loop_order
 * $ gdb -nx -q -batch -ex 'break main' -ex run -ex step -ex step gdb_loop_order
 * > for (; outer
 * > table[inner]
 * > for (; inner
 * $ lldb-15 -x -b -o 'breakpoint set -n main' -o run -o step -o step gdb_loop_order
 * > -> ... for (; outer
 * > -> ... for (; inner
 * > -> ... table[inner]
 * actual:    From the outer loop's line to the body, and then to the inner loop's line.
 * expected:  The inner loop's line first: its test is executed first, and a row with is_stmt
 *            begins there. lldb stops on it.
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     DEVIL figure 2, gdb 26054
 */
unsigned int inner = 0, outer = 0;
static int table[1][2] = {{0, 1}};

int main(void)
{
	for (; outer < 1; outer++)
		for (; inner < 1; inner++)
			table[inner][outer + 1] = 0;

	return 0;
}
