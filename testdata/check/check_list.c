/* R2, for xstep check levels, at clang 15's -O1: the row with prologue_end is where the loop goes on, and is
 * executed after the first round. lldb 15 runs there, so that `list` is not what it is when the line of
 * va_start() is first executed; clang is to blame. At -O0 it is in its place.
 * end: main returned; exited with status 0
 * functions: main all
 */
#include <stdarg.h>

volatile int sink;

__attribute__((noinline)) static void all(int n, ...)
{
	va_list list;
	char *end;
	for (int i = 0; i < 2; i++) {
		va_start(list, n);
		while (1) {
			end = va_arg(list, char *);
			if (!end)
				break;
			sink++;
		}
		va_end(list);
	}
}

int main(void)
{
	all(1, "a", (char *)0);
	return 0;
}
