/* what is before a variable, and its end: told by section and number, and so in other variables
 * expect: same */
	.text
	.globl	f
	.type	f, @function
f:
	movl	$x - 4, %eax
	movl	$x + 16, %ecx
	movl	$y, %edx
	ret
	.size	f, .-f
	.data
#ifdef WITH_G
	.type	pad, @object
	.size	pad, 8
pad:
	.quad	5
#endif
	.type	x, @object
	.size	x, 16
x:
	.quad	1, 2
#ifdef WITH_G
	.zero	8
#endif
	.type	y, @object
	.size	y, 8
y:
	.quad	3
	.section .note.GNU-stack,"",@progbits
