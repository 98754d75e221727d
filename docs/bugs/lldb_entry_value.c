/* lldb does not evaluate DW_OP_entry_value if the call is in an inlined function of the caller.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:entry-value
 * basis:     replayed
 * build:     gcc-12 -g -O2 -o lldb_entry_value lldb_entry_value.c
 * xstep:     xstep diff lldb_entry_value
 * $ lldb-15 -x -b -o 'breakpoint set -s lldb_entry_value -a 0x1162' -o run \
 *       -o 'frame variable number' lldb_entry_value
 * > (int) number = <Could not evaluate DW_OP_entry_value.>
 * $ gdb -nx -q -batch -ex 'break *work+18' -ex run -ex 'print number' lldb_entry_value
 * > $1 = 5
 * actual:    `Could not evaluate DW_OP_entry_value.`
 * expected:  5: the call site, which is inside of the inlined step(), says what was passed
 *            (DWARF 5, 2.5.1.7). gdb finds it.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6, 19.1.7: so; the program by gcc 12.2. lldb 19 adds `no
 *            call edge`.
 * known:     DTD 8
 */
volatile int sink = 3;
__attribute__((noipa)) static int work(int number)
{
	sink = number;
	__asm__ volatile("xor %%edi, %%edi" : : : "rdi");
	sink = 2;
	return sink;
}
static inline int step(int n)
{
	return work(n + 1);
}
int main(void)
{
	int a = step(4) + 1;
	return a - 3;
}
