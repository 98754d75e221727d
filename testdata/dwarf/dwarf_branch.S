/* dwarf_branch.S - DW_OP_bra with two ways that meet again, and a loop.
 *
 * `chosen` is what `i ? 4 : 9` gives with i = 0.
 * `nothing` is 1 whichever way it goes. `loop` counts 5 down to 0 and adds: 15.
 * `forever` never ends: an error, not a hang.
 *
 * expect: here chosen value 9
 * expect: here nothing value 1
 * expect: here loop value 15
 * expect: here forever error
 *
 * gdb 13.1's look ahead over an expression (dwarf2_get_symbol_read_needs) asserts that no operator
 * is reached in two ways, which `nothing` (a branch around nothing) breaks: a plain `info locals`
 * is then the end of gdb. lldb 15 hangs as well as gdb where an expression does.
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: here nothing: internal error
 * gdb: here forever: hangs
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	unit 5
	plain_subprogram main
	variable chosen, t_long
	expr DW_AT_location, DW_OP_lit0, DW_OP_bra, 4, 0, DW_OP_lit9, DW_OP_skip, 1, 0, DW_OP_lit4, \
		DW_OP_stack_value
	end
	variable nothing, t_long
	expr DW_AT_location, DW_OP_lit1, DW_OP_lit0, DW_OP_bra, 5, 0, DW_OP_skip, 1, 0, DW_OP_drop, \
		DW_OP_nop, DW_OP_stack_value
	end
	/* sum, n: while (n) { sum += n; n--; } */
	variable loop, t_long
	expr DW_AT_location, DW_OP_lit0, DW_OP_lit5, \
		DW_OP_swap, DW_OP_over, DW_OP_plus, DW_OP_swap, DW_OP_lit1, DW_OP_minus, DW_OP_dup, \
		DW_OP_bra, -10, -1, DW_OP_drop, DW_OP_stack_value
	end
	variable forever, t_long
	expr DW_AT_location, DW_OP_skip, -3, -1, DW_OP_lit1, DW_OP_stack_value
	end
	end_children
	end_unit
