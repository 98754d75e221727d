/* dwarf_arith.S - operators on the generic type: what is signed, what is not.
 *
 * Every value is made from constants, -7 in rbx and 16 bytes of memory. By DWARF 5, 2.5.1.4:
 * DW_OP_div, abs, shra and the comparisons are signed, mod and shr are not; deref_size
 * zero-extends.
 *
 * expect: here div value -3
 * expect: here div_both value 3
 * expect: here div_register value -3
 * expect: here div_memory value -3
 * expect: here mod value 9
 * expect: here shr value 9223372036854775804
 * expect: here shra value -4
 * expect: here abs value 7
 * expect: here neg value -5
 * expect: here not value -6
 * expect: here lt value 1
 * expect: here gt value 0
 * expect: here minus value -1
 * expect: here rot value 312
 * expect: here pick value 11
 * expect: here over value 4
 * expect: here byte value 128
 * expect: here half value 65408
 * expect: here word value 4294967168
 * expect: here sbyte value -128
 * expect: here times value -18
 * expect: here by_zero error
 * expect: here shl_all value 0
 * expect: here shr_all value 0
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: here div_register: 9223372036854775804
 * lldb: here div_memory: 9223372036854775804
 * lldb: here mod: -7
 * lldb: here lt: <extracting data from value failed>
 * lldb: here gt: <extracting data from value failed>
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push %rbx
	push %rax
	mov $-7, %rbx
STOP(here)
	pop %rax
	pop %rbx
	xor %eax, %eax
	end_function main

	.data
bytes:	.byte 0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f
seven:	.quad -7

	unit 5
	plain_subprogram main
	variable div, t_long
	expr DW_AT_location, DW_OP_const1s, -7, DW_OP_lit2, DW_OP_div, DW_OP_stack_value
	end
	variable div_both, t_long
	expr DW_AT_location, DW_OP_const1s, -7, DW_OP_const1s, -2, DW_OP_div, DW_OP_stack_value
	end
	variable div_register, t_long
	expr DW_AT_location, DW_OP_breg3, 0, DW_OP_lit2, DW_OP_div, DW_OP_stack_value
	end
	variable div_memory, t_long
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad seven
	.byte DW_OP_deref, DW_OP_lit2, DW_OP_div, DW_OP_stack_value
	end_expr
	end
	variable mod, t_long
	expr DW_AT_location, DW_OP_const1s, -7, DW_OP_lit10, DW_OP_mod, DW_OP_stack_value
	end
	variable shr, t_long
	expr DW_AT_location, DW_OP_const1s, -8, DW_OP_lit1, DW_OP_shr, DW_OP_stack_value
	end
	variable shra, t_long
	expr DW_AT_location, DW_OP_const1s, -8, DW_OP_lit1, DW_OP_shra, DW_OP_stack_value
	end
	variable abs, t_long
	expr DW_AT_location, DW_OP_const1s, -7, DW_OP_abs, DW_OP_stack_value
	end
	variable neg, t_long
	expr DW_AT_location, DW_OP_lit5, DW_OP_neg, DW_OP_stack_value
	end
	variable not, t_long
	expr DW_AT_location, DW_OP_lit5, DW_OP_not, DW_OP_stack_value
	end
	variable lt, t_long
	expr DW_AT_location, DW_OP_const1s, -1, DW_OP_lit1, DW_OP_lt, DW_OP_stack_value
	end
	variable gt, t_long
	expr DW_AT_location, DW_OP_const1s, -1, DW_OP_lit1, DW_OP_gt, DW_OP_stack_value
	end
	variable minus, t_long
	expr DW_AT_location, DW_OP_lit4, DW_OP_lit5, DW_OP_minus, DW_OP_stack_value
	end
	/* 1 2 3 becomes 3 1 2; then 2 + 10 * 1 + 100 * 3. */
	variable rot, t_long
	expr DW_AT_location, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_swap, \
		DW_OP_lit10, DW_OP_mul, DW_OP_plus, DW_OP_swap, DW_OP_const1u, 100, DW_OP_mul, \
		DW_OP_plus, DW_OP_stack_value
	end
	variable pick, t_long
	expr DW_AT_location, DW_OP_lit11, DW_OP_lit12, DW_OP_lit13, DW_OP_pick, 2, DW_OP_stack_value
	end
	variable over, t_long
	expr DW_AT_location, DW_OP_lit4, DW_OP_lit5, DW_OP_over, DW_OP_stack_value
	end
	variable byte, t_long
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad bytes
	.byte DW_OP_deref_size, 1, DW_OP_stack_value
	end_expr
	end
	variable half, t_long
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad bytes
	.byte DW_OP_deref_size, 2, DW_OP_stack_value
	end_expr
	end
	variable word, t_long
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad bytes
	.byte DW_OP_deref_size, 4, DW_OP_stack_value
	end_expr
	end
	variable sbyte, t_char
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad bytes
	.byte DW_OP_deref_size, 1, DW_OP_stack_value
	end_expr
	end
	variable times, t_long
	expr DW_AT_location, DW_OP_const1s, -6, DW_OP_lit3, DW_OP_mul, DW_OP_stack_value
	end
	variable by_zero, t_long
	expr DW_AT_location, DW_OP_lit1, DW_OP_lit0, DW_OP_div, DW_OP_stack_value
	end
	variable shl_all, t_long
	expr DW_AT_location, DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl, DW_OP_stack_value
	end
	variable shr_all, t_long
	expr DW_AT_location, DW_OP_const1s, -1, DW_OP_const1u, 64, DW_OP_shr, DW_OP_stack_value
	end
	end_children
	end_unit
