/* dwarf_entry_value_gnu.S - the same before DWARF 5: GNU call sites, and DW_OP_GNU_parameter_ref.
 *
 * main passes 17 in edi; the parameter `gone` was removed from callee, and its call site says what
 * it would have been: 5. `other` is computed from it: gone * 3.
 *
 * expect: here x value 17
 * expect: here gone value 5
 * expect: here other value 15
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * lldb: here gone: <Unhandled opcode DW_OP_unknown_fa in DWARFExpression>
 * lldb: here other: <Unhandled opcode DW_OP_unknown_fa in DWARFExpression>
 */
#include "dwarf_asm.h"

FUNCTION(callee)
	mov $-1, %edi
STOP(here)
	end_function callee

FUNCTION(main)
	mov $17, %edi
	call callee
after_call:
	xor %eax, %eax
	end_function main

	unit 4
v_abstract:
	parent DW_TAG_subprogram
	string DW_AT_name, "callee"
	data1 DW_AT_inline, 1
	end
v_x:	parameter x, t_int
	end
v_gone:	parameter gone, t_int
	end
v_other: variable other, t_int
	end
	end_children
v_callee:
	parent DW_TAG_subprogram
	ref DW_AT_abstract_origin, v_abstract
	code_range callee, end_callee
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, v_x
	expr DW_AT_location, DW_OP_GNU_entry_value, 1, DW_OP_reg5, DW_OP_stack_value
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, v_gone
	begin_expr DW_AT_location
	.byte DW_OP_GNU_parameter_ref
	.long v_gone - unit_start
	.byte DW_OP_stack_value
	end_expr
	end
	die DW_TAG_variable
	ref DW_AT_abstract_origin, v_other
	begin_expr DW_AT_location
	.byte DW_OP_GNU_parameter_ref
	.long v_gone - unit_start
	.byte DW_OP_lit3, DW_OP_mul, DW_OP_stack_value
	end_expr
	end
	end_children
	subprogram main
	expr DW_AT_frame_base, DW_OP_call_frame_cfa
	flag DW_AT_GNU_all_call_sites
	end
	parent DW_TAG_GNU_call_site
	addr DW_AT_low_pc, after_call
	ref DW_AT_abstract_origin, v_callee
	end
	die DW_TAG_GNU_call_site_parameter
	expr DW_AT_location, DW_OP_reg5
	expr DW_AT_GNU_call_site_value, DW_OP_lit17
	end
	die DW_TAG_GNU_call_site_parameter
	ref DW_AT_abstract_origin, v_gone
	expr DW_AT_GNU_call_site_value, DW_OP_lit5
	end
	end_children
	end_children
	end_unit
