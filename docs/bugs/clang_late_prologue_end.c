/* clang marks the end of a prologue behind the first round of a loop.
 *
 * wrong:     clang
 * rule:      R2 lie producer:late-prologue-end
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_late_prologue_end clang_late_prologue_end.c
 * xstep:     xstep check levels clang_late_prologue_end
 * $ lldb-15 -x -b -o 'breakpoint set -n walk' -o run clang_late_prologue_end
 * > where = clang_late_prologue_end`walk + 96
 * > turn++) {
 * $ gdb -nx -q -batch -ex 'break *walk+96' -ex 'break *walk+105' -ex run clang_late_prologue_end
 * > Breakpoint 2, walk
 * > va_start(rest, count);
 * $ readelf --debug-dump=rawline clang_late_prologue_end
 * > Set prologue_end to true
 * actual:    The row with prologue_end is that of `turn++`. A breakpoint on walk() in lldb
 *            stops there, after a whole round.
 * expected:  A row before the first statement: va_start() is executed before.
 * versions:  clang 13.0.1, 14.0.6, 15.0.6, 16.0.6, 19.1.7: so.
 * known:     DEVIL figure 3, llvm 46040
 */
#include <stdarg.h>

void walk(int count, ...)
{
	va_list rest;
	char *end;

	for (int turn = 0; turn < 2; turn++) {
		va_start(rest, count);
		while (1) {
			end = va_arg(rest, char *);
			if (!end)
				break;
		}
		va_end(rest);
	}
}

int main(void)
{
	walk(1, (char *)0);
}
