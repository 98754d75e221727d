/* It adds up its own code: what a debugger plants there must not be seen. */
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const uint8_t __executable_start[], etext[];

int main(void);

static unsigned add_up(void)
{
	unsigned sum = 0;
	for (const uint8_t *at = (const uint8_t *)(uintptr_t)main; at < etext; at++)
		sum = sum * 31 + *at;
	return sum;
}

int main(void)
{
	unsigned first = add_up();
	for (int i = 0; i < 3; i++)
		if (add_up() != first)
			printf("changed\n");
	printf("%u\n", first);
	return 0;
}
