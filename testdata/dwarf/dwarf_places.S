/* dwarf_places.S - places that debuggers, or who asks them, take for others.
 *
 * `p` is first in rax and then in memory, at the address that rax has: that of `cell`, which holds 5.
 * (lldb's API gives the contents of a register as the address of a pointer that is in it.)
 * `early` saves rbx on the way that is not taken; where it is not saved any more, DW_CFA_restore says
 * so. lldb 15 goes on to take it from the stack, where main left 77: main's `kept` is 30.
 * `copy` is an instance of `whole`, in which `count` is static: it has one place, which the abstract
 * instance gives, and no entry of its own. lldb 15 does not list it.
 *
 * expect: in_memory p value 0x5
 * expect: out:1 kept value 30
 * expect: in_copy count value 12
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: out:1 kept: 77
 * lldb: in_copy count: error: no variable named 'count' found in this frame
 */
#include "dwarf_asm.h"

JUMPER(early)
	jmp early_out
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	nop
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
early_out:
	.cfi_restore %rbx
STOP(out)
	ret
	end_jumper early

FUNCTION(copy)
STOP(in_copy)
	end_function copy

FUNCTION(main)
	push %rbx
	push %rax
	mov $30, %rbx
	push $1
	push $77
	pop %rax
	pop %rax
	call early
after_early:
	lea cell(%rip), %rax
p_start:
STOP(in_register)
p_moves:
STOP(in_memory)
p_end:
	call copy
after_copy:
	xor %eax, %eax
	mov -8(%rbp), %rbx
	end_function main

	.data
cell:	.quad 5
counter: .long 12

	.section .debug_loclists, "", @progbits
	.long loclists_end - loclists_version
loclists_version:
	.short 5
	.byte 8, 0
	.long 0
p_list:
	.byte DW_LLE_start_length
	.quad p_start
	.uleb128 p_moves - p_start
	ops DW_OP_reg0
	.byte DW_LLE_start_length
	.quad p_moves
	.uleb128 p_end - p_moves
	ops DW_OP_breg0, 0
	.byte DW_LLE_end_of_list
loclists_end:

	unit 5
	plain_subprogram early
	end_children
o_whole: parent DW_TAG_subprogram
	string DW_AT_name, "whole"
	flag DW_AT_external
	ref DW_AT_type, t_int
	data1 DW_AT_inline, 1
	end
	variable count, t_int
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad counter
	end_expr
	end
	end_children
	parent DW_TAG_subprogram
	ref DW_AT_abstract_origin, o_whole
	code_range copy, end_copy
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	end
	end_children
	plain_subprogram main
	variable kept, t_int
	expr DW_AT_location, DW_OP_reg3
	end
	variable p, t_int_pointer
	sec_offset DW_AT_location, p_list
	end
	end_children
	end_unit
