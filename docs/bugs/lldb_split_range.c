/* lldb takes the code between the two stretches of a function for the function's, and unwinds it wrongly.
 *
 * wrong:     lldb
 * rule:      G6 lie frames lldb:?
 * basis:     evidence
 * build:     gcc-12 -g -O2 -gdwarf-4 -o lldb_split_range lldb_split_range.c
 * xstep:     xstep diff lldb_split_range
 * $ lldb-15 -x -b -o 'breakpoint set --name fill' -o run -o 'thread backtrace --count 2' \
 *       -o 'image lookup --verbose --name check' lldb_split_range
 * > frame #0: ...fill(at=
 * > (lldb) image lookup
 * > name = "check", range = [0x0000555555555050-0x00005555555551c0)
 * $ gdb -nx -q -batch -ex 'break *fill' -ex run -ex 'backtrace 2' lldb_split_range
 * > #0 fill ...
 * > #1 ... in check
 * $ readelf --debug-dump=Ranges lldb_split_range
 * > 0000000000001190 00000000000011c0
 * > 0000000000001050 0000000000001060
 * actual:    The backtrace of fill() is fill() alone. check() is said to reach from check.cold to
 *            its own end, fill() and main() between them, and the call frame information of
 *            check.cold, CFA = rsp+32, is used for all of it.
 * expected:  check, main: DW_AT_ranges has two ranges, and each has its row in .eh_frame (DWARF 4,
 *            2.17.3). Without -gdwarf-4, lldb does not know check() (lldb_split_function.c).
 * versions:  lldb 15.0.6: so; the program by gcc 12.2.
 * known:     -
 */
volatile int sink = 1;
extern void abort(void);
__attribute__((noipa)) static void fill(int *at)
{
	at[0] = at[1] = sink;
}
__attribute__((noipa)) static int check(int n)
{
	int pair[2] = {n, 3};
	fill(pair);
	if (pair[0] > 100) {
		sink = pair[1] * 3;
		abort();
	}
	return pair[0] + pair[1];
}
int main(void)
{
	return check(3) - 2;
}
