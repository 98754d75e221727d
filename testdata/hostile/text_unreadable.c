/* It makes its code executable only, and not even that for a moment. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int faults;

__attribute__((noinline, aligned(4096))) static int add(int a, int b)
{
	return a + b;
}

__attribute__((aligned(4096))) static void on_fault(int number)
{
	(void)number;
	faults++;
	mprotect((void *)(uintptr_t)add, 4096, PROT_EXEC);
}

int main(void)
{
	int (*volatile call)(int, int) = add;
	signal(SIGSEGV, on_fault);
	mprotect((void *)(uintptr_t)add, 4096, PROT_NONE);
	int sum = call(2, 3);
	printf("%d %d\n", sum, faults);
	return 0;
}
