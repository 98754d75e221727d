/* lldb divides unsigned where DW_OP_div divides signed.
 *
 * wrong:     lldb
 * rule:      G5 lie lldb:div
 * basis:     replayed
 * build:     clang-15 -g -O1 -o lldb_div lldb_div.c
 * xstep:     xstep diff lldb_div
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_div -a 0x1140 -i 2' -o run -o 'frame variable i' \
 *       lldb_div
 * > (unsigned int) i = 0
 * $ gdb -nx -q -batch -ex 'break *main+16' -ex 'ignore 1 2' -ex run -ex 'print i' \
 *       -ex 'print count' lldb_div
 * > $1 = 2
 * > $2 = 2
 * actual:    In the third round `i` is 0.
 * expected:  2: the code counts down from 10, and the location divides by -1. DW_OP_div is
 *            signed (DWARF 5, 2.5.1.4).
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6: so; lldb 19.1.7: right; the program by clang 15.0.6.
 * known:     DTD 13, llvm-project 61727
 */
static volatile unsigned long count;

int main(void)
{
	for (unsigned i = 0; i != 10; i++)
		++count;
	return 0;
}
