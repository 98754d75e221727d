/* gdb takes a name for a block's own variable before that is declared.
 *
 * wrong:     gdb
 * rule:      G5 lie lookup gdb:future-scope
 * basis:     replayed
 * build:     gcc-12 -g -O0 -o gdb_future_scope gdb_future_scope.c
 * xstep:     xstep diff gdb_future_scope
 * $ gdb -nx -q -batch -ex 'break *main+11' -ex run -ex 'print round' -ex next -ex 'print sink' \
 *       gdb_future_scope
 * > $1 = 0
 * > $2 = 1
 * actual:    On the first line of the block gdb prints the inner `round`, which is not declared
 *            yet: 0, or whatever is on the stack.
 * expected:  The outer one, 1: the line stores it to `sink`. The inner one is declared on the
 *            line below (DW_AT_decl_line).
 * versions:  gdb 13.1: so; the program by gcc 12.2.
 * known:     DTD 4, gdb 30315
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
