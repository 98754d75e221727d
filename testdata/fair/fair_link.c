/* fair_link.c - optimised when it is linked: variables are in another unit than what they are instances of. */
#include <stdlib.h>
#include <stdio.h>
#include "units_fair.h"

int twice(int n);

int main(int argc, char **argv)
{
	int n = twice(argc) + plus(argc);
	for (int i = 0; i < 3; i++)
		n += twice(i) + plus(i);
	printf("%d %s\n", n, getenv("HOME"));
	return 0;
}
