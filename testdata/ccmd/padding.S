/* a loop that is aligned with debug information only
 * expect: padding */
	.text
	.globl	f
	.type	f, @function
f:
	movl	%edi, %eax
#ifdef WITH_G
	.p2align 4
#endif
1:
	addl	%edi, %eax
	decl	%edi
	jne	1b
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
