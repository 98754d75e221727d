/* dwarf_loc.S - .debug_loc (DWARF 2 to 4): base address selection and empty entries.
 *
 * `v` is 10 at s0 (relative to the unit's low_pc) and 11 at s1 (after a base address selection),
 * gone at s2, 12 at s3 (another base). `first` has an empty entry at the first pc of callee, where
 * it is therefore gone; `half` lives in edi for half of its function.
 *
 * expect: s0 v value 10
 * expect: s1 v value 11
 * expect: s2 v optimized-out
 * expect: s3 v value 12
 * expect: entry_callee first optimized-out
 * expect: inside first value 9
 * expect: entry_callee half value 66
 * expect: inside half optimized-out
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: entry_callee first: 66
 */
#include "dwarf_asm.h"

FUNCTION(callee)
after_prologue:
	mov $77, %edi
STOP(inside)
	end_function callee

FUNCTION(main)
	mov $66, %edi
	call callee
STOP(s0)
STOP(s1)
STOP(s2)
STOP(s3)
STOP(last)
	xor %eax, %eax
	end_function main

	.section .debug_loc, "", @progbits
list_first:
	/* The base keeps the empty entry at offset 1 from being the end of the list. */
	.quad -1, callee - 1
	.quad 1, 1
	ops2 DW_OP_reg5
	.quad at_inside - callee + 1, end_callee - callee + 1
	ops2 DW_OP_lit9, DW_OP_stack_value
	.quad 0, 0
list_half:
	.quad callee - text_start, after_prologue - text_start
	ops2 DW_OP_reg5
	.quad 0, 0
list_v:
	.quad at_s0 - text_start, at_s1 - text_start
	ops2 DW_OP_lit10, DW_OP_stack_value
	.quad -1, at_s1
	.quad 0, at_s2 - at_s1
	ops2 DW_OP_lit11, DW_OP_stack_value
	.quad -1, main
	.quad at_s3 - main, at_last - main
	ops2 DW_OP_lit12, DW_OP_stack_value
	.quad 0, 0

	unit 4
	plain_subprogram callee
	parameter first, t_int
	sec_offset DW_AT_location, list_first
	end
	parameter half, t_int
	sec_offset DW_AT_location, list_half
	end
	end_children
	plain_subprogram main
	variable v, t_int
	sec_offset DW_AT_location, list_v
	end
	end_children
	end_unit
