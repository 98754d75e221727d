/* common room asked for in another order
 * expect: same */
	.text
	.globl	f
	.type	f, @function
f:
#ifdef WITH_G
	.comm	second, 4, 4
#endif
	.comm	first, 8, 8
#ifndef WITH_G
	.comm	second, 4, 4
#endif
	movl	first(%rip), %eax
	addl	second(%rip), %eax
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
