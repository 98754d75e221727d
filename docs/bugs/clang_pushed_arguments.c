/* clang takes the stack pointer for the frame base while arguments are pushed.
 *
 * wrong:     clang
 * rule:      E1 lie producer:wrong-call-value
 * basis:     evidence
 * build:     clang-15 -g -O2 -o clang_pushed_arguments clang_pushed_arguments.c
 * xstep:     xstep check frames clang_pushed_arguments
 * $ gdb -nx -q -batch -ex 'break *many' -ex run -ex 'print (char *)e - (char *)e@entry' \
 *       -ex 'print *e' -ex 'print *e == n' clang_pushed_arguments
 * > $1 = 16
 * > $2 = 1
 * actual:    What is in the frame of work() is told 16 bytes too low during the call: e@entry
 *            is not e.
 * expected:  &local, which r8 holds when many() is entered.
 * culprit:   pass 289 of 350, X86 Optimize Call Frame on function (work): gone with -mllvm
 *            -opt-bisect-limit=288; found with -O1, -O2, -O3, -Os, -Og, -Oz; gone with -O0.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6: so; clang 16.0.6, 19.1.7: not so.
 * known:     -
 */
volatile long sink;
__attribute__((noinline)) void many(long a, long b, long c, long d, int *e, long f, long g, long h)
{
	sink = a + b + c + d + f + g + h + *e;
}
__attribute__((noinline)) int work(long n)
{
	int local = (int)n;
	many(n, 2, 3, 4, &local, 6, n + 7, n + 8);
	return local;
}
int main(void)
{
	return work(1) - 1;
}
