/* Signals: a handler that returns, one that interrupts another, one on a stack of its own, and one
 * that leaves by siglongjmp. All frames are right: no violation. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static sigjmp_buf back;

__attribute__((noinline)) static void deeper(int depth)
{
	seen++;
	if (depth)
		deeper(depth - 1);
	seen++;
}

static void inner(int number)
{
	seen += number;
	deeper(2);
}

static void outer(int number)
{
	seen += number;
	raise(SIGUSR2);
	deeper(3);
}

static void leaver(int number)
{
	seen += number;
	deeper(1);
	siglongjmp(back, 1);
}

static void on_other_stack(int number)
{
	seen += number;
	deeper(4);
}

/* Faults in its own code, so that the signal comes between two of its instructions. */
__attribute__((noinline)) static int fault(volatile int *where, int value)
{
	int sum = value * 3;
	*where = sum;
	return sum + *where;
}

__attribute__((noinline)) static int work(int rounds)
{
	int sum = 0;
	for (int i = 0; i < rounds; i++)
		sum += i ^ seen;
	return sum;
}

int main(void)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction action = {.sa_handler = outer};
	sigaction(SIGUSR1, &action, NULL);
	action.sa_handler = inner;
	sigaction(SIGUSR2, &action, NULL);
	action.sa_handler = leaver;
	sigaction(SIGSEGV, &action, NULL);
	sigaltstack(&stack, NULL);
	action.sa_handler = on_other_stack;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGHUP, &action, NULL);
	raise(SIGUSR1);
	kill(getpid(), SIGHUP);
	int sum = work(5);
	for (volatile int i = 0; i < 2; i++)
		if (!sigsetjmp(back, 1))
			sum += fault(NULL, sum);
	sum += work(5);
	free(stack.ss_sp);
	return sum == 1 ? 1 : 0;
}
