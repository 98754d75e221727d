/* A far jump into 32-bit code and back, where the kernel permits it. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	/* In 32 bits: mov $7, %eax; ljmp $0x33, $back */
	uint8_t *page = mmap((void *)0x200000, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	static const uint8_t there[] = {0xb8, 7, 0, 0, 0, 0xea, 0x40, 0, 0x20, 0, 0x33, 0};
	static const uint8_t back[] = {0xc3};
	static struct {
		uint32_t offset;
		uint16_t segment;
	} __attribute__((packed)) target = {0x200000, 0x23};
	unsigned result = 0;
	if (page == MAP_FAILED)
		return 2;
	memcpy(page, there, sizeof there);
	memcpy(page + 0x40, back, sizeof back);
	__asm__ volatile("sub $128, %%rsp; lea 1f(%%rip), %%rax; push %%rax; ljmp *(%1); 1: add $128, %%rsp"
			 : "=a"(result)
			 : "D"(&target)
			 : "memory", "cc");
	printf("%u\n", result);
	return 0;
}
