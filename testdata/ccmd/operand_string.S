/* a string of another content
 * expect: operand */
	.text
	.globl	f
	.type	f, @function
f:
	leaq	.Ltext(%rip), %rax
	ret
	.size	f, .-f
	.section .rodata.str1.1,"aMS",@progbits,1
.Ltext:
#ifdef WITH_G
	.string	"with"
#else
	.string	"none"
#endif
	.section .note.GNU-stack,"",@progbits
