/* dwarf_circles.S - DIEs that lead back to themselves: none may hang a debugger, all but the first
 * are errors.
 *
 * `ring` is its own abstract origin, which harms nobody: it has all that it needs. The value of
 * `ego` is the value of `ego`, those of `one` and `two` are each other's; the bound of `endless` is
 * a variable of that kind.
 *
 * expect: here ring value 7
 * expect: here ego error
 * expect: here one error
 * expect: here endless error
 */
#include "dwarf_asm.h"

FUNCTION(main)
	nop
STOP(here)
	xor %eax, %eax
	end_function main

	.macro value_of label
	begin_expr DW_AT_location
	.byte DW_OP_GNU_variable_value
	.long \label
	.byte DW_OP_stack_value
	end_expr
	.endm

	unit 5
	plain_subprogram main
v_ring:	variable ring, t_int
	ref DW_AT_abstract_origin, v_ring
	expr DW_AT_location, DW_OP_lit7, DW_OP_stack_value
	end
v_ego:	variable ego, t_int
	value_of v_ego
	end
v_one:	variable one, t_int
	value_of v_two
	end
v_two:	variable two, t_int
	value_of v_one
	end
t_endless: parent DW_TAG_array_type
	ref DW_AT_type, t_int
	end
	die DW_TAG_subrange_type
	ref DW_AT_type, t_long
	ref DW_AT_upper_bound, v_ego
	end
	end_children
	variable endless, t_endless
	expr DW_AT_location, DW_OP_breg7, 0
	end
	end_children
	end_unit
