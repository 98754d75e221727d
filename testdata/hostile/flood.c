/* As much output as its argument says, in MB: 1 if there is none. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char block[65536];
	long blocks = (argc > 1 ? atol(argv[1]) : 1) * 16;
	memset(block, 'x', sizeof block);
	for (long i = 0; i < blocks; i++)
		if (fwrite(block, 1, sizeof block, i & 1 ? stderr : stdout) != sizeof block)
			return 1;
	return 0;
}
