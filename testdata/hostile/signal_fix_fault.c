/* A handler of SIGSEGV that maps the page which was missing, and goes on. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int faults;

static void on_fault(int number, siginfo_t *info, void *context)
{
	char *page = (char *)((unsigned long)info->si_addr & ~4095ul);
	(void)number, (void)context;
	faults++;
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	volatile char *room = mmap(NULL, 8 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 8; i++)
		room[i * 4096] = (char)i;
	printf("%d\n", faults);
	return 0;
}
