/* a jump that is encoded longer than need be
 * expect: encoding */
	.text
	.globl	f
	.type	f, @function
f:
	testl	%edi, %edi
#ifdef WITH_G
	.byte	0x0f, 0x84
	.long	1f - . - 4
#else
	je	1f
#endif
	addl	$1, %esi
1:
	movl	%esi, %eax
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
