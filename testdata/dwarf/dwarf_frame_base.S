/* dwarf_frame_base.S - DW_OP_fbreg on each kind of frame base.
 *
 * Each function keeps an int at -12(%rbp), which is at CFA - 28. by_register has DW_OP_reg6 (the
 * register's content is the base), by_breg DW_OP_breg7 (an address from rsp), by_cfa
 * DW_OP_call_frame_cfa, by_list a location list with another base before and after a push.
 *
 * expect: in_register v value 101
 * expect: in_breg v value 102
 * expect: in_cfa v value 103
 * expect: in_list v value 104
 * expect: in_list2 v value 104
 * expect: in_cfa value_of value -28
 */
#include "dwarf_asm.h"

FUNCTION(by_register)
	movl $101, -12(%rbp)
STOP(in_register)
	end_function by_register

FUNCTION(by_breg)
	sub $16, %rsp
	movl $102, -12(%rbp)
STOP(in_breg)
	end_function by_breg

FUNCTION(by_cfa)
	movl $103, -12(%rbp)
STOP(in_cfa)
	end_function by_cfa

FUNCTION(by_list)
	sub $16, %rsp
	movl $104, -12(%rbp)
STOP(in_list)
	push %rax
pushed:
STOP(in_list2)
	end_function by_list

FUNCTION(main)
	call by_register
	call by_breg
	call by_cfa
	call by_list
	xor %eax, %eax
	end_function main

	.section .debug_loclists, "", @progbits
	.long loclists_end - loclists_version
loclists_version:
	.short 5
	.byte 8, 0
	.long 0
list_base:
	.byte DW_LLE_start_end
	.quad by_list, pushed
	ops DW_OP_breg7, 16
	.byte DW_LLE_start_end
	.quad pushed, end_by_list
	ops DW_OP_breg7, 24
	.byte DW_LLE_end_of_list
loclists_end:

	unit 5
	subprogram by_register
	expr DW_AT_frame_base, DW_OP_reg6
	end
	variable v, t_int
	expr DW_AT_location, DW_OP_fbreg, 0x74 /* -12 */
	end
	end_children
	subprogram by_breg
	expr DW_AT_frame_base, DW_OP_breg7, 0
	end
	variable v, t_int
	expr DW_AT_location, DW_OP_fbreg, 4
	end
	end_children
	plain_subprogram by_cfa
	variable v, t_int
	expr DW_AT_location, DW_OP_fbreg, 0x64 /* -28 */
	end
	variable value_of, t_long
	expr DW_AT_location, DW_OP_fbreg, 0x64, DW_OP_call_frame_cfa, DW_OP_minus, DW_OP_stack_value
	end
	end_children
	subprogram by_list
	sec_offset DW_AT_frame_base, list_base
	end
	variable v, t_int
	expr DW_AT_location, DW_OP_fbreg, 0x74
	end
	end_children
	plain_subprogram main
	end_children
	end_unit
