/* dwarf_addrx.S - DW_OP_addrx and DW_OP_constx: addresses and constants of .debug_addr.
 *
 * An address moves with the program, a constant does not: `constant` is 4660 in a PIE too.
 *
 * expect: here by_index value 321
 * expect: here second value 654
 * expect: here constant value 4660
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: here constant: Unhandled DWARF expression opcode 0xa2
 * lldb: here constant: <Unhandled opcode DW_OP_constx in DWARFExpression>
 */
#include "dwarf_asm.h"

FUNCTION(main)
STOP(here)
	xor %eax, %eax
	end_function main

	.data
numbers: .long 321, 654

	.section .debug_addr, "", @progbits
	.long addr_end - addr_version
addr_version:
	.short 5
	.byte 8, 0
addr_base:
	.quad numbers
	.quad 0x1234
	.quad numbers + 4
addr_end:

	unit_open 5
	sec_offset DW_AT_addr_base, addr_base
	unit_types
	plain_subprogram main
	variable by_index, t_int
	expr DW_AT_location, DW_OP_addrx, 0
	end
	variable second, t_int
	expr DW_AT_location, DW_OP_addrx, 2
	end
	variable constant, t_long
	expr DW_AT_location, DW_OP_constx, 1, DW_OP_stack_value
	end
	end_children
	end_unit
