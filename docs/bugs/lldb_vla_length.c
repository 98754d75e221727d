/* lldb shows a variable length array with another length than it has.
 *
 * wrong:     lldb
 * rule:      G2 extra lldb:dynamic-type
 * basis:     replayed
 * build:     gcc-12 -g -O0 -o lldb_vla_length lldb_vla_length.c
 * xstep:     xstep diff lldb_vla_length
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_vla_length -a 0x119d' -o run \
 *       -o 'frame variable n list' lldb_vla_length
 * > (int) n = 2
 * > (int[4]) list
 * $ gdb -nx -q -batch -ex 'break *fill+116' -ex run -ex 'print n' -ex 'print list' \
 *       -ex 'print sizeof list' lldb_vla_length
 * > $1 = 2
 * > $2 = {0, 0}
 * > $3 = 8
 * actual:    In the first call, with n = 2, `list` is an int[4].
 * expected:  Two elements, as gdb shows: the length is an expression of the type (DWARF 5,
 *            5.5).
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink;
__attribute__((noinline)) static void fill(int n)
{
	int list[n];
	for (int i = 0; i < n; i++)
		list[i] = i;
	sink = list[n - 1];
}
int main(void)
{
	fill(2);
	fill(4);
	return 0;
}
