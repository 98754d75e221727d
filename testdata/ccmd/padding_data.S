/* data that is aligned otherwise
 * expect: padding */
	.text
	.globl	f
	.type	f, @function
f:
	leaq	x(%rip), %rax
	ret
	.size	f, .-f
	.data
#ifdef WITH_G
	.balign	32
#else
	.balign	16
#endif
	.type	x, @object
	.size	x, 16
x:
	.quad	1, 2
	.section .note.GNU-stack,"",@progbits
