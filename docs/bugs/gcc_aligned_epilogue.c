/* gcc says that rbp is saved where rbp points, after the epilogue has popped it.
 *
 * wrong:     gcc
 * rule:      F3 lie producer:wrong-register-unsaved
 * basis:     evidence
 * build:     gcc-12 -g -O2 -mstackrealign -fno-omit-frame-pointer -o gcc_aligned_epilogue
 *            gcc_aligned_epilogue.c
 * xstep:     xstep check frames gcc_aligned_epilogue
 * $ gdb -nx -q -batch -ex 'break *aligns' -ex run -ex 'set $real = $rbx' \
 *       -ex 'tbreak *aligns+296' -ex continue -ex backtrace -ex up -ex 'print $rbx == $real' \
 *       gcc_aligned_epilogue
 * > Backtrace stopped:
 * > $1 = 0
 * $ objdump -d --no-show-raw-insn gcc_aligned_epilogue
 * > pop %rbp
 * > lea -0x8(%r10),%rsp
 * > ret
 * actual:    Between `pop %rbp` and `ret` a debugger's backtrace is wrong or ends.
 * expected:  The caller's registers, which are in the registers again: the rows go on saying
 *            `at RBP+0`.
 * versions:  gcc 11.3, 12.2: so.
 * known:     -
 */
static volatile int sink;

__attribute__((noipa)) static int use(void *at, int number)
{
	sink += number;
	return ((char *)at)[number & 3];
}

__attribute__((noipa)) static int many(int a, int b, int c, int d, int e, int f, long g, long h,
	int i)
{
	return a + b + c + d + e + f + (int)g + (int)h + i;
}

__attribute__((noipa)) static int aligns(int number)
{
	char bytes[200] __attribute__((aligned(64)));
	for (int i = 0; i < 200; i++)
		bytes[i] = (char)(i + number);
	return use(bytes, number) + many(1, 2, 3, 4, 5, 6, 7, number, 9);
}

int main(int argc, char **argv)
{
	(void)argv;
	return aligns(argc + 2) == 12345;
}
