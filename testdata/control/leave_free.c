/* malloc asks the kernel for a random key. free leaves that in a register and in the freed block, and xstep
 * makes it constant: each run shows the same.
 * end: main returned; exited with status 7
 * functions: main
 */
#include <stdlib.h>

struct pair {
	long key, value;
};

int main(void)
{
	struct pair *first = malloc(sizeof *first), *second = malloc(sizeof *second);
	first->value = 3;
	second->value = 4;
	long sum = first->value + second->value;
	free(first);
	free(second);
	struct pair left = *(struct pair *volatile *)&first ? *second : *first;
	__asm__ volatile("" : : "m"(left));
	return (int)sum;
}
