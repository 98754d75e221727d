/* dwarf_cfi.S - registers of the caller by every kind of CFI rule.
 *
 * In main rbx, r12, r13, r14 and r15 hold 11, 12, 13, 14 and 15; `stack` is in r8, which no rule
 * tells. callee overwrites them all and has kept: rbx in memory, found by DW_CFA_expression; r12
 * as r9 - 1 (DW_CFA_val_expression); r13 nowhere but equal to CFA - 48 (DW_CFA_val_offset; main
 * took care that this is so); r14 in r10 (DW_CFA_register); r15 not at all (DW_CFA_undefined). Its
 * CFA is an expression (lldb 15 reads the instructions instead and finds no caller). In tail,
 * restored and remembered rows tell where rbx is after a pop.
 *
 * expect: inside:1 in_rbx value 11
 * expect: inside:1 in_r12 value 12
 * expect: inside:1 difference value 0
 * expect: inside:1 in_r14 value 14
 * expect: inside:1 in_r15 optimized-out
 * expect: inside:1 in_r8 optimized-out
 * expect: inside:1 of_two.a value 11
 * expect: inside:1 of_two.b optimized-out
 * expect: popped:1 in_rbx value 11
 * expect: unpopped:1 in_rbx value 11
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: inside:1 in_r8: -1
 * gdb: inside:1 of_two.b: -1
 */
#include "dwarf_asm.h"

	.globl callee
	.type callee, @function
callee:
	.cfi_startproc
	.loc 1 __LINE__
	mov %rbx, saved_rbx(%rip)
	lea 8(%rsp), %r11
	/* CFA = r11 + 0: DW_CFA_def_cfa_expression */
	.cfi_escape DW_CFA_def_cfa_expression, 2, DW_OP_breg11, 0
	.cfi_offset %rip, -8
	lea 1(%r12), %r9
	mov %r14, %r10
	push %rbx
	/* rbx is at CFA - 16: an expression gets the CFA on its stack. */
	.cfi_escape DW_CFA_expression, 3, 3, DW_OP_lit16, DW_OP_minus, DW_OP_nop
	.cfi_escape DW_CFA_val_expression, 12, 2, DW_OP_breg9, 0x7f /* -1 */
	.cfi_val_offset %r13, -48
	.cfi_register %r14, %r10
	.cfi_undefined %r15
	mov $-1, %rbx
	mov $-1, %r12
	mov $-1, %r13
	mov $-1, %r14
	mov $-1, %r15
	mov $-1, %r8
STOP(inside)
	pop %rbx
	lea -1(%r9), %r12
	mov %r10, %r14
	ret
	.cfi_endproc
end_callee:
	.size callee, . - callee

	.globl tail
	.type tail, @function
tail:
	.cfi_startproc
	.loc 1 __LINE__
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	mov $-1, %rbx
	test %rax, %rax
	.cfi_remember_state
STOP(unpopped)
	pop %rbx
	.cfi_def_cfa_offset 8
	.cfi_restore %rbx
STOP(popped)
	ret
	.cfi_restore_state
	ud2
	.cfi_endproc
end_tail:
	.size tail, . - tail

FUNCTION(main)
	push %rbx
	push %r12
	push %r13
	push %r14
	push %r15
	push %rax
	mov $11, %ebx
	mov $12, %r12d
	lea -48(%rsp), %r13 /* callee's CFA is rsp as it is now */
	mov $14, %r14d
	mov $15, %r15d
	mov $8, %r8d
STOP(calling)
	call callee
	mov $11, %ebx
	call tail
	pop %rax
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbx
	xor %eax, %eax
	end_function main

	.data
saved_rbx: .quad 0

	.macro in_register name, reg
	variable \name, t_long
	expr DW_AT_location, DW_OP_reg0 + \reg
	end
	.endm

	unit 5
t_pair:	parent DW_TAG_structure_type
	string DW_AT_name, "pair"
	data1 DW_AT_byte_size, 16
	end
	member a, t_long, 0
	member b, t_long, 8
	end_children
	plain_subprogram callee
	end_children
	plain_subprogram tail
	end_children
	plain_subprogram main
	in_register in_rbx, 3
	in_register in_r12, 12
	in_register in_r14, 14
	in_register in_r15, 15
	in_register in_r8, 8
	/* r13 - (rsp - 48), in main's frame: 0 if both are recovered. */
	variable difference, t_long
	expr DW_AT_location, DW_OP_breg13, 0, DW_OP_breg7, 0x50, DW_OP_minus, DW_OP_stack_value
	end
	variable of_two, t_pair
	expr DW_AT_location, DW_OP_reg3, DW_OP_piece, 8, DW_OP_reg8, DW_OP_piece, 8
	end
	end_children
	end_unit
