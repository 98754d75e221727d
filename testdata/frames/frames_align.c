/* A function that aligns its stack, by gcc -O2 -mstackrealign -fno-omit-frame-pointer: the CFA counts from r10, and rbp is said to be
 * saved where rbp points. When the epilogue has popped it, that is another function's frame: F3
 * wrong-register-unsaved, which begins behind the pop. gdb's backtrace ends there. */
static volatile int sink;

__attribute__((noipa)) static int use(void *at, int number)
{
	sink += number;
	return ((char *)at)[number & 3];
}

__attribute__((noipa)) static int many(int a, int b, int c, int d, int e, int f, long g, long h, int i)
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
