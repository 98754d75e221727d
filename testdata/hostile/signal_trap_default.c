/* int3 without a handler kills. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("before\n");
	__asm__ volatile("int3" ::: "memory");
	printf("after\n");
	return 1;
}
