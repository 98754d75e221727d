/* dwarf_origin.S - inlined calls, origins of origins, specifications.
 *
 * main has `outer_fn` inlined and that has `inner_fn` inlined. The concrete DIEs lead to abstract
 * ones, and these on to others: name and type are two steps away. `tuned` has a constant in its
 * abstract DIE only. `g` has its declaration inside of a function and its definition outside of
 * it.
 *
 * gdb 13 follows origins to their end and then takes the abstract DIEs half way for ones that
 * nobody stands for: it adds them, without a place, to the block, where they hide the real ones.
 *
 * expect: in_inner a value 1
 * expect: in_inner tuned value 77
 * expect: in_inner:1 b value 2
 * expect: in_inner:2 c value 3
 * expect: in_inner:2 a absent
 * expect: in_outer b value 2
 * expect: in_outer a absent
 * expect: in_main c value 3
 * expect: in_main b absent
 * expect: in_main g value 1234
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: in_inner a: <optimized out>
 * gdb: in_outer a: <optimized out>
 * lldb: in_main g: <no location, value may have been optimized out>
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(in_main)
outer_start:
STOP(in_outer)
inner_start:
	nop
STOP(in_inner)
inner_end:
	nop
outer_end:
	xor %eax, %eax
	end_function main

	.data
	.globl g
g:	.long 1234

	unit 5
o_inner: parent DW_TAG_subprogram
	string DW_AT_name, "inner_fn"
	data1 DW_AT_inline, 1
	end
o_a:	parameter a, t_int
	end
o_tuned: variable tuned, t_int
	data1 DW_AT_const_value, 77
	end
	end_children
o_outer: parent DW_TAG_subprogram
	string DW_AT_name, "outer_fn"
	data1 DW_AT_inline, 1
	end
o_b:	parameter b, t_int
	end
	/* inner_fn as it was inlined into the abstract outer_fn. */
o_inner2: parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_inner
	end
o_a2:	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, o_a
	end
o_tuned2: die DW_TAG_variable
	ref DW_AT_abstract_origin, o_tuned
	end
	end_children
	end_children
	plain_subprogram main
	variable c, t_int
	data1 DW_AT_const_value, 3
	end
d_g:	variable g, t_int
	flag DW_AT_external
	flag DW_AT_declaration
	end
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_outer
	code_range outer_start, outer_end
	data1 DW_AT_call_file, 1
	data1 DW_AT_call_line, 30
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, o_b
	data1 DW_AT_const_value, 2
	end
	parent DW_TAG_inlined_subroutine
	ref DW_AT_abstract_origin, o_inner2
	code_range inner_start, inner_end
	data1 DW_AT_call_file, 1
	data1 DW_AT_call_line, 32
	end
	die DW_TAG_formal_parameter
	ref DW_AT_abstract_origin, o_a2
	data1 DW_AT_const_value, 1
	end
	die DW_TAG_variable
	ref DW_AT_abstract_origin, o_tuned2
	end
	end_children
	end_children
	end_children
	die DW_TAG_variable
	ref DW_AT_specification, d_g
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad g
	end_expr
	end
	end_unit
