/* A handler of SIGTRAP that counts int3, raise and a debug trap of its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int traps;

static void on_trap(int number)
{
	(void)number;
	traps++;
}

int main(void)
{
	signal(SIGTRAP, on_trap);
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("int3" ::: "memory");
		raise(SIGTRAP);
	}
	printf("%d\n", traps);
	return traps;
}
