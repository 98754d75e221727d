/* Ways of control that a copy of the code must go as the code itself does. Without an argument it
 * names them; with one it goes that way, checks what it can, and says what came of it. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

extern char __executable_start, etext;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned twice(unsigned n)
{
	return 2 * n;
}

static unsigned choose(unsigned n)
{
	switch (n % 7) {
	case 0:
		return n + 3;
	case 1:
		return n ^ 5;
	case 2:
		return n * 3;
	case 3:
		return n - 9;
	case 4:
		return n << 2;
	case 5:
		return ~n;
	default:
		return n;
	}
}

/* Calls, returns and callbacks, direct and not. */
static unsigned calls(void)
{
	unsigned (*volatile functions[])(unsigned) = {fibonacci, twice, choose};
	unsigned sum = 0;
	int list[40];
	for (unsigned i = 0; i < 30; i++)
		sum = sum * 3 + functions[i % 3](i % 9);
	for (int i = 0; i < 40; i++)
		list[i] = i * 7919 % 101;
	qsort(list, 40, sizeof *list, compare);
	for (int i = 0; i < 40; i++)
		sum += choose((unsigned)(list[i] * i));
	return sum;
}

static jmp_buf there;

static void leap(int depth)
{
	if (!depth)
		longjmp(there, 3);
	leap(depth - 1);
}

/* Jumps that no call matches. */
static unsigned jumps(void)
{
	static void *const labels[] = {&&add, &&shift, &&leave};
	volatile unsigned sum = 1, round = 0;
	for (unsigned i = 0; i < 5; i++)
		if (!setjmp(there))
			leap(4);
		else
			sum += i;
	goto *labels[0];
add:
	sum += 5;
	goto *labels[1];
shift:
	sum = sum << 1 | (sum >> 31);
	goto *labels[++round < 9 ? round % 2 : 2];
leave:
	return sum;
}

/* Instructions that a copy must not take at their word. */
static unsigned instructions(void)
{
	uint64_t sum, flags, text[8] = {1, 2, 3, 4, 5, 6, 7, 8}, copy[8] = {0}, zone;
	/* Where it is: a call of what follows, and lea. */
	__asm__ volatile("sub $128, %%rsp\n\tcall 1f\n1:\tpop %%rax\n\tlea 1b(%%rip), %%rcx\n\t"
			 "sub %%rcx, %%rax\n\tadd $128, %%rsp\n\tmov %%rax, %0"
			 : "=r"(sum)
			 :
			 : "rax", "rcx", "cc", "memory");
	/* Loops that count in rcx, and jump if it is zero. */
	__asm__ volatile(
		"mov $9, %%ecx\n1:\tadd %%rcx, %0\n\tloop 1b\n\tjrcxz 2f\n\tadd $1000, %0\n"
		"2:\tmov $5, %%ecx\n3:\tinc %0\n\tcmp $400, %0\n\tloopne 3b\n\t"
		"xor %%ecx, %%ecx\n\tjecxz 4f\n\tadd $2000, %0\n4:"
		: "+r"(sum)
		:
		: "rcx", "cc");
	/* Flags that live from block to block, through jumps and a call. */
	__asm__ volatile(
		"sub $128, %%rsp\n\tmov $20, %%ecx\n\tstc\n1:\tadc $3, %0\n\tlea -1(%%rcx), "
		"%%rcx\n\tjmp 2f\n\tud2\n2:\tjrcxz 3f\n\tcall 4f\n\tjmp 1b\n4:\tret\n"
		"3:\tpushf\n\tpop %1\n\tand $0xcd5, %1\n\tadd $128, %%rsp"
		: "+r"(sum), "=r"(flags)
		:
		: "rcx", "cc", "memory");
	/* A return that takes arguments along, to an address that was pushed. */
	__asm__ volatile("sub $128, %%rsp\n\tpushq $7\n\tpushq $8\n\tlea 1f(%%rip), %%rax\n\t"
			 "push %%rax\n\tret $16\n\tud2\n1:\tadd $128, %%rsp\n\tadd $1, %0"
			 : "+r"(sum)
			 :
			 : "rax", "cc", "memory");
	/* Strings; what is below rsp. */
	__asm__ volatile("mov %0, %%rsi\n\tmov %1, %%rdi\n\tmov $8, %%ecx\n\trep movsq"
			 :
			 : "r"(text), "r"(copy)
			 : "rsi", "rdi", "rcx", "memory");
	__asm__ volatile(
		"movq $77, -8(%%rsp)\n\tmovq $78, -120(%%rsp)\n\tmov $4, %%ecx\n1:\tloop 1b\n\t"
		"jmp 2f\n2:\tmov -8(%%rsp), %0\n\tadd -120(%%rsp), %0"
		: "=r"(zone)
		:
		: "rcx", "cc", "memory");
	/* Code inside of an instruction: jump into the operand of a mov. */
	__asm__ volatile("mov $3, %%ecx\n2:\tjmp 1f+1\n1:\t.byte 0xb8, 0xff, 0xc9, 0x90, 0x90\n\t"
			 "test %%ecx, %%ecx\n\tjnz 2b\n\tadd $1, %0"
			 : "+r"(sum)
			 :
			 : "rax", "rcx", "cc");
	return (unsigned)(sum * 31 + flags * 7 + copy[7] + zone);
}

