/* an instruction fewer
 * expect: missing mov */
	.text
	.globl	f
	.type	f, @function
f:
	pushq	%rbp
	movq	%rsp, %rbp
#ifndef WITH_G
	movl	%edi, -4(%rbp)
#endif
	movl	%edi, %eax
	popq	%rbp
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
