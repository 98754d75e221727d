/* clang takes the end of a stack frame out of two branches, and leaves its call frame information behind.
 *
 * wrong:     clang
 * rule:      F1 lie producer:wrong-cfa-stack-pointer
 * basis:     evidence
 * build:     clang-15 -g -O2 -o clang_early_epilogue clang_early_epilogue.c
 * xstep:     xstep check frames clang_early_epilogue
 * $ gdb -nx -q -batch -ex 'break *work+46' -ex run -ex backtrace clang_early_epilogue
 * > #0 work (
 * > #1 ... in __libc_start_call_main (
 * $ gdb -nx -q -batch -ex 'break *work+42' -ex run -ex backtrace clang_early_epilogue
 * > #0 ... in work (
 * > #1 ... in main ()
 * $ objdump -d --no-show-raw-insn clang_early_epilogue
 * > <work>: ... add $0x20,%rsp ... test %ecx,%ecx ... je ... pop %rbx ... pop %rbx
 * actual:    Both branches end with a tail call, and begin with `add $0x20,%rsp`, which is moved in
 *            front of the branch. The CFA is said to be rsp + 64 until the first pop. Between
 *            the two, main is not among the callers of work().
 * expected:  main, as one instruction before. The CFA is rsp + 32 there.
 * culprit:   pass 438 of 573, Control Flow Optimizer on function (work): gone with -mllvm
 *            -opt-bisect-limit=437.
 * versions:  clang 15.0.6, 16.0.6, 19.1.7: so.
 * known:     -
 */
static volatile int sink;

__attribute__((noinline)) static void three(int *a, int b, int c)
{
	sink += a[0] + b + c;
}

__attribute__((noinline)) static void four(int *a, int b, int c, int d)
{
	sink += a[0] - b - c - d;
}

__attribute__((noinline)) static void fill(int *at)
{
	at[0] = sink;
}

__attribute__((noinline)) static void work(int *s)
{
	int room[6];
	int a = s[1], b = s[2];
	fill(room);
	s[0] = room[0];
	if (s[3])
		four(s, a, b, s[3]);
	else
		three(s, a, b);
}

int main(void)
{
	int s[4] = {1, 2, 3, 4};
	work(s);
	return sink;
}
