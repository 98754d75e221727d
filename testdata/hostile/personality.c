/* It asks for its personality: xstep runs it without address space randomisation. */
#include <sys/personality.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	printf("%x\n", personality(0xffffffff) & ADDR_NO_RANDOMIZE);
	return 0;
}
