/* Inline assembly that pushes and pops without a word in the call frame information. Without a frame
 * pointer the CFA counts from rsp, and is wrong in between: one violation of F1, which begins behind the
 * push. With -fno-omit-frame-pointer it counts from rbp, and nothing is wrong. */
__attribute__((noinline)) static int leaf(int a)
{
	return a * 3;
}

__attribute__((noinline)) static int pushes(int a)
{
	int ret;
	__asm__ volatile("push %%rcx\n\t"
			 "mov %1, %%ecx\n\t"
			 "lea 1(%%rcx), %0\n\t"
			 "pop %%rcx"
			 : "=&r"(ret)
			 : "r"(a));
	return leaf(ret) + 1;
}

int main(int argc, char **argv)
{
	(void)argv;
	return pushes(argc) == 7 ? 0 : 1;
}
