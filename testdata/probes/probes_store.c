/* For xstep check probes: an element of an array that is written, and then only read where it was written. clang 15
 * at -Os keeps it in a register and never stores it, and still describes the array as one place in memory: P1,
 * stale-memory. */
#include <sys/sdt.h>

__asm__(".pushsection .xstep.probes,\"\",@progbits\n"
	".ascii \"p1__1 main 14:a[3]\\n\"\n"
	".popsection");

volatile int sink;
int mask;
int main(void)
{
	int a[4];
	for (int i = 0; i < 4; i++)
		a[i] = 655334973 + sink;
	a[3] &= mask;
	DTRACE_PROBE1(xstep, p1__1, a[3]);
	sink = a[3];
	sink = a[3] + 1;
	return 0;
}
