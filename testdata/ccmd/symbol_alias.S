/* one more name for a function
 * expect: symbol */
	.text
	.globl	f
	.type	f, @function
f:
	ret
	.size	f, .-f
#ifdef WITH_G
	.globl	g
	.set	g, f
#endif
	.section .note.GNU-stack,"",@progbits
