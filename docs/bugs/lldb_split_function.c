/* lldb does not know the variables of a function whose code is in two stretches.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:split-function
 * basis:     replayed
 * build:     gcc-12 -g -O2 -o lldb_split_function lldb_split_function.c
 * xstep:     xstep diff lldb_split_function
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_split_function -a 0x1180' -o run \
 *       -o 'frame variable n' -o 'image lookup -v -a $pc' lldb_split_function
 * > (lldb) frame variable n (lldb) image lookup
 * > Symbol: ... name="check"
 * $ gdb -nx -q -batch -ex 'break *check' -ex run -ex 'print n' lldb_split_function
 * > $1 = 3
 * $ nm lldb_split_function
 * > t check
 * > t check.cold
 * actual:    `frame variable n` says nothing: lldb knows the symbol of check(), but no
 *            function.
 * expected:  3: DW_AT_ranges has two ranges, the second of which is check.cold (DWARF 5,
 *            2.17.3). gdb shows it.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6: so; lldb 19.1.7: right; the program by gcc 12.2. lldb
 *            16 says instead that there is no variable of that name.
 * known:     -
 */
volatile int sink = 1;
extern void abort(void);
__attribute__((noipa)) static int check(int n)
{
	int twice = n * 2;
	if (twice > 100) {
		sink = twice * 3;
		sink = n;
		abort();
	}
	sink = twice;
	return twice + n;
}
int main(void)
{
	return check(3) - 9;
}
