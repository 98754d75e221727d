/* dwarf_scope_optimised.S - which of several variables of one name is meant in optimised code, where
 * the line of a pc says little.
 *
 * At `early` all variables of the block are declared further down. `x` has a list with an entry for
 * just this place: it is declared. `y` has a list without one there, `z` an expression and `k` a
 * constant value for the whole block: nobody knows. What they hide is not shown instead.
 *
 * expect: early x value 2
 * expect: early k value 2
 * expect: early y optimized-out
 * expect: early z value 2
 * expect: late x value 2
 * expect: late y value 2
 * expect: late z value 2
 * expect: after x value 1
 * expect: after y value 1
 * expect: after z value 1
 */
#include "dwarf_asm.h"

FUNCTION(main)
	push $2
block_start:
STOP(early)
LINE(second)
STOP(late)
block_end:
STOP(after)
	xor %eax, %eax
	end_function main

	.section .debug_loclists, "", @progbits
	.long loclists_end - loclists_version
loclists_version:
	.short 5
	.byte 8, 0
	.long 0
list_early:
	.byte DW_LLE_start_end
	.quad at_early, at_after
	ops DW_OP_lit2, DW_OP_stack_value
	.byte DW_LLE_end_of_list
list_late:
	.byte DW_LLE_start_end
	.quad at_late, at_after
	ops DW_OP_lit2, DW_OP_stack_value
	.byte DW_LLE_end_of_list
loclists_end:

	/* At file scope. */
	.macro global name
	variable \name, t_int
	data1 DW_AT_decl_file, 1
	data2 DW_AT_decl_line, 1
	flag DW_AT_external
	data1 DW_AT_const_value, 1
	end
	.endm
	/* In the block: its place and `end` follow. */
	.macro later name
	variable \name, t_int
	data1 DW_AT_decl_file, 1
	data2 DW_AT_decl_line, line_second
	.endm

	unit 5
	global x
	global y
	global z
	global k
	plain_subprogram main
	parent DW_TAG_lexical_block
	code_range block_start, block_end
	end
	later x
	sec_offset DW_AT_location, list_early
	end
	later y
	sec_offset DW_AT_location, list_late
	end
	later z
	expr DW_AT_location, DW_OP_fbreg, 0x68
	end
	later k
	data1 DW_AT_const_value, 2
	end
	end_children
	end_children
	end_unit
