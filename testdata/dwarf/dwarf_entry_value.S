/* dwarf_entry_value.S - DW_OP_entry_value through DW_TAG_call_site, DWARF 5.
 *
 * main passes 17 in edi, rbx + 1 (rbx is callee-saved and 30) in esi and something of which the
 * call site says nothing in edx. callee overwrites all three and rbx too, which it saves. `sum`
 * uses an entry value in the middle of an expression. The second call comes from an inlined
 * function, whose DIE holds the call site. The frames are :0 callee, :1 its caller.
 *
 * expect: here x value 17
 * expect: here y value 31
 * expect: here z optimized-out
 * expect: here sum value 48
 * expect: here:1 kept value 30
 * expect: here:1 lost optimized-out
 * expect: deep n value 23
 * expect: deep:1 m value 22
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: here:1 lost: -1
 * lldb: here z: <Could not evaluate DW_OP_entry_value.>
 * lldb: deep n: <Could not evaluate DW_OP_entry_value.>
 */
#include "dwarf_asm.h"

FUNCTION(callee)
	push %rbx
	.cfi_offset %rbx, -24
	push %rax
	mov $-1, %edi
	mov $-1, %esi
	mov $-1, %edx
	mov $-1, %rbx
	mov $-1, %r10
STOP(here)
	mov -8(%rbp), %rbx
	end_function callee

FUNCTION(callee2)
	mov $-1, %edi
STOP(deep)
	end_function callee2

FUNCTION(main)
	push %rbx
	push %rax
	mov $30, %rbx
	mov $17, %edi
	mov $31, %esi
	mov $99, %edx
	mov $12, %r10
STOP(call)
	call callee
after_call:
	nop
inlined_start:
	mov $23, %edi
	call callee2
after_call2:
	nop
inlined_end:
	xor %eax, %eax
	mov -8(%rbp), %rbx
	end_function main

	unit 5
v_callee:
	plain_subprogram callee
	parameter x, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	parameter y, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg4, DW_OP_stack_value
	end
	parameter z, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg1, DW_OP_stack_value
	end
	variable sum, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg4, \
		DW_OP_plus, DW_OP_stack_value
	end
	end_children
v_callee2:
	plain_subprogram callee2
	parameter n, t_int
	expr DW_AT_location, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	end_children
v_between:
	parent DW_TAG_subprogram
	string DW_AT_name, "between"
	data1 DW_AT_inline, 1
	end
v_m:	parameter m, t_int
	end
	end_children
	subprogram main
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_call_all_calls
	end
	/* rbx is the caller's although the callee overwrote it: the CFI says where it is. */
	variable kept, t_int
	expr DW_AT_location, DW_OP_reg3
	end
	/* r10 is call-clobbered: what is in it now is the callee's. */
	variable lost, t_int
	expr DW_AT_location, DW_OP_reg10
	end
	parent DW_TAG_call_site
	addr DW_AT_call_return_pc, after_call
	ref DW_AT_call_origin, v_callee
	end
	die DW_TAG_call_site_parameter
	expr DW_AT_location, DW_OP_reg5
	expr DW_AT_call_value, DW_OP_lit17
	end
	die DW_TAG_call_site_parameter
	expr DW_AT_location, DW_OP_reg4
	expr DW_AT_call_value, DW_OP_breg3, 1
	end
	end_children
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, v_between
	code_range inlined_start, inlined_end
	data1 DW_AT_call_file, 1
	data1 DW_AT_call_line, 1
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, v_m
	data1 DW_AT_const_value, 22
	end
	parent DW_TAG_call_site
	addr DW_AT_call_return_pc, after_call2
	ref DW_AT_call_origin, v_callee2
	end
	die DW_TAG_call_site_parameter
	expr DW_AT_location, DW_OP_reg5
	expr DW_AT_call_value, DW_OP_lit23
	end
	end_children
	end_children
	end_children
	end_unit
