/* NaNs, for xstep check opt: with -ffast-math there are none, and gcc 12 and clang 15 take `kind` for 3 or execute
 * line 17. Nobody is to be blamed. Without that option nothing is violated.
 * end: main returned; exited with status 0
 * functions: main kind_of note
 */
#include <math.h>

volatile double zero = 0.0;
volatile int sink;

__attribute__((noinline)) int kind_of(double x)
{
	int kind = 3;
	if (isnan(x))
		kind = 1;
	else
		sink = 7;
	return kind;
}

__attribute__((noinline)) void note(int kind)
{
	sink = kind;
	sink = kind + 1;
}

int main(void)
{
	int kind = kind_of(zero / zero);
	note(kind);
	return 0;
}
