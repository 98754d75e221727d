/* dwarf_entry_forms.S - one thing in other words: what DW_OP_entry_value names, and what call sites do.
 *
 * The call site says that edi is 17, rdx 23 by DW_OP_regx, xmm3 1.5, that behind rsi there is 29,
 * and that 31 is on the stack, once by rsp and once, 37, by the caller's frame base. callee names
 * each of them by other operators. `lower` is the lower byte of edi, `low` that of what is behind
 * rsi. Of r8 nothing is said, nor of what is behind rdi. The second call is told by its own
 * address, DW_AT_call_pc, and goes through a pointer.
 *
 * expect: here plain value 17
 * expect: here by_x value 17
 * expect: here by_based value 17
 * expect: here by_typed value 17
 * expect: here lower value 17
 * expect: here rdx value 23
 * expect: here xmm3 value 1.5
 * expect: here behind value 29
 * expect: here low value 29
 * expect: here no_behind optimized-out
 * expect: here stack value 31
 * expect: here stack2 value 37
 * expect: here no_stack optimized-out
 * expect: here r8 optimized-out
 * expect: there n value 23
 */
#include "dwarf_asm.h"

FUNCTION(callee)
	mov $-1, %rdi
	mov $-1, %rsi
	mov $-1, %rdx
	xorps %xmm3, %xmm3
STOP(here)
	end_function callee

FUNCTION(callee2)
	mov $-1, %edi
STOP(there)
	end_function callee2

FUNCTION(main)
	push $37
	push $31
	mov $17, %edi
	mov %rsp, %rsi
	mov $23, %edx
	call callee
after_call:
	lea callee2(%rip), %rax
	mov $23, %edi
call2:	call *%rax
	xor %eax, %eax
	end_function main

	.macro entered name, type, bytes:vararg
	variable \name, \type
	expr DW_AT_location, DW_OP_entry_value, \bytes, DW_OP_stack_value
	end
	.endm
	.macro passes bytes:vararg
	die DW_TAG_call_site_parameter
	expr DW_AT_location, \bytes
	.endm

	unit 5
v_callee:
	plain_subprogram callee
	entered plain, t_int, 1, DW_OP_reg5
	entered by_x, t_int, 2, DW_OP_regx, 5
	entered by_based, t_int, 2, DW_OP_breg5, 0
	entered by_typed, t_int, 3, DW_OP_regval_type, 5, t_int - unit_start
	entered lower, t_uchar, 3, DW_OP_regval_type, 5, t_uchar - unit_start
	entered rdx, t_int, 3, DW_OP_bregx, 1, 0
	variable xmm3, t_double
	begin_expr DW_AT_location
	.byte DW_OP_entry_value, 4, DW_OP_regval_type, 20
	.uleb128 t_double - unit_start
	.byte DW_OP_stack_value
	end_expr
	end
	entered behind, t_int, 3, DW_OP_breg4, 0, DW_OP_deref
	entered low, t_uchar, 4, DW_OP_breg4, 0, DW_OP_deref_size, 1
	entered no_behind, t_int, 3, DW_OP_breg5, 0, DW_OP_deref
	entered stack, t_int, 3, DW_OP_breg7, 8, DW_OP_deref
	entered stack2, t_int, 4, DW_OP_breg7, 16, DW_OP_deref_size, 4
	entered no_stack, t_int, 3, DW_OP_breg7, 24, DW_OP_deref
	entered r8, t_int, 2, DW_OP_regx, 8
	end_children
v_callee2:
	plain_subprogram callee2
	parameter n, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	end_children
	subprogram main
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	parent DW_TAG_call_site
	addr DW_AT_call_return_pc, after_call
	ref DW_AT_call_origin, v_callee
	end
	passes DW_OP_reg5
	expr DW_AT_call_value, DW_OP_lit17
	end
	passes DW_OP_regx, 1
	expr DW_AT_call_value, DW_OP_lit23
	end
	passes DW_OP_reg20
	begin_expr DW_AT_call_value
	.byte DW_OP_const_type
	.uleb128 t_double - unit_start
	.byte 8
	.double 1.5
	end_expr
	end
	passes DW_OP_reg4
	expr DW_AT_call_data_value, DW_OP_const1u, 29
	end
	passes DW_OP_breg7, 0
	expr DW_AT_call_value, DW_OP_lit31
	end
	passes DW_OP_fbreg, 0x68
	expr DW_AT_call_value, DW_OP_const1u, 37
	end
	end_children
	parent DW_TAG_call_site
	addr DW_AT_call_pc, call2
	expr DW_AT_call_target, DW_OP_breg0, 0
	end
	passes DW_OP_reg5
	expr DW_AT_call_value, DW_OP_lit23
	end
	end_children
	end_children
	end_unit
