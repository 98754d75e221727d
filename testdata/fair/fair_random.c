/* fair_random.c - a value that is another one in each run, in a location that lldb 15 does not read. */
#include <sys/random.h>

static volatile double sink;

int main(void)
{
	unsigned long bits = 0;
	if (getrandom(&bits, sizeof bits, 0) < 0)
		return 1;
	double part = (double)bits / 3;
	sink = (double)(bits & 1);
	return sink < 0;
}
