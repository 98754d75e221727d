/* Code that is written to the heap and run there, again and again. */
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
	int sum = 0;
	uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 50; i++) {
		const uint8_t code[] = {0xb8, (uint8_t)i, 0, 0, 0, 0xc3};
		memcpy(page + i * 8, code, sizeof code);
		sum += ((int (*)(void))(uintptr_t)(page + i * 8))();
	}
	printf("%d\n", sum);
	return 0;
}
