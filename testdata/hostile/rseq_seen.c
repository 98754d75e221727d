/* The kernel's restartable sequences: what the library has registered stays so. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const unsigned __rseq_size __attribute__((weak));
extern const long __rseq_offset __attribute__((weak));

int main(void)
{
	unsigned *area, wrong = 0;
	if (!&__rseq_size || !__rseq_size) {
		printf("0\n");
		return 0;
	}
	area = (unsigned *)((char *)__builtin_thread_pointer() + __rseq_offset);
	for (int i = 0; i < 200; i++)
		wrong += area[1] > 4096; /* the number of the core that it runs on */
	printf("%u\n", wrong);
	return 0;
}
