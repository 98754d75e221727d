/* a function in the section of those that are seldom called
 * expect: layout */
	.text
#ifdef WITH_G
	.section .text.unlikely,"ax",@progbits
#endif
	.globl	f
	.type	f, @function
f:
	movl	%edi, %eax
	ret
	.size	f, .-f
	.text
	.globl	g
	.type	g, @function
g:
	ret
	.size	g, .-g
	.section .note.GNU-stack,"",@progbits
