/* dwarf_implicit.S - values that are nowhere: implicit_value, stack_value, implicit_pointer.
 *
 * `object` is a struct {int a, b, c} that lives in pieces (a = 7, b in rbx = 42, c gone). `p`
 * points to it, `pb` to its member b (offset 4), `pc` to the gone c; `pp` points to `p`, which is
 * nowhere itself. What they point to can be told: *p, p->b, **ppb. `px` points to memory that is
 * there.
 *
 * llvm-dwarfdump 15 cannot decode DW_OP_implicit_pointer; readelf can.
 *
 * expect: here p value implicit
 * expect: here pb value implicit
 * expect: here pp value implicit
 * expect: here p->a value 7
 * expect: here p->b value 42
 * expect: here p->c optimized-out
 * expect: here *pb value 42
 * expect: here *pc optimized-out
 * expect: here **ppb value 42
 * expect: here *px value 99
 * expect: here implicit_int value 67305985
 * expect: here implicit_pair.a value 1
 * expect: here implicit_pair.b value -1
 * expect: here implicit_double value 2.5
 * expect: here implicit_text[1] value 121
 * expect: here value_char value -1
 * expect: here value_short value -2
 * expect: here value_long value -3
 * expect: here value_pointer value 0x1000
 * expect: here value_pair.a value 2
 * expect: here value_pair.b value 1
 * expect: here held.p value implicit
 * expect: here held.n value 3
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: here p: <Could not evaluate DW_OP_implicit_pointer.>
 * lldb: here pb: <Could not evaluate DW_OP_implicit_pointer.>
 * lldb: here p->a: <parent failed to evaluate: Could not evaluate DW_OP_implicit_pointer.>
 * lldb: here p->b: <parent failed to evaluate: Could not evaluate DW_OP_implicit_pointer.>
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push %rbx
	push %rax
	mov $42, %ebx
STOP(here)
	pop %rax
	pop %rbx
	xor %eax, %eax
	end_function main

	.data
x_memory: .long 99

	.macro points_to label, offset
	.byte DW_OP_implicit_pointer
	.long \label /* in .debug_info, whichever unit */
	.sleb128 \offset
	.endm

	unit 5
t_object: parent DW_TAG_structure_type
	string DW_AT_name, "object"
	data1 DW_AT_byte_size, 12
	end
	member a, t_int, 0
	member b, t_int, 4
	member c, t_int, 8
	end_children
t_object_pointer: pointer_type t_object
t_object_pointer_pointer: pointer_type t_object_pointer
t_int_pointer_pointer: pointer_type t_int_pointer
t_pair:	parent DW_TAG_structure_type
	string DW_AT_name, "pair"
	data1 DW_AT_byte_size, 8
	end
	member a, t_int, 0
	member b, t_int, 4
	end_children
t_held:	parent DW_TAG_structure_type
	string DW_AT_name, "held"
	data1 DW_AT_byte_size, 16
	end
	member p, t_int_pointer, 0
	member n, t_long, 8
	end_children
t_text:	parent DW_TAG_array_type
	ref DW_AT_type, t_char
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_ulong
	data1 DW_AT_upper_bound, 2
	end
	end_children
	plain_subprogram main
v_object:
	variable object, t_object
	expr DW_AT_location, DW_OP_lit7, DW_OP_stack_value, DW_OP_piece, 4, DW_OP_reg3, DW_OP_piece, 4, \
		DW_OP_piece, 4
	end
v_p:	variable p, t_object_pointer
	begin_expr DW_AT_location
	points_to v_object, 0
	end_expr
	end
v_pb:	variable pb, t_int_pointer
	begin_expr DW_AT_location
	points_to v_object, 4
	end_expr
	end
	variable pc, t_int_pointer
	begin_expr DW_AT_location
	points_to v_object, 8
	end_expr
	end
	variable pp, t_object_pointer_pointer
	begin_expr DW_AT_location
	points_to v_p, 0
	end_expr
	end
	variable ppb, t_int_pointer_pointer
	begin_expr DW_AT_location
	points_to v_pb, 0
	end_expr
	end
v_x:	variable x, t_int
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad x_memory
	end_expr
	end
	variable px, t_int_pointer
	begin_expr DW_AT_location
	points_to v_x, 0
	end_expr
	end
	variable implicit_int, t_int
	expr DW_AT_location, DW_OP_implicit_value, 4, 1, 2, 3, 4
	end
	variable implicit_pair, t_pair
	expr DW_AT_location, DW_OP_implicit_value, 8, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff
	end
	variable implicit_double, t_double
	expr DW_AT_location, DW_OP_implicit_value, 8, 0, 0, 0, 0, 0, 0, 4, 0x40
	end
	variable implicit_text, t_text
	expr DW_AT_location, DW_OP_implicit_value, 3, 0x78, 0x79, 0
	end
	variable value_char, t_char
	expr DW_AT_location, DW_OP_lit0, DW_OP_lit1, DW_OP_minus, DW_OP_stack_value
	end
	variable value_short, t_short
	expr DW_AT_location, DW_OP_lit1, DW_OP_not, DW_OP_stack_value
	end
	variable value_long, t_long
	expr DW_AT_location, DW_OP_const1s, -3, DW_OP_stack_value
	end
	variable value_pointer, t_int_pointer
	expr DW_AT_location, DW_OP_const2u, 0, 0x10, DW_OP_stack_value
	end
	/* A struct of 8 bytes as one number: 0x0000000100000002. */
	variable value_pair, t_pair
	expr DW_AT_location, DW_OP_const8u, 2, 0, 0, 0, 1, 0, 0, 0, DW_OP_stack_value
	end
	/* A struct whose first member is an implicit pointer. */
	variable held, t_held
	begin_expr DW_AT_location
	points_to v_object, 4
	.byte DW_OP_piece, 8, DW_OP_lit3, DW_OP_stack_value, DW_OP_piece, 8
	end_expr
	end
	end_children
	end_unit
