/* dwarf_dynamic.S - types that depend on the object: bounds, data and members found by expressions.
 *
 * `descriptor` is {data, count}: an array whose data and whose bound are told by
 * DW_OP_push_object_address. `by_die` has its upper bound in another variable, `by_expr` in rbx,
 * `strided` takes every other int, the first index of `lower` is 1. In `shifted`, the member `at`
 * says where `value` lies: its location is an expression that begins with the address of the
 * struct.
 *
 * expect: here descriptor[0] value 5
 * expect: here descriptor[2] value 7
 * expect: here by_die[0] value 5
 * expect: here by_die[1] value 6
 * expect: here by_expr[3] value 8
 * expect: here strided[1] value 7
 * expect: here shifted.value value 99
 * expect: here lower[2] value 6
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: here descriptor[0]: 1431666704
 * lldb: here descriptor[2]: 3
 * lldb: here strided[1]: 6
 * lldb: here shifted.value: error: "value" is not a member of "(shifted) shifted"
 * lldb: here lower[2]: 7
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push %rbx
	push %rax
	mov $3, %ebx
	lea numbers(%rip), %rax
	mov %rax, described(%rip)
STOP(here)
	mov -8(%rbp), %rbx
	xor %eax, %eax
	end_function main

	.data
	.balign 8
numbers: .long 5, 6, 7, 8
described: .quad 0, 3
shifted_memory: .long 12, 0, 0, 99

	.macro at_label label
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad \label
	end_expr
	.endm

	unit 5
t_described: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	expr DW_AT_data_location, DW_OP_push_object_address, DW_OP_deref
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_long
	data1 DW_AT_lower_bound, 0
	expr DW_AT_upper_bound, DW_OP_push_object_address, DW_OP_plus_uconst, 8, DW_OP_deref, DW_OP_lit1, \
		DW_OP_minus
	end
	end_children
t_lower: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_long
	data1 DW_AT_lower_bound, 1
	data1 DW_AT_upper_bound, 4
	end
	end_children
t_strided: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	data1 DW_AT_byte_stride, 8
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_long
	data1 DW_AT_count, 2
	end
	end_children
t_shifted: parent DW_TAG_structure_type
	string DW_AT_name, "shifted"
	data1 DW_AT_byte_size, 16
	end
	member at, t_int, 0
	die DW_TAG_member
	string DW_AT_name, "value"
	ref DW_AT_type, t_int
	expr DW_AT_data_member_location, DW_OP_dup, DW_OP_deref_size, 4, DW_OP_plus
	end
	end_children
	plain_subprogram main
v_bound: variable bound, t_long
	flag DW_AT_artificial
	expr DW_AT_location, DW_OP_lit1, DW_OP_stack_value
	end
t_by_die: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_long
	ref DW_AT_upper_bound, v_bound
	end
	end_children
t_by_expr: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_long
	expr DW_AT_upper_bound, DW_OP_breg3, 0
	end
	end_children
	variable descriptor, t_described
	at_label described
	end
	variable by_die, t_by_die
	at_label numbers
	end
	variable by_expr, t_by_expr
	at_label numbers
	end
	variable strided, t_strided
	at_label numbers
	end
	variable shifted, t_shifted
	at_label shifted_memory
	end
	variable lower, t_lower
	at_label numbers
	end
	end_children
	end_unit
