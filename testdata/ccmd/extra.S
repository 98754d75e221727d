/* an instruction more, which is no padding: what follows is not aligned
 * expect: extra nop */
	.text
	.globl	f
	.type	f, @function
f:
	movl	%edi, %eax
#ifdef WITH_G
	nop
#endif
	addl	$1, %eax
	imull	%eax, %eax
	subl	%edi, %eax
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
