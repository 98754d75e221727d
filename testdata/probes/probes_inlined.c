/* For xstep check probes: clang 15 has no entry for a block of an inlined call, from -O1 on, and so none for `pair`. The
 * section does not say on which line that is declared, but the function has one of that name only. Of `twice` it has
 * two, and with -DMOVED the section is of another text of this source: nobody is accused of these. */
#include <sys/sdt.h>

#ifdef MOVED
#define LINE "7"
#else
#define LINE "0"
#endif
__asm__(".pushsection .xstep.probes,\"\",@progbits\n"
	".ascii \"p1__1__more inner " LINE ":pair[1] " LINE ":more\\n\"\n"
	".ascii \"p2__twice inner " LINE ":twice\\n\"\n"
	".popsection");

int rounds = -1;

static int inner(unsigned char more)
{
	for (; more; more = 0) {
		unsigned short pair[2] = {0};
		for (; rounds; rounds++)
			DTRACE_PROBE2(xstep, p1__1__more, pair[1], more);
	}
	for (rounds = -1; rounds; rounds = 0) {
		unsigned short twice = 3;
		for (; rounds; rounds++)
			DTRACE_PROBE1(xstep, p2__twice, twice);
	}
	for (; rounds; rounds--) {
		unsigned short twice = 4;
		rounds += twice;
	}
	return 0;
}

int main(void)
{
	unsigned short more = 4;
	return inner((unsigned char)more);
}
