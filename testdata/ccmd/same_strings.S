/* strings and constants in another order
 * expect: same */
	.text
	.globl	f
	.type	f, @function
f:
	leaq	.Lone(%rip), %rax
	leaq	.Ltwo(%rip), %rdx
	movsd	.Lhalf(%rip), %xmm0
	ret
	.size	f, .-f
	.section .rodata.str1.1,"aMS",@progbits,1
#ifdef WITH_G
.Ltwo:
	.string	"two"
.Lone:
	.string	"one"
#else
.Lone:
	.string	"one"
.Ltwo:
	.string	"two"
#endif
	.section .rodata.cst8,"aM",@progbits,8
#ifdef WITH_G
	.double	2.5
#endif
.Lhalf:
	.double	0.5
	.section .note.GNU-stack,"",@progbits
