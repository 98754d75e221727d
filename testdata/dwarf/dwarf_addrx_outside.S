/* dwarf_addrx_outside.S - an index beyond the end of .debug_addr.
 *
 * `outside` is an error; that must not take the other variables with it, nor be a value.
 *
 * expect: here by_index value 321
 * expect: here outside error
 *
 * Not so in gdb 13.1 and lldb 15.0.6, which say:
 * gdb: here by_index: No symbol "by_index" in current context.
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
	variable outside, t_int
	expr DW_AT_location, DW_OP_addrx, 100
	end
	end_children
	end_unit
