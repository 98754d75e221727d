/* lldb shows every __float128 of gcc's as 0.
 *
 * wrong:     lldb
 * rule:      G5 lie lldb:?value
 * basis:     evidence
 * build:     gcc-12 -g -O0 -o lldb_float128 lldb_float128.c
 * xstep:     xstep diff lldb_float128
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_float128 -a 0x1129' -o run -o 'frame variable quad' \
 *       lldb_float128
 * > (long double) quad = 0
 * $ gdb -nx -q -batch -ex 'break *main+0' -ex run -ex 'print quad' lldb_float128
 * > $1 = 2.5
 * actual:    0
 * expected:  2.5: DW_ATE_float of 16 bytes, with 112 bits of fraction. gdb shows it.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink;
__float128 quad = 2.5;

int main(void)
{
	sink = 1;
	return 0;
}
