/* Calls that code without line information makes or passes on. exit() calls its handlers from one
 * place, and each of them ends with a jump to puts(): the next one is not jumped to from there.
 * Each function of `enders` is called by a loop with another rbx. `apply` jumps to the function
 * that it is given, with arguments of its own: they are not those of the call of `apply`. All is
 * right: no violation.
 */
#include <stdio.h>
#include <stdlib.h>

int apply(int (*function)(void *, int), int number);
void each(void (*const *functions)(void), long count);

__asm__(".pushsection .text.without_lines, \"ax\", @progbits\n"
	"apply:\n\t"
	"lea 1(%rsi), %esi\n\t"
	"mov %rdi, %rax\n\t"
	"xor %edi, %edi\n\t"
	"jmp *%rax\n"
	"each:\n\t"
	".cfi_startproc\n\t"
	"push %rbx\n\t"
	".cfi_adjust_cfa_offset 8\n\t"
	".cfi_rel_offset %rbx, 0\n\t"
	"push %rbp\n\t"
	".cfi_adjust_cfa_offset 8\n\t"
	".cfi_rel_offset %rbp, 0\n\t"
	"sub $8, %rsp\n\t"
	".cfi_adjust_cfa_offset 8\n\t"
	"mov %rdi, %rbx\n\t"
	"lea (%rdi,%rsi,8), %rbp\n"
	"1:\tcall *(%rbx)\n\t"
	"add $8, %rbx\n\t"
	"cmp %rbp, %rbx\n\t"
	"jne 1b\n\t"
	"add $8, %rsp\n\t"
	".cfi_adjust_cfa_offset -8\n\t"
	"pop %rbp\n\t"
	".cfi_adjust_cfa_offset -8\n\t"
	".cfi_restore %rbp\n\t"
	"pop %rbx\n\t"
	".cfi_adjust_cfa_offset -8\n\t"
	".cfi_restore %rbx\n\t"
	"ret\n\t"
	".cfi_endproc\n"
	".popsection\n");

static volatile int sum;

static int add(void *nothing, int number)
{
	if (!nothing)
		sum += number;
	return sum;
}

static void first(void)
{
	sum++;
	puts("first");
}

static void second(void)
{
	sum += 2;
	puts("second");
}

static void third(void)
{
	sum += 3;
	puts("third");
}

static void (*const enders[])(void) = {first, second, third, first};

int main(void)
{
	int (*volatile through)(int (*)(void *, int), int) = apply;
	int number = apply(add, 40);
	number += through(add, number);
	each(enders, 4);
	atexit(first);
	atexit(second);
	atexit(third);
	exit(number < 0);
}
