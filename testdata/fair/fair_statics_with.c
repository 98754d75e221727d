#define START 20
#include "units_statics.h"

int second(int n)
{
	int m = step(n);
	return m + 1;
}
