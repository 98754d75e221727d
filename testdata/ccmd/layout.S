/* two blocks have changed places
 * expect: layout */
	.text
	.globl	f
	.type	f, @function
f:
	testl	%edi, %edi
#ifdef WITH_G
	jne	1f
	leal	2(%rsi), %eax
	imull	%esi, %eax
	ret
1:
	leal	1(%rsi), %eax
	subl	%esi, %eax
	ret
#else
	je	1f
	leal	1(%rsi), %eax
	subl	%esi, %eax
	ret
1:
	leal	2(%rsi), %eax
	imull	%esi, %eax
	ret
#endif
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
