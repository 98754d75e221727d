/* dwarf_common_block.S - Fortran's common blocks: storage that several functions name in their own way.
 *
 * DW_TAG_common_block is an entry of a function, and its children are that function's variables, each with
 * a location of its own (DWARF 5, 4.2).
 *
 * expect: here first value 11
 * expect: here second value 22
 * expect: here after value 33
 *
 * lldb 15.0.6 finds `first` by its name, and does not list it.
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	.data
shared: .long 11, 22

	unit 5
	plain_subprogram main
	parent DW_TAG_common_block
	string DW_AT_name, "fo"
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad shared
	end_expr
	end
	variable first, t_int
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad shared
	end_expr
	end
	variable second, t_int
	begin_expr DW_AT_location
	.byte DW_OP_addr
	.quad shared + 4
	end_expr
	end
	end_children
	variable after, t_int
	expr DW_AT_location, DW_OP_const1u, 33, DW_OP_stack_value
	end
	end_children
	end_unit
