/* the same instruction on another variable
 * expect: operand */
	.text
#ifdef WITH_G
#define WHICH second
#else
#define WHICH first
#endif
	.globl	f
	.type	f, @function
f:
	movl	WHICH(%rip), %eax
	addl	first(%rip), %eax
	addl	second(%rip), %eax
	ret
	.size	f, .-f
	.local	first, second
	.comm	first,4,4
	.comm	second,4,4
	.section .note.GNU-stack,"",@progbits
