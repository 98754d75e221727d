/* a function that only one has
 * expect: function */
	.text
	.globl	f
	.type	f, @function
f:
	movl	%edi, %eax
	ret
	.size	f, .-f
#ifdef WITH_G
	.type	f.part.0, @function
f.part.0:
	ret
	.size	f.part.0, .-f.part.0
#endif
	.section .note.GNU-stack,"",@progbits
