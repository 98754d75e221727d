/* units_two_with.c - the other unit of units_two.c: each declaration is on the line that it has there. */






static float count = 2;
extern int shared;
static enum { BLUE, BLACK } color = BLACK;

__attribute__((noinline)) static int twice(int x)
{
	volatile float sum = 1; /* the bits of 1065353216, as they are over there */
	count++;
	return x + (int)sum;
}

#include "units_two.h"

int other(int x)
{
	return twice(x) + next() + shared + (int)color;
}
