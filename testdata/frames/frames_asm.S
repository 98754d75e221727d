/* Assembly by hand that is called by frames_asm_with.c: what is wrong with the call frame information is
 * in the comment of each function, and after it what xstep check frames must say. */
	.text

/* Right: pushes and pops, and says so; `call next` is a push, too. */
	.globl	right
	.type	right, @function
right:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	call	1f
	.cfi_adjust_cfa_offset 8
1:	pop	%rbx
	.cfi_adjust_cfa_offset -8
	mov	%edi, %eax
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size	right, . - right

/* Moves the stack pointer, and does not say so: F1 wrong-cfa-stack-pointer. */
	.globl	moves
	.type	moves, @function
moves:
	.cfi_startproc
	sub	$24, %rsp
	mov	%edi, 8(%rsp)
	mov	8(%rsp), %eax
	add	$24, %rsp
	ret
	.cfi_endproc
	.size	moves, . - moves

/* Says too early that it has pushed: F1 wrong-cfa-row. */
	.globl	early
	.type	early, @function
early:
	.cfi_startproc
	mov	%edi, %eax
	.cfi_adjust_cfa_offset 8
	nop
	push	%rax
	pop	%rcx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	early, . - early

/* Uses rbx and r12, and does not say where they are saved: F3 wrong-register-unsaved. */
	.globl	clobbers
	.type	clobbers, @function
clobbers:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	push	%r12
	.cfi_adjust_cfa_offset 8
	lea	3(%rdi), %ebx
	mov	%ebx, %eax
	mov	$5, %r12d
	nop
	pop	%r12
	.cfi_adjust_cfa_offset -8
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	clobbers, . - clobbers

/* Says that r13 is saved where it is not: F3 wrong-register-row. */
	.globl	elsewhere
	.type	elsewhere, @function
elsewhere:
	.cfi_startproc
	push	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r13, 8
	mov	%edi, %eax
	pop	%r13
	.cfi_adjust_cfa_offset -8
	.cfi_restore r13
	ret
	.cfi_endproc
	.size	elsewhere, . - elsewhere

/* Has none at all: F1 no-cfi. */
	.globl	silent
	.type	silent, @function
silent:
	mov	%edi, %eax
	inc	%eax
	ret
	.size	silent, . - silent

/* Says on purpose that nothing called it: left. */
	.globl	bottom
	.type	bottom, @function
bottom:
	.cfi_startproc
	.cfi_undefined rip
	mov	%edi, %eax
	ret
	.cfi_endproc
	.size	bottom, . - bottom

	.section .note.GNU-stack,"",@progbits
