/* DEVIL figure 3 (llvm 46040), R3: a counter has another value by line steps than by instruction steps. */
#include <stdarg.h>

void walk(int count, ...)
{
	va_list rest;
	char *end;

	for (int turn = 0; turn < 2; turn++) { /* @head */
		va_start(rest, count);
		while (1) {
			end = va_arg(rest, char *); /* @get */
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
