/* another instruction that does the same
 * expect: other */
	.text
	.globl	f
	.type	f, @function
f:
	pushq	%rbx
#ifdef WITH_G
	xorl	%eax, %eax
#else
	movl	$0, %eax
#endif
	addl	%edi, %eax
	popq	%rbx
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
