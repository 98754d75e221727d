/* loop.c - a bench subject: arithmetic, branches and calls, no library code. argv[1]: rounds. */
#include <stdlib.h>

static unsigned mix(unsigned x)
{
	x ^= x >> 7;
	return x * 2654435761u;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000, x = 1;
	for (unsigned i = 0; i < rounds; i++) {
		x = mix(x + i);
		if (x & 1)
			x ^= 0x5bd1e995u;
	}
	return (int)(x & 0x7f);
}
