/* a function that is aligned more
 * expect: padding */
	.text
	.globl	f
	.type	f, @function
f:
	movl	%edi, %eax
	ret
	.size	f, .-f
#ifdef WITH_G
	.p2align 5
#else
	.p2align 4
#endif
	.globl	g
	.type	g, @function
g:
	ret
	.size	g, .-g
	.section .note.GNU-stack,"",@progbits
