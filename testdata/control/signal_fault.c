/* The program catches its own fault and leaves the handler by siglongjmp.
 * end: main returned; exited with status 2
 * functions: main touch on_fault
 */
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

__attribute__((noinline)) static int touch(volatile int *where)
{
	return *where;
}

int main(void)
{
	volatile int faults = 0;
	signal(SIGSEGV, on_fault);
	if (sigsetjmp(back, 1))
		faults++;
	if (faults < 2)
		touch((volatile int *)16);
	return faults;
}
