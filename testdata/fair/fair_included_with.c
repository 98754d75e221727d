#define INCLUDED
#define look __attribute__((unused)) unused_look
#include "fair_included.c"

int second(void)
{
	return table[1] + table[2];
}
