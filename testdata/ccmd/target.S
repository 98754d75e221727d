/* a jump that leads to another instruction
 * expect: target */
	.text
	.globl	f
	.type	f, @function
f:
	testl	%edi, %edi
#ifdef WITH_G
	je	2f
#else
	je	1f
#endif
	addl	$1, %esi
1:
	addl	$2, %esi
2:
	movl	%esi, %eax
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
