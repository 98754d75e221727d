/* fair_extern.c - declarations inside of functions mean what is at file scope. */
#include <stdio.h>

int near = 5;

static int hide(int near)
{
	int sum = near;
	{
		extern int near, far;
		sum += near + far;
	}
	return sum;
}

int main(int argc, char **argv)
{
	extern int near;
	extern int far;
	printf("%d %d\n", hide(argc), near + far);
	return 0;
}
