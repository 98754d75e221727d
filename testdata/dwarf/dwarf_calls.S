/* dwarf_calls.S - expressions that use other DIEs: DW_OP_call*, GNU_variable_value.
 *
 * A DW_TAG_dwarf_procedure computes top * 2 + 1. A DIE without a location has no effect when
 * called. `of_value` adds 1 to the value of `base`, which is 20.
 *
 * expect: here by2 value 11
 * expect: here by4 value 13
 * expect: here by_ref value 15
 * expect: here nested value 23
 * expect: here no_effect value 4
 * expect: here of_value value 21
 * expect: here endless error
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: here by_ref: Unhandled DWARF expression opcode 0x9a
 * lldb: here by2: <Unimplemented opcode DW_OP_call2.>
 * lldb: here by4: <Unimplemented opcode DW_OP_call4.>
 * lldb: here by_ref: <Unhandled opcode DW_OP_call_ref in DWARFExpression>
 * lldb: here of_value: <Unhandled opcode DW_OP_unknown_fd in DWARFExpression>
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	unit 5
procedure: die DW_TAG_dwarf_procedure
	expr DW_AT_location, DW_OP_lit2, DW_OP_mul, DW_OP_lit1, DW_OP_plus
	end
again:	die DW_TAG_dwarf_procedure
	begin_expr DW_AT_location
	.byte DW_OP_call2
	.short procedure - unit_start
	.byte DW_OP_call2
	.short procedure - unit_start
	end_expr
	end
without: die DW_TAG_dwarf_procedure
	end
itself:	die DW_TAG_dwarf_procedure
	begin_expr DW_AT_location
	.byte DW_OP_call2
	.short itself - unit_start
	end_expr
	end
	plain_subprogram main
v_base:	variable base, t_int
	expr DW_AT_location, DW_OP_lit20, DW_OP_stack_value
	end
	variable by2, t_int
	begin_expr DW_AT_location
	.byte DW_OP_lit5, DW_OP_call2
	.short procedure - unit_start
	.byte DW_OP_stack_value
	end_expr
	end
	variable by4, t_int
	begin_expr DW_AT_location
	.byte DW_OP_lit6, DW_OP_call4
	.long procedure - unit_start
	.byte DW_OP_stack_value
	end_expr
	end
	variable by_ref, t_int
	begin_expr DW_AT_location
	.byte DW_OP_lit7, DW_OP_call_ref
	.long procedure
	.byte DW_OP_stack_value
	end_expr
	end
	variable nested, t_int
	begin_expr DW_AT_location
	.byte DW_OP_lit5, DW_OP_call2
	.short again - unit_start
	.byte DW_OP_stack_value
	end_expr
	end
	variable no_effect, t_int
	begin_expr DW_AT_location
	.byte DW_OP_lit4, DW_OP_call2
	.short without - unit_start
	.byte DW_OP_stack_value
	end_expr
	end
	variable of_value, t_int
	begin_expr DW_AT_location
	.byte DW_OP_GNU_variable_value
	.long v_base
	.byte DW_OP_convert, 0, DW_OP_lit1, DW_OP_plus, DW_OP_stack_value
	end_expr
	end
	variable endless, t_int
	begin_expr DW_AT_location
	.byte DW_OP_lit1, DW_OP_call2
	.short itself - unit_start
	.byte DW_OP_stack_value
	end_expr
	end
	end_children
	end_unit
