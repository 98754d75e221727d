/* an entry of a jump table that leads to another instruction
 * expect: target */
	.text
	.globl	f
	.type	f, @function
f:
	leaq	.Ltable(%rip), %rdx
	movslq	(%rdx,%rdi,4), %rax
	addq	%rdx, %rax
	jmp	*%rax
.Lone:
	movl	$1, %eax
	ret
.Ltwo:
	movl	$2, %eax
	ret
	.size	f, .-f
	.section .rodata
	.balign	4
.Ltable:
	.long	.Lone-.Ltable
#ifdef WITH_G
	.long	.Lone-.Ltable
#else
	.long	.Ltwo-.Ltable
#endif
	.section .note.GNU-stack,"",@progbits
