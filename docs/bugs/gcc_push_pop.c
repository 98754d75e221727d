/* gcc -Oz loads small numbers by push and pop, and the call frame information does not say so.
 *
 * wrong:     gcc
 * rule:      F1 lie producer:wrong-cfa-stack-pointer
 * basis:     evidence
 * build:     gcc-12 -g -Oz -o gcc_push_pop gcc_push_pop.c
 * xstep:     xstep check frames gcc_push_pop
 * $ gdb -nx -q -batch -ex 'break *work+3' -ex run -ex backtrace gcc_push_pop
 * > #0 ... in work ()
 * > #1 ... in ?? ()
 * $ gdb -nx -q -batch -ex 'break *work+1' -ex run -ex backtrace gcc_push_pop
 * > #0 ... in work ()
 * > #1 ... in main ()
 * $ objdump -d --no-show-raw-insn gcc_push_pop
 * > <work>: ... push %rax ... push $0x6 ... pop %rsi
 * actual:    Behind `push $6` the CFA is said to be where it was before, 8 too low: the caller
 *            of work() is not main.
 * expected:  main, as one instruction before. The CFA is rsp + 24 there.
 * versions:  gcc 12.2: so. gcc 11.3 has no -Oz.
 * known:     -
 */
static volatile int sink;

__attribute__((noipa)) static int take(int a, int b)
{
	return sink += a - b;
}

__attribute__((noipa)) static int work(void)
{
	return take(5, 6) + 1;
}

int main(void)
{
	return work() + 2;
}
