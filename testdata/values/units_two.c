/* units_two.c - what goes by the same name in two units, this one and units_two_with.c: statics of each
 * and of their header, types, and locals of static functions at the same place on the stack.
 * end: main returned; exited with status 0
 * functions: main twice next other
 */
#include "units_two.h"

static int count = 1;
int shared = 5;
static enum { RED, GREEN } color = GREEN;

__attribute__((noinline)) static int twice(int x)
{
	volatile int sum = 1065353216; /* the bits of 1.0f, as they are over there */
	count++;
	return x + sum;
}

int main(void)
{
	int all = 0;
	for (int i = 0; i < 2; i++) {
		all += twice(1) + next();
		all += other(1);
	}
	return all + color == 0;
}
