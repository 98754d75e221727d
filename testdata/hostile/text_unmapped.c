/* It unmaps the page that it runs in. */
#include <stdint.h>
#include <sys/mman.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("going\n");
	munmap((void *)((uintptr_t)main & ~4095ul), 4096);
	printf("never\n");
	return 1;
}
