/* two static variables of one name, that have changed places
 * expect: operand */
	.text
#ifdef WITH_G
#define ONE x.1
#define TWO x.0
#else
#define ONE x.0
#define TWO x.1
#endif
	.globl	f
	.type	f, @function
f:
	movl	ONE(%rip), %eax
	movl	TWO(%rip), %edx
	movl	$1, x.0(%rip)
	movl	$2, x.1(%rip)
	addl	%edx, %eax
	ret
	.size	f, .-f
	.local	x.0, x.1
	.comm	x.0,4,4
	.comm	x.1,4,4
	.section .note.GNU-stack,"",@progbits
