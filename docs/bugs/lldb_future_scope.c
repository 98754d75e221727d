/* lldb takes a name for a block's own variable before that is declared.
 *
 * wrong:     lldb
 * rule:      G5 lie lookup lldb:future-scope
 * basis:     replayed
 * build:     gcc-12 -g -O0 -o lldb_future_scope lldb_future_scope.c
 * xstep:     xstep diff lldb_future_scope
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_future_scope -a 0x1134' -o run \
 *       -o 'frame variable round' -o next -o 'target variable sink' lldb_future_scope
 * > round = 0
 * > sink = 1
 * actual:    On the first line of the block `frame variable round` is the inner one, which is
 *            not declared yet: 0, or whatever is on the stack.
 * expected:  The outer one, 1: the line stores it to `sink`. gdb's bug of the same kind is DTD
 *            4; the paper does not have lldb's.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     -
 */
static volatile int sink;

int main(void)
{
	int round = 1;
	{
		sink = round;
		int round = 2;
		sink = round;
	}
	return 0;
}
