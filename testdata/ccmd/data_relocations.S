/* two relocations in one place, and then a pointer that differs
 * expect: data */
	.text
	.globl	f
	.type	f, @function
f:
	leaq	x(%rip), %rax
	ret
	.size	f, .-f
	.data
	.type	x, @object
	.size	x, 16
x:
	.reloc	x, R_X86_64_NONE, f
	.quad	g
#ifdef WITH_G
	.quad	k
#else
	.quad	h
#endif
	.section .note.GNU-stack,"",@progbits
