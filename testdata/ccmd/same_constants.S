/* the second half of a constant, whatever the next constant is
 * expect: same */
	.text
	.globl	f
	.type	f, @function
f:
	movsd	one + 8(%rip), %xmm0
	movaps	two(%rip), %xmm1
	ret
	.size	f, .-f
	.section .rodata.cst16, "aM", @progbits, 16
#ifdef WITH_G
two:
	.quad	3, 4
one:
	.quad	1, 2
#else
one:
	.quad	1, 2
two:
	.quad	3, 4
#endif
	.section .note.GNU-stack,"",@progbits
