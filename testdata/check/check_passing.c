/* A loop on one line, for xstep check opt: no step of the unoptimised program shows the values that `n` passes
 * through. clang 15 moves the first `n--` to before what line 14 stores; 2 at that line is a value that it has.
 * end: main returned; exited with status 0
 * functions: main sumv
 */
#include <stdarg.h>

volatile int in = 4, sink;

__attribute__((noinline)) int sumv(int n, ...)
{
	va_list ap;
	int s = 0;
	va_start(ap, n);
	while (n-- > 0) { int v = va_arg(ap, int); s += v; }
	va_end(ap);
	return s;
}

int main(void)
{
	sink = sumv(3, in, in + 1, in * 2);
	return 0;
}
