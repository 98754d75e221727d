/* check_address.c - what a program does depends on where its stack is: no two builds agree on it,
 * and nobody is wrong.
 * end: main returned; exited with status 0
 * functions: main enter
 */
#include <stdint.h>

volatile unsigned sink;

__attribute__((noinline)) static void enter(unsigned bucket, unsigned odd)
{
	sink = bucket;
	if (odd)
		sink = 1;
	sink = 2;
}

int main(void)
{
	volatile int here = 1;
	unsigned seed = (unsigned)((uintptr_t)&here * 2654435761u >> 4);
	enter(seed % 4099, seed & 1);
	enter(7, 0);
	return here - 1;
}
