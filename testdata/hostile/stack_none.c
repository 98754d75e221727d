/* The stack pointer is 0 for a moment, and in the heap for another. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char room[4096] __attribute__((aligned(16)));

int main(void)
{
	long value = 0;
	__asm__ volatile("mov %%rsp, %%rbx; xor %%esp, %%esp\n\t"
			 "add $5, %0; add $6, %0; lea (%0,%0), %0\n\t"
			 "mov %1, %%rsp; push %0; pop %0; add $1, %0; mov %%rbx, %%rsp"
			 : "+r"(value)
			 : "r"(room + sizeof room)
			 : "rbx", "memory", "cc");
	printf("%ld\n", value);
	return 0;
}
