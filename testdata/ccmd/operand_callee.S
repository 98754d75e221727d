/* another function is called
 * expect: operand call */
	.text
	.globl	f
	.type	f, @function
f:
	subq	$8, %rsp
#ifdef WITH_G
	call	h
#else
	call	g
#endif
	addq	$8, %rsp
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
