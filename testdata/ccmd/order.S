/* two instructions have changed places
 * expect: order */
	.text
	.globl	f
	.type	f, @function
f:
	pushq	%rbx
#ifdef WITH_G
	movl	%esi, %ecx
	movl	%edi, %eax
#else
	movl	%edi, %eax
	movl	%esi, %ecx
#endif
	subl	%ecx, %eax
	popq	%rbx
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
