/* A float and an int at one address, which C does not allow: clang 15 from -O1 on calls abort(), and rightly
 * shows that line. The unoptimised program does not come there. */
#include <stdlib.h>

int number;
int *as_int = &number;
float *as_float = (float *)&number;

int main(void)
{
	*as_int = 1;
	*as_float = 0;
	if (*as_int)
		abort();
	return 0;
}
