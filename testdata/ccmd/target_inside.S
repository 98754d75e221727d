/* a jump into an instruction: the last byte of one
 * expect: target */
	.text
	.globl	f
	.type	f, @function
f:
	testl	%edi, %edi
#ifdef WITH_G
	je	1f - 1
#else
	je	1f
#endif
	addl	$1, %esi
1:
	lock incl	(%rdx)
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
