/* siglongjmp out of a handler, many times, with and without the mask. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;

static void on_signal(int number)
{
	siglongjmp(back, number);
}

int main(void)
{
	volatile int jumps = 0;
	signal(SIGUSR1, on_signal);
	for (volatile int i = 0; i < 20; i++) {
		if (sigsetjmp(back, 1))
			jumps++;
		else
			raise(SIGUSR1);
	}
	printf("%d\n", jumps);
	return 0;
}
