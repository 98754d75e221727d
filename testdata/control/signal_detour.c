/* A loop that faults in the instruction before its branch, after many rounds: wherever the tracer
 * has put the two by then, the handler sees the pc that they have in the program. The branch's
 * other way leads to code that was seen before. Where the program lies low, and with these bytes
 * behind the branch, both must be moved.
 *
 * build: -fno-pie -no-pie
 * end: main returned; exited with status 0
 * functions: main find on_fault
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

static char *fault_pc;
static char *page;

static void on_fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *user = context;
	(void)number;
	fault_pc = (char *)user->uc_mcontext.gregs[REG_RIP];
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
	*(char *)info->si_addr = 1;
}

/* The first 1 at or behind p, every 16 bytes; p itself at once if there is nothing to look for. */
static __attribute__((noinline)) char *find(char *p, long look, char **compares)
{
	__asm__ volatile("lea 1f(%%rip), %1\n\t"
			 "test %2, %2\n\t"
			 "jz 2f\n"
			 "0:\tadd $16, %0\n"
			 "1:\tcmpb $1, (%0)\n\t"
			 "jne 0b\n"
			 "2:\tnop\n\tnop\n\tnop\n\tnop\n\t"
			 : "+r"(p), "=&r"(*compares)
			 : "r"(look)
			 : "cc", "memory");
	return p;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	char *compares, *memory = mmap(0, 2 * 4096, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	page = memory + 4096;
	mprotect(page, 4096, PROT_NONE);
	sigaction(SIGSEGV, &action, 0);
	if (find(memory, 0, &compares) != memory)
		return 1;
	if (find(memory, 1, &compares) != page)
		return 2;
	return fault_pc == compares ? 0 : 3;
}
