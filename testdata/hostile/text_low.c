/* Memory at a fixed low address, with code in it. */
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
	uint8_t *page = mmap((void *)0x100000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (page == MAP_FAILED)
		return 2;
	memcpy(page, "\x31\xc0\xff\xc0\xc3", 5); /* xor %eax, %eax; inc %eax; ret */
	printf("%p %d\n", (void *)page, ((int (*)(void))(uintptr_t)page)());
	return 0;
}
