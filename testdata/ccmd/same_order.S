/* static variables and tables in another order, with other numbers
 * expect: same */
	.text
#ifdef WITH_G
#define ONE x.1
#define TWO x.7
#else
#define ONE x.0
#define TWO x.1
#endif
	.globl	f
	.type	f, @function
f:
	movl	ONE(%rip), %eax
	movl	$1, TWO(%rip)
	leaq	.Ltable(%rip), %rdx
	movslq	(%rdx,%rdi,4), %rcx
	addq	%rdx, %rcx
	jmp	*%rcx
1:
	movl	.Lnumbers(%rip), %eax
	ret
2:
	ret
	.size	f, .-f
	.data
	.balign	4
#ifdef WITH_G
	.type	TWO, @object
	.size	TWO, 4
TWO:
	.long	2
#endif
	.type	ONE, @object
	.size	ONE, 4
ONE:
	.long	1
#ifndef WITH_G
	.type	TWO, @object
	.size	TWO, 4
TWO:
	.long	2
#endif
	.section .rodata
	.balign	8
#ifdef WITH_G
.Lnumbers:
	.long	5, 6
	.balign	16
#endif
.Ltable:
	.long	1b-.Ltable, 2b-.Ltable
#ifndef WITH_G
	.balign	16
.Lnumbers:
	.long	5, 6
#endif
	.section .note.GNU-stack,"",@progbits
