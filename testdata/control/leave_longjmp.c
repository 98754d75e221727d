/* longjmp comes back from library code by no return at all, over frames of the program.
 * end: main returned; exited with status 4
 * functions: main deep
 */
#include <setjmp.h>

static jmp_buf back;

__attribute__((noinline)) static void deep(int n)
{
	if (n == 0)
		longjmp(back, 4);
	deep(n - 1);
	__asm__ volatile("");
}

int main(void)
{
	int got = setjmp(back);
	if (!got)
		deep(4);
	return got;
}
