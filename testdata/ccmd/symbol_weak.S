/* a function that another object may replace
 * expect: symbol */
	.text
#ifndef WITH_G
	.globl	f
#endif
	.type	f, @function
f:
	ret
	.size	f, .-f
#ifdef WITH_G
	.weak	f
#endif
	.section .note.GNU-stack,"",@progbits
