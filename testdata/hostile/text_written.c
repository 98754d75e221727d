/* It changes its own code, in a page of its text, and runs it. */
#include <stdint.h>
#include <sys/mman.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline, aligned(4096))) static int answer(void)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop");
	return 1;
}

int main(void)
{
	static const uint8_t code[] = {0xb8, 42, 0, 0, 0, 0xc3}; /* mov $42, %eax; ret */
	int (*volatile call)(void) = answer;
	int before = call();
	mprotect((void *)((uintptr_t)answer & ~4095ul), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy((void *)(uintptr_t)answer, code, sizeof code);
	printf("%d %d\n", before, call());
	return 0;
}
