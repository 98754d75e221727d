/* fair_address.c - pointers whose value is an address that the DWARF has: as the program was loaded. */
#include <stdio.h>

int table[4] = {1, 2, 3, 4};

__attribute__((noinline)) static int use(int *p, int n)
{
	int *middle = &table[2];
	p[0] += n;
	printf("%d\n", *middle);
	return *middle + n;
}

int main(int argc, char **argv)
{
	int *last = &table[3];
	printf("%d\n", argc);
	return use(last, argc) + *last > 100;
}
