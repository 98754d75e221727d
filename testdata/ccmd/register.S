/* the same instructions, another register
 * expect: register */
	.text
#ifdef WITH_G
#define REG %edx
#else
#define REG %ecx
#endif
	.globl	f
	.type	f, @function
f:
	movl	%edi, REG
	leal	(%rdi,%rdi,2), %eax
	addl	REG, %eax
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
