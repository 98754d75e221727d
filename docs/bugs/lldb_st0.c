/* lldb cannot read a long double that is in a register of the x87.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:?error(extracting_data_from_value_failed)
 * basis:     evidence
 * build:     clang-15 -g -O1 -o lldb_st0 lldb_st0.c
 * xstep:     xstep diff lldb_st0
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_st0 -a 0x1138' -o run -o 'frame variable root' \
 *       lldb_st0
 * > (long double) root = <extracting data from value failed>
 * $ gdb -nx -q -batch -ex 'break *main+8' -ex run -ex 'print root' lldb_st0
 * > $1 = 2
 * actual:    no value
 * expected:  2: the location is DW_OP_regx 33, ST0, which has the ten bytes of the value. gdb shows
 *            it.
 * versions:  lldb 15.0.6: so; the program by clang 15.0.6.
 * known:     -
 */
volatile long double in = 4, out;

int main(void)
{
	long double root;
	__asm__ volatile("fsqrt" : "=t"(root) : "0"(in));
	out = root;
	return 0;
}
