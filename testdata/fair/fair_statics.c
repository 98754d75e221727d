/* fair_statics.c - a function of a header, with statics, is in two units: optimised when they are linked, lldb does
 * not know in which one a frame of it is. */
#define START 10
#include "units_statics.h"

int second(int n);

int main(void)
{
	int n = step(1) + second(2);
	n += step(3) + second(4);
	return n == 0;
}
