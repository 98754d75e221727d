/* fair_called_anew.c - a function that by a tail call leads to code without debug information, which
 * jumps back to it with other arguments: what its caller passed is not what it was entered with then.
 * gdb says nothing of that, on purpose. lldb and xstep take it that nobody jumps back. */
static volatile int sink, times;

int again(int number, const char *text);
__asm__(".text\n"
	".globl again\n"
	".type again, @function\n"
	"again:\n"
	"	incl times(%rip)\n"
	"	cmpl $1, times(%rip)\n"
	"	jne 1f\n"
	"	movl $99, %edi\n"
	"	jmp first\n"
	"1:	xorl %eax, %eax\n"
	"	ret\n"
	".size again, .-again\n");

__attribute__((noinline)) static void other(void)
{
	sink++;
	__asm__ volatile("" : : : "rdi", "rsi", "rax", "rcx", "rdx");
}

__attribute__((noinline, noclone, used)) int first(int number, const char *text)
{
	sink = number;
	other();
	sink += 2;
	return again(3, text);
}

int main(void)
{
	return first(7, "text") != 0;
}
