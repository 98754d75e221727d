/* C2, for xstep check avail: no violation, even if cli/check_test.py makes the block of `i` begin at
 * LATE_BEGINS in the DWARF. The code before it counts as the assignment's line, like a load that
 * a compiler has moved away from it, but stores nothing.
 * end: main returned; exited with status 0
 * functions: main
 */
#ifdef LATE_BEGINS
#define MOVED __asm__(".loc 1 25 3 is_stmt 1\n\tmov table(%rip), %eax\n\t.loc 1 23 3 is_stmt 1")
#else
#define MOVED
#define LATE_BEGINS
#endif
volatile int sink;
int table[2];

int main(void)
{
	sink = 0;
	{
		int i;
		MOVED;
		LATE_BEGINS;
		sink = 1;
		for (i = 0; i < 2; i++)
			sink = table[i];
		sink = i;
	}
	return 0;
}
