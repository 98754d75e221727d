/* Coroutines by makecontext that switch stacks all the time. */
#include <ucontext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ucontext_t first, second;
static int sum;

static void run(void)
{
	for (int i = 0; i < 20; i++) {
		sum += i;
		swapcontext(&second, &first);
	}
}

int main(void)
{
	getcontext(&second);
	second.uc_stack.ss_sp = malloc(65536);
	second.uc_stack.ss_size = 65536;
	second.uc_link = &first;
	makecontext(&second, run, 0);
	for (int i = 0; i < 20; i++)
		swapcontext(&first, &second);
	printf("%d\n", sum);
	return 0;
}
