/* fair_common.c - what a header defines is one object of two units: a common symbol, as compilers made them by
 * themselves before gcc 10 and clang 11. */
#include "units_commons.h"

int twice_declared;

void second(void);

int main(void)
{
	shared_count = 4;
	twice_declared = 1;
	second();
	return shared_count - 5;
}
