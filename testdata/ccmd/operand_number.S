/* another place in the frame
 * expect: operand */
	.text
#ifdef WITH_G
#define SLOT -8
#else
#define SLOT -4
#endif
	.globl	f
	.type	f, @function
f:
	movl	%edi, SLOT(%rsp)
	movl	SLOT(%rsp), %eax
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
