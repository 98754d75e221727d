/* It sets its own trap flag and counts the steps in a handler. */
#define _GNU_SOURCE
#include <ucontext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int steps;

static void on_trap(int number, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	(void)number, (void)info;
	if (++steps == 5)
		at->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	sigaction(SIGTRAP, &action, NULL);
	__asm__ volatile("sub $128, %%rsp; pushfq; orq $0x100, (%%rsp); popfq\n\t"
			 "nop; nop; nop; nop; nop; nop; nop; nop; add $128, %%rsp" ::
				 : "memory", "cc");
	printf("%d\n", steps);
	return 0;
}
