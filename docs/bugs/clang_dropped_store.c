/* clang goes on describing an array as memory after it dropped the store to an element.
 *
 * wrong:     clang
 * rule:      P1 lie producer:stale-memory
 * basis:     evidence
 * build:     clang-15 -g -Os -o clang_dropped_store clang_dropped_store.c
 * xstep:     xstep check probes clang_dropped_store
 * $ gdb -nx -q -batch -ex 'break -probe-stap xstep:p1__1' -ex run -ex 'print $_probe_arg0' \
 *       -ex 'print a[3]' clang_dropped_store
 * > $1 = 0
 * > $2 = 655334973
 * actual:    `a[3]` is 655334973.
 * expected:  0, by the source and by the operand of the probe.
 * culprit:   pass 56 of 143, DSEPass on main: gone with -mllvm -opt-bisect-limit=55.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6: so; clang 19.1.7: not so.
 * known:     -
 */
#include <sys/sdt.h>

__asm__(".pushsection .xstep.probes,\"\",@progbits\n"
	".ascii \"p1__1 main 14:a[3]\\n\"\n"
	".popsection");

volatile int sink;
int mask;
int main(void)
{
#line 14
	int a[4];
	for (int i = 0; i < 4; i++)
		a[i] = 655334973 + sink;
	a[3] &= mask;
	DTRACE_PROBE1(xstep, p1__1, a[3]);
	sink = a[3];
	sink = a[3] + 1;
	return 0;
}
