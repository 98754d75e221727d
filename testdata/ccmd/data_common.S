/* common room is larger: what the linker places behind it lies elsewhere
 * expect: data */
	.text
	.globl	f
	.type	f, @function
f:
	movl	room(%rip), %eax
	ret
	.size	f, .-f
#ifdef WITH_G
	.comm	room, 16, 8
#else
	.comm	room, 8, 8
#endif
	.section .note.GNU-stack,"",@progbits
