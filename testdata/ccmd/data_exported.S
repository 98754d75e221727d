/* a variable that others can see begins with another value
 * expect: data */
	.text
	.globl	f
	.type	f, @function
f:
	ret
	.size	f, .-f
	.data
	.globl	count
	.type	count, @object
	.size	count, 4
count:
#ifdef WITH_G
	.long	2
#else
	.long	1
#endif
	.section .note.GNU-stack,"",@progbits