/* Sets flags by popf. */
static unsigned flags(void)
{
	uint64_t sum = 5;
	for (unsigned i = 0; i < 10; i++)
		__asm__ volatile(
			"sub $128, %%rsp\n\tpushf\n\torq $1, (%%rsp)\n\tpopf\n\tadc $0, %0\n\t"
			"add $128, %%rsp"
			: "+r"(sum)
			:
			: "cc", "memory");
	return (unsigned)sum;
}

static volatile unsigned faults, wrong;

static void check_pc(const ucontext_t *context)
{
	uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	/* In the program's own code, high up in a library's, or nowhere. */
	if (pc && (pc < (uintptr_t)&__executable_start || pc >= (uintptr_t)&etext) &&
		pc < UINT64_C(0x7f0000000000))
		wrong++;
}

static sigjmp_buf safe;

/* The instruction that failed is told by its own address. */
static void on_fault(int number, siginfo_t *info, void *arg)
{
	ucontext_t *context = arg;
	check_pc(context);
	faults++;
	if (number == SIGFPE && info->si_addr != (void *)context->uc_mcontext.gregs[REG_RIP])
		wrong++;
	if (number == SIGFPE || number == SIGILL)
		context->uc_mcontext.gregs[REG_RIP] += 2;
	else
		siglongjmp(safe, 1);
}

/* Instructions that fail, in the midst of others and as branches. */
static unsigned fail(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	uint64_t sum = 0;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	for (volatile unsigned i = 0; i < 12; i++) {
		if (sigsetjmp(safe, 1))
			continue;
		switch (i % 6) {
		case 0:
			__asm__ volatile("xor %%ecx, %%ecx\n\tadd $1, %0\n\tdiv %%ecx\n\tadd $2, %0"
					 : "+r"(sum)
					 :
					 : "rax", "rcx", "rdx", "cc");
			break;
		case 1:
			__asm__ volatile("add $4, %0\n\tud2\n\tadd $8, %0" : "+r"(sum) : : "cc");
			break;
		case 2:
			*(volatile int *)8 = 1;
			break;
		case 3: /* a call through nothing */
			((void (*volatile)(void))0)();
			break;
		case 4: /* a jump to what is no address */
			__asm__ volatile("mov $0x1122334455667788, %%rax\n\tjmp *%%rax"
					 :
					 :
					 : "rax");
			break;
		default: /* a return to it */
			__asm__ volatile("sub $128, %%rsp\n\tmov $0x1122334455667788, %%rax\n\t"
					 "push %%rax\n\tret"
					 :
					 :
					 : "rax", "memory");
		}
	}
	return (unsigned)sum * 100 + faults;
}

static volatile unsigned alarms;

static void on_alarm(int number, siginfo_t *info, void *arg)
{
	(void)number, (void)info;
	check_pc(arg);
	alarms += choose(alarms) > 1000000000 ? 2 : 1;
}

/* Everything at once, while signals come at any moment. */
static unsigned storm(void)
{
	struct sigaction action = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	unsigned sum = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (unsigned i = 0; i < 300; i++)
		sum = sum * 5 + calls() + jumps() + instructions() + flags();
	setitimer(ITIMER_REAL, &never, NULL);
	return sum;
}

/* Maps memory where a tracer may have put its own. */
static unsigned low(void)
{
	unsigned sum = calls();
	for (uintptr_t at = 0x20000000; at < 0x40000000; at += 0x4000000) {
		char *here = mmap((void *)at, 0x4000000, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		for (size_t i = 0; i < 0x4000000; i += 4096)
			sum += here[i];
		here[8] = (char)sum;
		sum += calls();
	}
	return sum;
}

/* A hundred million instructions. */
static unsigned count(void)
{
	volatile unsigned sum = 0;
	for (unsigned i = 0; i < 20000000; i++)
		sum += i;
	return sum;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned (*go)(void);
	} ways[] = {{"calls", calls}, {"jumps", jumps}, {"instructions", instructions},
		{"flags", flags}, {"fail", fail}, {"low", low}, {"storm", storm}, {"count", count}};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (argc < 2)
			puts(ways[i].name);
		else if (!strcmp(argv[1], ways[i].name))
			printf("%u, wrong: %u\n", ways[i].go(), wrong);
	}
	return wrong != 0;
}
