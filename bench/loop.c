/* loop.c - a bench subject: arithmetic, branches and calls, no library code but for
 * reading argv[1], the number of rounds; without it, ROUNDS. */
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 1000
#endif

static unsigned mix(unsigned x)
{
	x ^= x >> 7;
	return x * 2654435761u;
}

static volatile unsigned result;

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : ROUNDS, x = 1;
	for (unsigned i = 0; i < rounds; i++) {
		x = mix(x + i);
		if (x & 1)
			x ^= 0x5bd1e995u;
	}
	result = x;
	return 0;
}
