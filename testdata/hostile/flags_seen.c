/* It looks at its own flags with pushf all the time: no trap flag may be seen. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	unsigned long flags, seen = 0;
	for (int i = 0; i < 200; i++) {
		__asm__ volatile("sub $128, %%rsp; pushfq; pop %0; add $128, %%rsp" : "=r"(flags)::"memory", "cc");
		seen |= flags & 0x100;
	}
	printf("%lx\n", seen);
	return 0;
}
