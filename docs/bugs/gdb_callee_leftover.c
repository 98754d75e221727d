/* gdb shows what the callee left in a register that it need not preserve as the caller's
 * variable.
 *
 * wrong:     gdb
 * rule:      G4 extra gdb:callee-leftover
 * basis:     replayed
 * build:     clang-15 -g -O1 -o gdb_callee_leftover gdb_callee_leftover.c
 * xstep:     xstep diff gdb_callee_leftover
 * $ gdb -nx -q -batch -ex 'break *clobber+5' -ex run -ex 'up 1' -ex 'print b' gdb_callee_leftover
 * > $1 = 77
 * $ lldb-15 -x -b -o 'breakpoint set -s gdb_callee_leftover -a 0x1175' -o run \
 *       -o 'frame select 1' -o 'frame variable b' gdb_callee_leftover
 * > (int) b = <register rsi is not available>
 * actual:    In frame 1 `b` is 77, which the callee put into esi.
 * expected:  No value: RSI is not preserved by calls, and the callee saved it nowhere. lldb
 *            says so. The value was 4.
 * versions:  gdb 13.1: so; the program by clang 15.0.6.
 * known:     -
 */
volatile int sink;
__attribute__((noinline)) static void clobber(void)
{
	__asm__ volatile("mov $77, %%esi\n\tnop" : : : "esi");
	sink = 1;
}
__attribute__((noinline)) static int outer(int a, int b)
{
	sink = b;
	clobber();
	return a;
}
int main(void)
{
	return outer(sink + 3, sink + 4) - 3;
}
