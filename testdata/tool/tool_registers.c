/* tool_registers.c - a program with a known value in every register, and memory of every kind.
 *
 * It calls before(), loads the mathematical library, fills the registers, and dies of SIGILL at
 * stop_here: general register n holds 0x1111111111111100 + its DWARF number, except rsp, rbp
 * (pattern), r14 (zeros, in .bss) and r15 (the loaded cos). Byte i of vector register v is
 * 16 * v + i, mod 256; st0 to st2 hold 0, pi and 1. A second thread waits with other values. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

unsigned char pattern[16][32];
const char constant[] = "constants are left out of core files";
char zeros[100000];
void *volatile found;

void fill(void *patterns, long avx, void *address, void *bss, const void *text);
void before(void);

__asm__(".text\n"
	".globl fill\n"
	".type fill, @function\n"
	"fill:\n"
	"	fld1\n"
	"	fldpi\n"
	"	fldz\n"
	"	mov %rdi, %rbp\n"
	"	mov %rdx, %r15\n"
	"	mov %rcx, %r14\n"
	"	mov %r8, %r13\n"
	"	test %rsi, %rsi\n"
	"	jz 1f\n"
	"	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	vmovdqu \\n*32(%rdi), %ymm\\n\n"
	"	.endr\n"
	"	jmp 2f\n"
	"1:\n"
	"	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	movdqu \\n*32(%rdi), %xmm\\n\n"
	"	.endr\n"
	"2:\n"
	"	movabs $0x1111111111111100, %rax\n"
	"	movabs $0x1111111111111101, %rdx\n"
	"	movabs $0x1111111111111102, %rcx\n"
	"	movabs $0x1111111111111103, %rbx\n"
	"	movabs $0x1111111111111104, %rsi\n"
	"	movabs $0x1111111111111105, %rdi\n"
	"	movabs $0x1111111111111108, %r8\n"
	"	movabs $0x1111111111111109, %r9\n"
	"	movabs $0x111111111111110a, %r10\n"
	"	movabs $0x111111111111110b, %r11\n"
	"	movabs $0x111111111111110c, %r12\n"
	".globl stop_here\n"
	".type stop_here, @function\n"
	"stop_here:\n"
	"	ud2\n"
	".size stop_here, . - stop_here\n"
	".size fill, . - fill\n");

__attribute__((noinline)) void before(void)
{
	__asm__ volatile("");
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	before();
	if (argc > 1 && pthread_create(&thread, NULL, wait_for_ever, argv))
		return 1;
	void *library = dlopen("libm.so.6", RTLD_NOW);
	found = library ? dlsym(library, "cos") : NULL;
	if (!found)
		return 1;
	for (int v = 0; v < 16; v++)
		for (int i = 0; i < 32; i++)
			pattern[v][i] = (unsigned char)(16 * v + i);
	fill(pattern, __builtin_cpu_supports("avx"), found, zeros, constant);
	return 0;
}
