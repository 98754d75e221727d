/* a variable of another object that need not be there
 * expect: operand */
	.text
	.globl	f
	.type	f, @function
f:
	movq	x@GOTPCREL(%rip), %rax
	ret
	.size	f, .-f
#ifdef WITH_G
	.weak	x
#endif
	.section .note.GNU-stack,"",@progbits
