/* a condition that is turned round: no other layout, for nothing is laid out otherwise
 * expect: other */
	.text
	.globl	f
	.type	f, @function
f:
	testl	%edi, %edi
#ifdef WITH_G
	jne	1f
#else
	je	1f
#endif
	addl	$1, %esi
1:
	movl	%esi, %eax
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
