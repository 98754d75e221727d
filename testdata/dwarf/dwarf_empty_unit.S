/* dwarf_empty_unit.S - units that end with their header, before and behind one that has something.
 *
 * Nothing is in them, and nothing is lost: they are no reason to refuse the program. libdw fails at the
 * last one.
 *
 * expect: here inside value 33
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	.macro empty_unit
	.section .debug_info, "", @progbits
	.long 7
	.short 4
	.long 0
	.byte 8
	.endm

	empty_unit
	unit 5
	plain_subprogram main
	variable inside, t_int
	expr DW_AT_location, DW_OP_const1u, 33, DW_OP_stack_value
	end
	end_children
	end_unit
	empty_unit
