/* clang describes what alloca() gave by the stack pointer as it was before.
 *
 * wrong:     clang
 * rule:      E1 lie producer:wrong-call-value
 * basis:     evidence
 * build:     clang-15 -g -O2 -o clang_alloca clang_alloca.c
 * xstep:     xstep check frames clang_alloca
 * $ gdb -nx -q -batch -ex 'break *use' -ex run -ex 'print at - at@entry' clang_alloca
 * > $1 = 64
 * actual:    The call site says that RDI is RSP-64, by the rsp before the alloca: at@entry is
 *            64 too low.
 * expected:  rsp itself, which is what rdi holds.
 * versions:  clang 14.0.6, 15.0.6: so; clang 13.0.1, 16.0.6, 19.1.7: not so.
 * known:     -
 */
volatile long sink;

__attribute__((noinline)) void use(char *at)
{
	sink = (long)at;
}

__attribute__((noinline)) int work(long n)
{
	if (n > 3) {
		use(__builtin_alloca(64));
		sink = 3;
	}
	return 1;
}

int main(void)
{
	return work(5) - 1;
}
