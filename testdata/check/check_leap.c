/* R1, for xstep check levels, at gcc 12's -O2: where an inlined call begins gdb 13 and lldb 15 show the
 * line of the call first and then step into it, at the same pc. That is not asked about. xstep's line
 * steps end at the line of printf(), of which code without is_stmt was executed before.
 * At -O0 nothing of that.
 * end: main returned; exited with status 0
 * functions: main leap
 */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int count;

static void leap(int n)
{
	count++;
	longjmp(back, n);
}

int main(void)
{
	int n = setjmp(back);
	if (n < 2)
		leap(n + 1);
	count += 2;
	printf("%d\n", count);
	return 0;
}
