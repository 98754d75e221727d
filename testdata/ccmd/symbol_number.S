/* a name for a number
 * expect: symbol */
	.text
	.globl	f
	.type	f, @function
f:
	ret
	.size	f, .-f
	.globl	number
#ifdef WITH_G
	.set	number, 5
#else
	.set	number, 4
#endif
	.section .note.GNU-stack,"",@progbits
