/* lldb does not know DW_FORM_data16, and then reads nothing of the program at all.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:data16
 * basis:     replayed
 * build:     gcc-12 -g -O1 -o lldb_data16 lldb_data16.c
 * xstep:     xstep diff lldb_data16
 * $ lldb-15 -x -b -o 'breakpoint set -n work' -o run -o 'frame variable number' \
 *       -o 'image lookup -v -n work' lldb_data16
 * > unsupported DW_FORM value: 0x1e
 * > (lldb) frame variable number (lldb) image lookup
 * $ gdb -nx -q -batch -ex 'break *work' -ex run -ex 'print number' lldb_data16
 * > $1 = 1
 * $ readelf --debug-dump=abbrev lldb_data16
 * > DW_AT_const_value  DW_FORM_data16
 * actual:    No variable, no line: one constant of 128 bits in a unit costs all of the file's
 *            debug information.
 * expected:  `number` = 1 and a line. DW_FORM_data16 is DWARF 5, 7.5.6.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2. lldb 16 and 19
 *            say instead that there is no variable of that name.
 * known:     -
 */
volatile int sink;
__attribute__((noinline)) static int work(int number)
{
	const __int128 big = ((__int128)5 << 70) + 3;
	int other = number + 2;
	sink = (int)big + other;
	return sink;
}
int main(void)
{
	return work(1) - 6;
}
