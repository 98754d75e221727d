/* A handler that moves the pc behind the instruction which faulted. */
#define _GNU_SOURCE
#include <ucontext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int faults;

static void on_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	(void)number, (void)info;
	faults++;
	at->uc_mcontext.gregs[REG_RIP] += 2; /* ud2, or mov (%rax),%eax */
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("ud2" ::: "memory");
		__asm__ volatile("movl (%0), %%eax" ::"a"(0L) : "memory");
	}
	printf("%d\n", faults);
	return 0;
}
