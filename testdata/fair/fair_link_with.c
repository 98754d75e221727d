#include "units_fair.h"

int shared = 4;

__attribute__((noinline)) int twice(int n)
{
	int m = n * 2;
	shared += m;
	return shared + plus(n);
}
