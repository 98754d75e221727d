/* Types of one name in several functions: an enum with a negative member and one without, typedefs of
 * either sign. Each variable is of its own. */
#include <stdio.h>

static void minus(void)
{
	enum E { MINUS = -1, FIVE = 5 } first = MINUS;
	typedef short T;
	T small = -2;
	printf("%d %d\n", (int)first, small);
}

static void plus(void)
{
	enum E { LARGE = 0x80000000u, ONE = 1 } second = LARGE;
	typedef unsigned short T;
	T large = 65534;
	printf("%u %d\n", (unsigned)second, large);
}

int main(void)
{
	minus();
	plus();
	return 0;
}
