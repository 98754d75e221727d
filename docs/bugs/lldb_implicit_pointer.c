/* lldb does not evaluate DW_OP_implicit_pointer.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:implicit-pointer
 * basis:     replayed
 * build:     gcc-12 -g -O1 -o lldb_implicit_pointer lldb_implicit_pointer.c
 * xstep:     xstep diff lldb_implicit_pointer
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_implicit_pointer -a 0x112c' -o run \
 *       -o 'frame variable at' lldb_implicit_pointer
 * > at = <Could not evaluate DW_OP_implicit_pointer.>
 * $ gdb -nx -q -batch -ex 'break *work+3' -ex run -ex 'print at' -ex 'print *at' \
 *       lldb_implicit_pointer
 * > $1 = (int *) <synthetic pointer>
 * > $2 = 4
 * actual:    `Could not evaluate DW_OP_implicit_pointer.`
 * expected:  What it points to has a value, `*at` = 4, though no address (DWARF 5, 2.6.1.1.4).
 *            gdb shows it.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     DTD 10
 */
static volatile int sink;

__attribute__((noinline)) static int work(int number)
{
	int copy = number + 1;
	int *at = &copy;
	sink = *at;
	return *at;
}

int main(void)
{
	return work(3) - 4;
}
