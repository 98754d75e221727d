/* A stack overflow that is handled on a stack of its own, and left by siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int depth;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static int recurse(int n)
{
	volatile char room[65536];
	room[n & 0xff] = (char)n;
	depth++;
	return recurse(n + 1) + room[n & 0xff];
}

int main(void)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 2; i++)
		if (!sigsetjmp(back, 1))
			recurse(0);
	printf("%d\n", depth > 100);
	return 0;
}
