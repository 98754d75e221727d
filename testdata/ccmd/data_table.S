/* unnamed data that code refers to has another content
 * expect: data */
	.text
	.globl	f
	.type	f, @function
f:
	leaq	.Lnumbers(%rip), %rax
	movl	(%rax,%rdi,4), %eax
	ret
	.size	f, .-f
	.section .rodata
	.balign	4
.Lnumbers:
	.long	1
#ifdef WITH_G
	.long	3
#else
	.long	2
#endif
	.section .note.GNU-stack,"",@progbits
