#define START 20
#include "statics_fair.h"

int second(int n)
{
	int m = step(n);
	return m + 1;
}
